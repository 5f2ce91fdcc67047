import Foundation
import TestSupport
import Testing

@Suite("NATS, end to end", .timeLimit(.minutes(10)))
struct NATSTests {
    private static let rule = "[[rule]]\nname = \"band\"\nsymbol = \"btcinr\"\nmax = 200\n"
    private let folder = TestFolder()

    private func receiver(_ server: NATSServer, _ url: String, _ keys: String = "") -> String {
        """
        [[receiver]]
        name = "bus"
        type = "nats"
        url = "\(url):\(server.port)"
        credential = "bus-token"
        kinds = ["fired", "resolved"]
        \(keys)

        """
    }

    private func credentials(_ token: String = "sesame") throws -> [String: String] {
        try folder.credentials(["bus-token": token])
    }

    private func receiver(_ stage: Stage) async throws -> [String: Any] {
        let receivers = try await stage.json("receivers")["receivers"] as? [[String: Any]] ?? []
        return try #require(receivers.first)
    }

    /// The daemon and the server are killed at random instants: the stream has each event once, in order.
    @Test(.enabled(if: NATSServer.isInstalled, "nats-server or nats-py is not installed"))
    func eventsAreStoredOnce() async throws {
        let server = try await NATSServer()
        _ = try await server.client("stream", "ALERTD", "alertd.events.>", "3600")
        let stage = try await Stage(
            rules: receiver(server, "nats://127.0.0.1") + Self.rule, environment: try credentials())
        for round in 0..<10 {
            try await stage.exchange.price("btcinr", round % 2 == 0 ? "250" : "150")
            try await stage.polls(2)
            if round == 4 {
                try await server.restart {
                    try await stage.exchange.price("btcinr", "150")
                    try await stage.polls(2)
                }
            }
            stage.daemon.signal(SIGKILL)
            _ = try await stage.daemon.exitCode()
            try await stage.restart()
        }
        try await holds("an empty queue") {
            _ = try await stage.ctl("receivers", "queue", "retry", "bus")
            return try await receiver(stage)["queued"] as? Int == 0
        }
        let events = try await stage.json("events", "--limit", "1000")["events"] as? [[String: Any]] ?? []
        let notified = events.filter { ["fired", "resolved"].contains($0["kind"] as? String) }
            .compactMap { $0["number"] as? Int }.sorted()
        #expect(notified.count >= 5)
        let messages = try await server.messages("ALERTD")
        #expect(messages.compactMap { ($0["event"] as? [String: Any])?["number"] as? Int } == notified)
        #expect(messages.allSatisfy { ($0["subject"] as? String) == "alertd.events.wazirx.btcinr" }, "\(messages)")
        for (message, number) in zip(messages, notified) {
            #expect((message["id"] as? String)?.hasSuffix("-\(number)") == true)
        }
        #expect(try await stage.ctl("why", "\(notified[0])").output.contains("1 of ALERTD"))
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server or nats-py is not installed"))
    func theCertificateIsVerified() async throws {
        let certificates = try await Certificates.make(in: folder, name: "server")
        let server = try await NATSServer(tls: certificates)
        _ = try await server.client("stream", "ALERTD", "alertd.events.>", "3600")
        let good = receiver(server, "tls://localhost", "ca_file = \"\(certificates.authority)\"")
        let other = receiver(server, "nats://127.0.0.1").replacing("\"bus\"", with: "\"other\"")
        let stage = try await Stage(rules: good + other + Self.rule, environment: try credentials())
        let tested = try await stage.ctl("receivers", "test", "bus")
        #expect(tested.code == 0, "\(tested)")
        #expect(try await server.messages("ALERTD").map { $0["subject"] as? String } == ["alertd.events._._"])
        let untrusted = try await stage.ctl("receivers", "test", "other")
        #expect(untrusted.code == 1 && untrusted.output.contains("the certificate is not trusted"), "\(untrusted)")
        let elsewhere = try await NATSServer(tls: Certificates.make(in: folder, name: "other"))
        let wrong = receiver(elsewhere, "tls://localhost", "ca_file = \"\(certificates.authority)\"")
        let second = try await Stage(rules: wrong + Self.rule, environment: try credentials())
        let mismatch = try await second.ctl("receivers", "test", "bus")
        #expect(mismatch.code == 1 && mismatch.output.lowercased().contains("hostname mismatch"), "\(mismatch)")
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server or nats-py is not installed"))
    func refusalsNameTheirReason() async throws {
        let server = try await NATSServer()
        let settings = receiver(server, "nats://127.0.0.1") + Self.rule
        let stage = try await Stage(rules: settings, environment: try credentials("wrong"))
        let refused = try await stage.ctl("receivers", "test", "bus")
        #expect(refused.code == 1 && refused.output.contains("Authorization Violation"), "\(refused)")
        #expect(try await receiver(stage)["state"] as? String == "stopped")
        _ = try credentials()
        let missing = try await stage.ctl("receivers", "test", "bus")
        #expect(missing.code == 1 && missing.output.contains("no stream takes the subject"), "\(missing)")
        _ = try await server.client("stream", "ALERTD", "alertd.events.>", "3600")
        let good = try await stage.ctl("receivers", "test", "bus")
        #expect(good.code == 0, "\(good)")
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server or nats-py is not installed"))
    func aServerWithKeysIsNamedAsSuch() async throws {
        // A public key from the server's documentation (docs.nats.io, NKeys).
        let server = try await NATSServer(key: "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
        let settings = receiver(server, "nats://127.0.0.1") + Self.rule
        let stage = try await Stage(rules: settings, environment: try credentials())
        let refused = try await stage.ctl("receivers", "test", "bus")
        #expect(refused.code == 1 && refused.output.contains("has users with NKeys"), "\(refused)")
        #expect(try await receiver(stage)["state"] as? String == "stopped")
    }
}
