import Foundation
import TestSupport
import Testing

/// Notifications over real HTTP and SMTP.
@Suite("Receivers, end to end", .timeLimit(.minutes(60)))
struct ReceiverTests {
    private static let rule = "[[rule]]\nname = \"band\"\nsymbol = \"btcinr\"\nmax = 200\nseverity = \"critical\"\n"
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private let folder = TestFolder()

    /// The state of a receiver.
    private func receiver(_ name: String, _ stage: Stage) async throws -> [String: Any] {
        let receivers = try await stage.json("receivers")["receivers"] as? [[String: Any]] ?? []
        return try #require(receivers.first { $0["name"] as? String == name })
    }

    /// Waits until a receiver is in a state.
    private func until(
        _ name: String, _ stage: Stage, _ condition: ([String: Any]) -> Bool
    ) async throws -> [String: Any] {
        let deadline = ContinuousClock.now + .seconds(600)
        while true {
            let state = try await receiver(name, stage)
            if condition(state) { return state }
            guard ContinuousClock.now < deadline else { throw TimedOut(description: "\(name): \(state)") }
            try await stage.polls(1)
        }
    }

    @Test func alertsArriveSigned() async throws {
        let server = try await ReceiverServer(["hook": [500]], secret: ReceiverServer.python == nil ? nil : Self.secret)
        let stage = try await Stage(
            // A busy machine may be late with its polls, which is reported to all who want that.
            rules: server.webhooks(["hook"], "credential = \"hook-secret\"\nkinds = [\"fired\"]") + Self.rule,
            environment: try folder.credentials(["hook-secret": Self.secret]), interval: "2s")
        try await stage.exchange.price("btcinr", "250")
        _ = try await until("hook", stage) { $0["delivered"] as? Int == 1 }
        let requests = server.requests("hook")
        let headers = requests.compactMap { $0["headers"] as? [String: String] }
        try #require(headers.count == 2)
        #expect(headers[0]["webhook-id"]?.hasSuffix("-1") == true)
        #expect(headers[0]["webhook-id"] == headers[1]["webhook-id"])
        #expect(headers[0]["idempotency-key"] == "\"\(headers[0]["webhook-id"] ?? "")\"")
        #expect(requests.allSatisfy { ($0["body"] as? String)?.contains("BTC/INR") == true })
        if ReceiverServer.python != nil {
            #expect(requests.allSatisfy { $0["verified"] as? Bool == true }, "\(requests)")
        }
        let why = try await stage.json("why", "1")
        let deliveries = why["deliveries"] as? [[String: Any]]
        #expect(deliveries?.first?["state"] as? String == "delivered")
        let seen = try await stage.ctl("receivers").output + stage.ctl("why", "1").output + stage.daemon.errors.text
        #expect(!seen.contains("MfKQ9r8G"))
    }

    /// Every kind of answer has its effect, and none of them holds up the others.
    @Test func answersDecide() async throws {
        let script: [String: [Any]] = [
            "ok": [200], "empty": [204], "moved": [302], "bad": [400], "login": [401], "denied": [403],
            "missing": [404], "gone": [410], "limited": [429],
            "later": [["status": 429, "headers": ["Retry-After": "2"]] as [String: Any]], "broken": [500],
            "hang": ["hang"], "half": ["half"], "slow": ["slow"], "lost": ["lost"],
        ]
        let names = script.keys.sorted()
        let server = try await ReceiverServer(script)
        let stage = try await Stage(rules: server.webhooks(names, "kinds = [\"fired\"]") + Self.rule)
        try await stage.exchange.price("btcinr", "250")
        for name in ["ok", "empty", "slow", "moved", "missing", "limited", "later", "broken", "lost", "hang", "half"] {
            let state = try await until(name, stage) { $0["delivered"] as? Int == 1 }
            #expect(state["queued"] as? Int == 0 && state["state"] as? String == "ok", "\(name)")
            let isFirst = ["ok", "empty", "slow"].contains(name)
            #expect(server.requests(name).count == (isFirst ? 1 : 2), "\(name)")
        }
        for name in ["bad", "gone"] {
            let state = try await until(name, stage) { $0["refused"] as? Int == 1 }
            #expect(state["queued"] as? Int == 0, "\(name)")
        }
        for name in ["login", "denied"] {
            let state = try await until(name, stage) { $0["state"] as? String == "stopped" }
            #expect(state["queued"] as? Int == 1, "\(name)")
            let advice = try await stage.ctl("status").output
            #expect(advice.contains("receiver \(name) has stopped: the credential was refused"), "\(advice)")
            #expect(try await stage.ctl("receivers", "queue", "retry", name).code == 0)
            _ = try await until(name, stage) { $0["delivered"] as? Int == 1 }
        }
        // Each failure is an event, once.
        let events = try await stage.json("events")["events"] as? [[String: Any]] ?? []
        let failed = events.filter { $0["kind"] as? String == "receiver_failed" }
        #expect(failed.count == 4, "\(failed)")
    }

    /// Before there is anything to send: by the reload, in the log, by `status`, and by a start.
    @Test func aMissingCredentialIsSaidAtOnce() async throws {
        let server = try await ReceiverServer([:])
        let stage = try await Stage(rules: Self.rule)
        let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
        let receiver = server.webhooks(["hook"], "credential = \"hook-secret\"\n")
        _ = try stage.folder.write(text + receiver, to: "alertd.toml")
        let fault = "receiver hook cannot send: the credential 'hook-secret' cannot be used"
        let reload = try await stage.ctl("reload")
        #expect(
            reload.code == 0 && reload.output.contains("\nWarnings:\n") && reload.output.contains(fault), "\(reload)")
        _ = try await stage.daemon.errors.line("warning") { $0.contains(fault) }
        let status = try await stage.ctl("status")
        #expect(status.output.contains("receiver hook has stopped: the credential 'hook-secret'"), "\(status)")
        #expect(try await until("hook", stage) { $0["state"] as? String == "stopped" }["queued"] as? Int == 0)
        stage.daemon.signal(SIGTERM)
        _ = try await stage.daemon.exitCode()
        try await stage.restart()
        _ = try await stage.daemon.errors.line("warning") { $0.contains(fault) }
    }

    @Test func testsReportTheAnswer() async throws {
        let server = try await ReceiverServer(["down": [503]])
        let stage = try await Stage(
            // A busy machine may be late with its polls, which is reported to all who want that.
            rules: server.webhooks(["up", "down"], "kinds = [\"fired\"]\n") + Self.rule)
        let good = try await stage.ctl("receivers", "test", "up")
        #expect(good.code == 0 && good.output.contains("delivered"), "\(good)")
        let bad = try await stage.ctl("receivers", "test", "down")
        #expect(bad.code == 1 && bad.output.contains("status 503"), "\(bad)")
        let none = try await stage.ctl("receivers", "test", "phone")
        #expect(none.errors == "alertctl: there is no receiver 'phone'; known: up, down\n", "\(none)")
        let unknown = try await stage.ctl("receivers", "test", "dwn")
        #expect(unknown.code != 0 && unknown.errors.contains("did you mean 'down'?"), "\(unknown)")
        #expect(try await stage.ctl("receivers", "queue", "up").output.contains("Nothing waits for up."))
        #expect(server.requests("up").count == 1)
    }

    /// A certificate that is not trusted gets nothing, and one of the receiver's own authority does.
    @Test func certificatesAreVerified() async throws {
        let certificates = try await Certificates.make(in: folder, name: "server")
        let server = try await ReceiverServer(tls: certificates)
        func receiver(_ name: String, _ keys: String) -> String {
            """
            [[receiver]]
            name = "\(name)"
            type = "webhook"
            url = "https://localhost:\(server.port)/\(name)"
            kinds = ["fired"]
            \(keys)

            """
        }
        let trusting = receiver("trusting", "ca_file = \"\(certificates.authority)\"")
        let stage = try await Stage(rules: trusting + receiver("other", "") + Self.rule)
        let good = try await stage.ctl("receivers", "test", "trusting")
        #expect(good.code == 0 && good.output.contains("delivered"), "\(good)")
        let bad = try await stage.ctl("receivers", "test", "other")
        #expect(bad.code == 1 && bad.output.contains("certificate"), "\(bad)")
        #expect(server.requests("trusting").count == 1 && server.requests("other").isEmpty)
    }

    /// A receiver's own proxy is asked, and nobody looks for the address itself.
    @Test func aReceiverMayHaveAProxy() async throws {
        let server = try await ReceiverServer()
        let receiver = """
            [[receiver]]
            name = "far"
            type = "webhook"
            url = "http://receiver.invalid/path"
            allow_http = true
            proxy_credential = "way"

            """
        let stage = try await Stage(
            rules: receiver + server.webhooks(["near"]) + Self.rule,
            environment: try folder.credentials(["way": "http://127.0.0.1:\(server.port)"]))
        let far = try await stage.ctl("receivers", "test", "far")
        #expect(far.code == 0 && far.output.contains("delivered"), "\(far)")
        // On a busy machine, the source may become stale, which both are notified of.
        let paths = { (place: String) in Set(server.requests(place).compactMap { $0["path"] as? String }) }
        #expect(paths("http:") == ["http://receiver.invalid/path"])
        let near = try await stage.ctl("receivers", "test", "near")
        #expect(near.code == 0, "\(near)")
        #expect(paths("near") == ["/near"])
    }

    /// The end of an alert belongs to its message, also after a restart.
    @Test func anEndRepliesToItsAlert() async throws {
        let server = try await ReceiverServer()
        let receiver = """
            [[receiver]]
            name = "chat"
            type = "telegram"
            url = "http://127.0.0.1:\(server.port)"
            credential = "bot"
            chat = "5"
            kinds = ["fired", "resolved"]

            """
        let stage = try await Stage(
            rules: receiver + Self.rule, environment: try folder.credentials(["bot": "123456:ABC-DEF"]), interval: "2s")
        try await stage.exchange.price("btcinr", "250")
        _ = try await until("chat", stage) { $0["delivered"] as? Int == 1 }
        stage.daemon.signal(SIGKILL)
        _ = try await stage.daemon.exitCode()
        try await stage.restart()
        try await stage.exchange.price("btcinr", "150")
        _ = try await until("chat", stage) { $0["delivered"] as? Int == 1 }
        let bodies = server.requests.compactMap { $0["body"] as? String }
        #expect(bodies.count == 2 && !bodies[0].contains("reply_parameters"), "\(bodies)")
        #expect(bodies.last?.contains(#""reply_parameters":{"message_id":1,"#) == true, "\(bodies)")
        #expect(try await stage.ctl("why", "1").output.contains("message 1"))
    }

    /// With a text of its own for the end, to a topic of a group.
    @Test func anEndHasItsOwnTextInATopic() async throws {
        let server = try await ReceiverServer()
        let receiver = """
            [[receiver]]
            name = "chat"
            type = "telegram"
            url = "http://127.0.0.1:\(server.port)"
            credential = "bot"
            chat = "-1001234567890"
            message_thread_id = 42
            kinds = ["fired", "resolved"]
            message_resolved = "{symbol} is back at {price}"

            """
        let stage = try await Stage(
            rules: receiver + Self.rule, environment: try folder.credentials(["bot": "123456:ABC-DEF"]), interval: "2s")
        try await stage.exchange.price("btcinr", "250")
        _ = try await until("chat", stage) { $0["delivered"] as? Int == 1 }
        try await stage.exchange.price("btcinr", "150")
        _ = try await until("chat", stage) { $0["delivered"] as? Int == 2 }
        let bodies = server.requests.compactMap { $0["body"] as? String }
        #expect(bodies.allSatisfy { $0.contains(#""message_thread_id":42"#) }, "\(bodies)")
        #expect(bodies.last?.contains("btcinr is back at 150") == true, "\(bodies)")
        #expect(bodies.first?.contains("is back") == false, "\(bodies)")
    }

    /// The server refuses a wrong token as Gotify does. Changes of the rules are not sent.
    @Test func gotifyIsANativeReceiver() async throws {
        let server = try await ReceiverServer()
        let names = ["good", "bad"]
        let receivers = names.map { name in
            """
            [[receiver]]
            name = "\(name)"
            type = "gotify"
            url = "\(server.url("gotify"))"
            credential = "\(name)"

            """
        }.joined()
        let stage = try await Stage(
            rules: receivers + Self.rule,
            environment: try folder.credentials(["good": "AbcDEF.123", "bad": "Cwrong"]), interval: "2s")
        let limit = try await stage.ctl("limit", "btcinr", "--max", "300")
        #expect(limit.code == 0, "\(limit)")
        try await stage.exchange.price("btcinr", "350")
        // A busy machine may be late with its polls, which is reported as well.
        func alerts() -> [String] {
            server.requests("gotify").filter { $0["answer"] as? Int == 200 }.compactMap { $0["body"] as? String }
                .filter { $0.contains("BTC") }
        }
        _ = try await until("good", stage) { _ in !alerts().isEmpty }
        let refused = try await until("bad", stage) { $0["state"] as? String == "stopped" }
        #expect((refused["message"] as? String)?.contains("(status 401): you need to provide") == true, "\(refused)")
        let accepted = server.requests("gotify").filter { $0["answer"] as? Int == 200 }
        #expect(accepted.allSatisfy { $0["path"] as? String == "/gotify/message" })
        #expect(accepted.allSatisfy { ($0["body"] as? String)?.contains("Rules changed") == false }, "\(accepted)")
        let body = try #require(alerts().first)
        #expect(body.contains(#""title":"BTC/INR: maximum"#) && body.contains(#""priority":8"#), "\(body)")
        let test = try await stage.ctl("receivers", "test", "bad")
        #expect(test.code == 1 && !(test.output + test.errors).contains("Cwrong"), "\(test)")
    }

    @Test(.enabled(if: ReceiverServer.python != nil)) func mailIsTriedAgain() async throws {
        let server = try await ReceiverServer(["smtp": ["451 later", "250 OK"]])
        let port = try #require(server.mailPort)
        let receiver = """
            [[receiver]]
            name = "mail"
            type = "email"
            url = "smtp://127.0.0.1:\(port)"
            from = "alertd@example.org"
            to = ["me@example.org", "you@example.org"]
            kinds = ["fired"]

            """
        let stage = try await Stage(rules: receiver + Self.rule)
        try await stage.exchange.price("btcinr", "250")
        _ = try await until("mail", stage) { $0["delivered"] as? Int == 1 }
        let mails = server.requests("smtp")
        try #require(mails.count == 2)
        let bodies = mails.compactMap { $0["body"] as? String }
        #expect(bodies.allSatisfy { $0.contains("\r\nAuto-Submitted: auto-generated\r\n") })
        let ids = bodies.compactMap { $0.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: ") } }
        #expect(ids.count == 2 && ids[0] == ids[1])
        #expect(mails[0]["to"] as? [String] == ["me@example.org", "you@example.org"])
    }
}
