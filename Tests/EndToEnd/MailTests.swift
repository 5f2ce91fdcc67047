import Foundation
import TestSupport
import Testing

/// Mail over real servers.
@Suite("Mail, end to end", .timeLimit(.minutes(10)))
struct MailTests {
    private let folder = TestFolder()

    private static func rules(_ port: Int) -> String {
        """
        [[receiver]]
        name = "mail"
        type = "email"
        url = "smtp://127.0.0.1:\(port)"
        from = "alertd@example.org"
        to = ["me@example.org", "you@example.org"]
        kinds = ["fired", "resolved"]
        [[rule]]
        name = "band"
        symbol = "btcinr"
        max = 200
        """
    }

    private func receiver(_ stage: Stage, _ condition: ([String: Any]) -> Bool) async throws {
        var state: [String: Any] = [:]
        do {
            try await holds("state") {
                let receivers = try await stage.json("receivers")["receivers"] as? [[String: Any]] ?? []
                state = receivers.first ?? [:]
                return condition(state)
            }
        } catch {
            throw TimedOut(description: "the receiver is \(state)")
        }
    }

    private func retry(_ stage: Stage) async throws {
        let finished = try await stage.ctl("receivers", "queue", "retry", "mail")
        #expect(finished.code == 0, "\(finished)")
    }

    /// The server refuses a mail for the moment, is killed, and takes it while the daemon is killed. Each mailbox has
    /// each mail, and two copies of one have the same id.
    @Test(.enabled(if: MailServer.isInstalled, "exim4 is not installed"))
    func mailboxesHaveEachMail() async throws {
        let server = try await MailServer()
        let stage = try await Stage(rules: Self.rules(server.port))
        try server.set("refuses", true)
        try await stage.exchange.price("btcinr", "250")
        try await receiver(stage) { ($0["message"] as? String)?.contains("come back later") ?? false }
        try await server.kill()
        try await retry(stage)
        try await receiver(stage) { ($0["message"] as? String)?.contains("connect") ?? false }
        try server.set("refuses", false)
        try server.set("waits", true)
        try await server.start()
        // It has all of the mail, but has not accepted it yet.
        try await holds("a mail on its way") {
            if !server.isReceiving { try await retry(stage) }
            return server.isReceiving
        }
        stage.daemon.signal(SIGKILL)
        _ = try await stage.daemon.exitCode()
        try server.set("waits", false)
        try await stage.restart()
        try await receiver(stage) { $0["delivered"] as? Int == 1 }
        try await stage.exchange.price("btcinr", "150")
        try await receiver(stage) { $0["delivered"] as? Int == 2 }
        for user in ["me", "you"] {
            try await holds("both mails of \(user)", limit: .seconds(600)) {
                let mails = try server.mails(of: user)
                return Set(mails.map { header("Message-ID", of: $0) }).count == 2
            }
            let mails = try server.mails(of: user)
            #expect(Set(mails.map { header("Subject", of: $0) }).count == 2)
            #expect(Set(mails.map { header("References", of: $0) }).count == 1, "one thread")
            #expect(
                mails.allSatisfy { header("To", of: $0) == "me@example.org," && $0.contains("\n you@example.org\n") })
            // The mail that was refused had the id that it has now.
            let ids = Set(mails.map { header("Message-ID", of: $0) }.filter { !$0.isEmpty })
            #expect(ids.count { server.refusals.contains("Message-ID: \($0)") } == 1, "\(server.refusals)")
        }
    }

    private static let relay = testServer("bin/msmtpd")

    /// A mail server in daily use takes the mail, with all recipients and every line as it was.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: relay), "msmtpd is not installed"))
    func aRealServerTakesMail() async throws {
        let port = try #require(try await freePorts(1).first)
        let delivery = try folder.write("{ echo \"$@\"; cat; } >> \(folder.path)/mails\n", to: "deliver.sh")
        let server = try Program(
            Self.relay,
            ["--interface=127.0.0.1", "--port=\(port)", "--command=/bin/sh \(delivery) %F --"],
            environment: ["LD_LIBRARY_PATH": testServerLibraries()])
        let stage = try await Stage(rules: Self.rules(port))
        try await stage.exchange.price("btcinr", "250")
        try await receiver(stage) { $0["delivered"] as? Int == 1 }
        try await stage.exchange.price("btcinr", "150")
        try await receiver(stage) { $0["delivered"] as? Int == 2 }
        let mails = try String(contentsOfFile: "\(folder.path)/mails", encoding: .utf8).replacing("\r\n", with: "\n")
        let lines = mails.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { $0 == "alertd@example.org -- me@example.org you@example.org" } == 2, "\(mails)")
        #expect(lines.count { $0.hasPrefix("Message-ID: <") } == 2)
        let threads = Set(lines.filter { $0.hasPrefix("References: ") })
        #expect(threads.count == 1, "\(threads)")
        withExtendedLifetime(server) {}
    }
}
