import Foundation
import TestSupport
import Testing

/// Webhooks with templates, to a real server.
@Suite("Webhooks with templates, end to end", .timeLimit(.minutes(60)))
struct WebhookTests {
    private static let rule = "[[rule]]\nname = \"the \\\"band\\\"\"\nsymbol = \"btcinr\"\nmax = 200\n"

    private let folder = TestFolder()

    /// Waits until a receiver has delivered or refused a number of notifications.
    private func until(_ name: String, _ stage: Stage, _ key: String, _ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(600)
        while true {
            let receivers = try await stage.json("receivers")["receivers"] as? [[String: Any]] ?? []
            let state = try #require(receivers.first { $0["name"] as? String == name })
            if state[key] as? Int == count { return }
            guard ContinuousClock.now < deadline else { throw TimedOut(description: "\(name): \(state)") }
            try await stage.polls(1)
        }
    }

    @Test func eachServiceGetsItsOwnRequest() async throws {
        let server = try await ReceiverServer(["chat": [204, 202], "full": [418]])
        let receivers = """
            [[receiver]]
            name = "chat"
            type = "webhook"
            url_credential = "chat-address"
            credential = "chat-token"
            credential_header = "X-Api-Key"
            ok = [202]
            kinds = ["fired"]
            headers = { X-Rule = "{{ rule }}" }
            body = '''
            { "text": "{{ title }}\\n{{ text }}", "rule": {{ rule }}, "price": {{ price }} }'''

            [[receiver]]
            name = "sms"
            type = "webhook"
            url = "\(server.url("sms"))"
            method = "GET"
            content_type = "application/x-www-form-urlencoded"
            kinds = ["fired"]
            body = "to=1&text={{ rule }}"

            [[receiver]]
            name = "put"
            type = "webhook"
            url = "\(server.url("put"))"
            method = "PUT"
            content_type = "text/plain"
            kinds = ["fired"]
            body = "{{#events}}{{ symbol }} {{ price }}{{/events}}"

            [[receiver]]
            name = "full"
            type = "webhook"
            url = "\(server.url("full"))"
            refused = 418
            kinds = ["fired"]
            body = "[]"

            """
        let secrets = ["chat-address": server.url("chat"), "chat-token": "abcdef123"]
        let stage = try await Stage(
            rules: receivers + Self.rule, environment: try folder.credentials(secrets), interval: "2s")
        try await stage.exchange.price("btcinr", "250")
        // The first answer is a success elsewhere, but not here.
        try await until("chat", stage, "delivered", 1)
        let chat = server.requests("chat")
        #expect(chat.count == 2)
        let headers = try #require(chat.last?["headers"] as? [String: String])
        #expect(headers["x-api-key"] == "abcdef123" && headers["x-rule"] == "the \"band\"")
        #expect(headers["content-type"] == "application/json" && headers["authorization"] == nil)
        let body = try #require(chat.last?["body"] as? String)
        let value = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        #expect(value?["rule"] as? String == "the \"band\"" && value?["price"] as? Int == 250, "\(body)")
        try await until("sms", stage, "delivered", 1)
        let sms = try #require(server.requests("sms").first)
        #expect(sms["method"] as? String == "GET" && sms["path"] as? String == "/sms?to=1&text=the%20%22band%22")
        #expect(sms["body"] as? String == "")
        try await until("put", stage, "delivered", 1)
        let put = try #require(server.requests("put").first)
        #expect(put["method"] as? String == "PUT" && put["body"] as? String == "btcinr 250", "\(put)")
        try await until("full", stage, "refused", 1)
        try await checkPreview(stage)
    }

    /// Without the daemon's help, and without its secrets.
    private func checkPreview(_ stage: Stage) async throws {
        let preview = try await stage.ctl("receivers", "preview", "chat")
        #expect(preview.output.hasPrefix("POST [credential chat-address]\n"), "\(preview)")
        #expect(preview.output.contains("X-Api-Key: [credential chat-token]\n"))
        #expect(preview.output.contains(#"{ "text": "BTC/INR: maximum ₹75,00,000.00 reached\n"#), "\(preview)")
        let group = try await stage.json("receivers", "preview", "put", "--kind", "group")
        let requests = try #require(group["requests"] as? [[String: Any]])
        #expect(requests.first?["method"] as? String == "PUT")
        #expect(requests.first?["body"] as? String == "btcinr 7500100.0 btcinr 7456583.0", "\(requests)")
        let seen = try await stage.ctl("receivers").output + stage.daemon.errors.text
        #expect(!seen.contains("abcdef123"))
    }

    /// From the command line to the first test, and back. Its daemon is not the system service, so it has its
    /// credentials already.
    @Test func receiversComeAndGo() async throws {
        let server = try await ReceiverServer(["teams": [202]])
        let stage = try await Stage(
            rules: Self.rule,
            environment: try folder.credentials(["receiver-chat": server.url("teams")]), interval: "2s")
        let hook = try await stage.ctl("receivers", "add", "webhook", "hook", "--set", "url=\(server.url("hook"))")
        #expect(hook.code == 0 && hook.output.contains("delivered"), "\(hook)")
        #expect(server.requests("hook").count == 1)
        let file = "\(stage.folder.path)/conf.d/receiver-hook.toml"
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\nname = \"hook\"\n"))
        let chat = try await stage.ctl("receivers", "add", "teams", "chat")
        #expect(chat.code == 0 && chat.output.contains("delivered"), "\(chat)")
        let card = try #require(server.requests("teams").first?["body"] as? String)
        #expect(card.contains("AdaptiveCard") && card.contains("Test notification"), "\(card)")
        let names = try await stage.json("receivers")["receivers"] as? [[String: Any]] ?? []
        #expect(Set(names.compactMap { $0["name"] as? String }) == ["hook", "chat"])
        // The test fails, but the receiver stays.
        let wrong = try await stage.ctl("receivers", "add", "webhook", "gone", "--set", "url=http://127.0.0.1:1/")
        #expect(wrong.code == 1 && wrong.output.contains("failed"), "\(wrong)")
        for name in ["hook", "chat", "gone"] {
            let removed = try await stage.ctl("receivers", "remove", name)
            #expect(removed.code == 0 && removed.output.contains("Removed"), "\(removed)")
        }
        let rest = try await stage.json("receivers")["receivers"] as? [[String: Any]]
        #expect(rest?.isEmpty == true, "\(rest ?? [])")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func checkSaysWhereItIsNotJSON() async throws {
        let stage = try await Stage(
            rules: """
                [[receiver]]
                name = "hook"
                type = "webhook"
                url = "http://127.0.0.1:9/"
                body = '''
                { "check": {{#check}}1{{/check}} }'''

                """ + Self.rule)
        let check = try await stage.ctl("check", "--no-market")
        #expect(check.code == 9 && check.output.contains("`body` is not JSON for an event fired"), "\(check)")
        #expect(check.output.contains("{ \"check\": {{#check}}1{{/check}} }"), "\(check)")
    }
}
