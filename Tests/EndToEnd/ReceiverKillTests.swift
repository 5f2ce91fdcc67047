import Foundation
import TestSupport
import Testing

/// Receivers of five types over real HTTP and SMTP, while the daemon is killed.
@Suite("Receivers and kills, end to end", .timeLimit(.minutes(60)))
struct ReceiverKillTests {
    private static let types = ["webhook", "email", "matrix", "ntfy", "alertmanager"]
    /// How often the daemon is killed.
    private static let kills = LongRun.count(300, otherwise: 10)

    private let folder = TestFolder()

    private static func settings(_ server: ReceiverServer, mailPort: Int) -> String {
        let keys = [
            "webhook": "url = \"\(server.url("webhook"))\"",
            "email": "url = \"smtp://127.0.0.1:\(mailPort)\"\nfrom = \"alertd@example.org\"\nto = [\"me@example.org\"]",
            "matrix": "url = \"\(server.url("matrix"))\"\nroom = \"!a:example.org\"\ncredential = \"token\"",
            "ntfy": "url = \"\(server.url("ntfy"))/topic\"",
            "alertmanager": "url = \"\(server.url("alertmanager"))\"",
        ]
        let receivers = types.map { type in
            """
            [[receiver]]
            name = "\(type)"
            type = "\(type)"
            kinds = ["fired", "resolved"]
            per_minute = 600
            \(keys[type] ?? "")

            """
        }
        return receivers.joined()
            + "[[rule]]\nname = \"band\"\nsymbol = \"coin*\"\nmax = 200\nseverity = \"critical\"\n"
    }

    /// The daemon is killed at random instants while all receivers fail at random: each gets each event at least once,
    /// in order, and with one id.
    @Test(.enabled(if: ReceiverServer.python != nil, "aiosmtpd is not installed"))
    func killsLoseNothing() async throws {
        let scripts = Self.types.map { ($0 == "email" ? "smtp" : $0, ["random"]) }
        let server = try await ReceiverServer(Dictionary(uniqueKeysWithValues: scripts))
        let stage = try await Stage(
            rules: Self.settings(server, mailPort: try #require(server.mailPort)),
            tickers: (0..<8).map { Stage.ticker("coin\($0)inr", "100", quote: "inr") },
            environment: try folder.credentials(["token": "secret"]))
        for round in 1...Self.kills {
            // Each event has a price of its own, and is of another alert than those that wait with it.
            let price = round % 2 == 1 ? "\(300 + round)" : "\(Double(round) / 8)"
            try await stage.exchange.price("coin\((round - 1) / 2 % 8)inr", price)
            try await stage.polls(Int.random(in: 1...4))
            _ = try await run("/usr/bin/env", ["sleep", "0.0\(Int.random(in: 10...99))"])
            stage.daemon.signal(SIGKILL)
            _ = try await stage.daemon.exitCode()
            try await stage.restart()
            // A notification has five alerts and five ends in full, each the last of its alert.
            if round % 8 == 0 { try await drain(stage) }
        }
        try await drain(stage)
        let all = try await stage.json("events", "--limit", "100000")["events"] as? [[String: Any]] ?? []
        let events = all.filter { ["fired", "resolved"].contains($0["kind"] as? String) }
            .sorted { ($0["number"] as? Int ?? 0) < ($1["number"] as? Int ?? 0) }
        #expect(events.count >= 5)
        for type in Self.types { try check(type, server, events) }
        let requests = Self.types.map { "\(server.requests($0 == "email" ? "smtp" : $0).count) by \($0)" }
        print("\(Self.kills) kills, \(events.count) events, requests: \(requests.joined(separator: ", "))")
    }

    /// Waits until no receiver has anything left to send. Half of the attempts fail, and the pauses between them grow.
    private func drain(_ stage: Stage) async throws {
        try await holds("empty queues", limit: .seconds(600)) {
            let receivers = try await stage.json("receivers")["receivers"] as? [[String: Any]] ?? []
            let waiting = receivers.filter { $0["queued"] as? Int != 0 }.compactMap { $0["name"] as? String }
            for name in waiting { _ = try await stage.ctl("receivers", "queue", "retry", name) }
            return waiting.isEmpty && receivers.count == Self.types.count
        }
    }

    private func check(_ type: String, _ server: ReceiverServer, _ events: [[String: Any]]) throws {
        let messages = try Self.messages(type, server)
        // What has the same id has the same content.
        for (id, copies) in Dictionary(grouping: messages.filter { $0.id != nil }, by: \.id) {
            #expect(Set(copies.map(\.text)).count == 1, "\(type): \(id ?? "")")
        }
        var (place, ids): (Int, [String?]) = (0, [])
        for event in events {
            let text = try #require(event["text"] as? String)
            let found = messages.indices.filter { messages[$0].text.contains(text) }
            guard let first = found.first else {
                Issue.record("\(type) never got \(text)")
                continue
            }
            // It comes after all that happened before, and with one id.
            #expect(first >= place, "\(type): \(text) came too early")
            #expect(Set(found.map { messages[$0].id }).count == 1, "\(type): \(text)")
            place = first
            ids.append(messages[first].id)
        }
        let numbers = ids.compactMap(\.self).compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
        #expect(numbers == numbers.sorted(), "\(type)")
        if ["webhook", "email", "matrix"].contains(type) { #expect(ids.allSatisfy { $0 != nil }, "\(type)") }
    }

    /// What a receiver got, in order: the id, if the type has one, and the text.
    private static func messages(_ type: String, _ server: ReceiverServer) throws -> [(id: String?, text: String)] {
        try server.requests(type == "email" ? "smtp" : type).map { request in
            let body = try #require(request["body"] as? String)
            let headers = request["headers"] as? [String: String] ?? [:]
            switch type {
            case "webhook":
                // Only how late an attempt is differs from the others.
                return (headers["webhook-id"], body.replacing(/"late_ms":[0-9]+/, with: ""))
            case "matrix": return ((request["path"] as? String)?.split(separator: "/").last.map(String.init), body)
            case "email": return try mail(body)
            default: return (nil, body)
            }
        }
    }

    /// The id of a mail, turned round to that of its notification, and its text.
    private static func mail(_ content: String) throws -> (id: String?, text: String) {
        let lines = content.split(separator: "\r\n", omittingEmptySubsequences: false)
        let header = lines.first { $0.hasPrefix("Message-ID: <") }?.dropFirst(13)
        let parts = header?.prefix { $0 != "@" }.split(separator: ".") ?? []
        let encoded = lines.drop { !$0.isEmpty }.joined()
        let text = try #require(Data(base64Encoded: encoded).map { String(decoding: $0, as: UTF8.self) })
        return (parts.count == 2 ? "\(parts[1])-\(parts[0])" : nil, text)
    }
}
