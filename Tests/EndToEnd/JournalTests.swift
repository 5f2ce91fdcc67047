import Foundation
import Testing

/// Entries of a real journald, read back with `journalctl`.
@Suite(
    "The journal, end to end", .timeLimit(.minutes(10)),
    .enabled("needs root and private namespaces; with CI=true it runs and fails without them") {
        try await Journald.isPossible()
    })
struct JournalTests {
    static let rules = """
        [[rule]]
        name = "btc band"
        symbol = "btcinr"
        max = "110"
        hysteresis = "2"
        severity = "critical"

        [[rule]]
        name = "eth high"
        symbol = "ethinr"
        max = "40"

        [[rule]]
        name = "dollar"
        symbol = "btcusdt"
        min = "1.5"
        severity = "info"
        """

    /// What an event must look like in the journal: the fields that all events have.
    struct Expected: Equatable {
        var id: String
        var event: String
        var priority: String
        var rule: String?
        var symbol: String?
        var bound: String?
        var price: String?
        var limit: String?
        var reason: String?
    }

    @Test func eachEventIsThereOnceWithItsFields() async throws {
        let stage = try await JournalStage(rules: Self.rules, ownStreams: false, interval: "1s")
        let reader = try stage.reader()
        try await Self.play(on: stage, reader)
        let entries = try await stage.entriesAfterItsEnd()
        let notified = try stage.output()
        let events = entries.filter { $0["ALERTD_KIND"] != nil }
        #expect(events.map(Self.facts) == Self.expected)
        #expect(events.map { $0["ALERTD_NUMBER"] as? String } == (1...Self.expected.count).map(String.init))
        #expect(entries.count == events.count, "messages went to standard error, which is not the journal here")
        let texts = reader.all.compactMap { event -> String? in
            guard let text = event["text"] as? String, let rule = event["rule"] as? String else {
                return event["text"] as? String
            }
            return "\(text) (rule '\(rule)')"
        }
        #expect(texts.count >= Self.expected.count - 1, "the first may be older than the reader")
        #expect(events.compactMap { $0["MESSAGE"] as? String }.suffix(texts.count) == texts[...])
        #expect(notified.count == Self.expected.count, "where standard output is a file the events are there, too")
    }

    @Test func withStreamsInTheJournalNoEventIsThereTwice() async throws {
        let stage = try await JournalStage(rules: Self.rules, ownStreams: true)
        let reader = try stage.reader()
        try await stage.polls()
        try await stage.exchange.price("btcinr", "110")
        _ = try await reader.event("fired") { $0["rule"] as? String == "btc band" }
        let entries = try await stage.entriesAfterItsEnd()
        #expect(entries.allSatisfy { $0["_TRANSPORT"] as? String == "journal" }, "a line on a stream: \(entries)")
        let alerts = entries.filter { ($0["MESSAGE"] as? String)?.contains("is at or above") == true }
        #expect(alerts.map { $0["ALERTD_SYMBOL"] as? String } == ["ethinr", "btcinr"])
        // Start and stop, each once, are structured entries as well.
        for id in ["2361a8b6ed64412d9f998c01165c70c1", "d4a9ccba862b4b72b41f1cf5d1e785c3"] {
            #expect(entries.count { $0["MESSAGE_ID"] as? String == id } == 1)
        }
    }

    @Test func hostileTextIsEscaped() async throws {
        let stage = try await JournalStage(rules: Self.rules, ownStreams: true)
        let reader = try stage.reader()
        let body = #"{"code":9,"message":"no \u001b[31m\nforged: line \#u{9b}2J \#u{202e} end"}"#
        try await stage.exchange.command(["do": "behave", "status": 400, "body": body, "times": 5])
        _ = try await reader.event("stale") { $0["kind"] as? String == "feed_stale" }
        _ = try await reader.event("recovered") { $0["kind"] as? String == "feed_recovered" }
        try stage.write(rules: "[\"\\u001b[31m\\nforged\"]\nx = 1\n")
        try await stage.reload()
        try await stage.polls()
        let entries = try await stage.entriesAfterItsEnd()
        let failed = entries.filter { $0["MESSAGE_ID"] as? String == "cab5c414476647ef9d97950645494b45" }
        #expect(failed.count == 1)
        #expect((failed.first?["MESSAGE"] as? String)?.contains("forged") == true, "\(failed)")
        let reload = entries.filter { $0["MESSAGE_ID"] as? String == "9f3495e1be8740228f9b8ca9d013219e" }
        #expect(reload.count == 1, "a failed reload is reported once: \(entries)")
        let messages = entries.compactMap { $0["MESSAGE"] as? String }
        #expect(messages.count { $0.contains("/alertd.toml:14:2: ") } == 1, "where the error is: \(messages)")
        for entry in entries {
            // A message with a control character is returned as an array of bytes.
            let message = try #require(entry["MESSAGE"] as? String, "\(entry)")
            #expect(message.unicodeScalars.allSatisfy { !Self.isHidden($0) }, "\(message)")
        }
    }

    /// What decides is what journald itself notes of the sender: its unit, process and user.
    @Test func otherUsersCannotForgeEntries() async throws {
        let journald = try await Journald()
        let forged = [
            "MESSAGE=forged", "_SYSTEMD_UNIT=alertd.service", "UNIT=alertd.service", "USER_UNIT=alertd.service",
            "_PID=1", "_UID=\(getuid())", "SYSLOG_IDENTIFIER=alertd", "MESSAGE_ID=905de4d1c9624e7ea3d47c91e82c3708",
            "ALERTD_KIND=fired", "ALERTD_NUMBER=1",
        ]
        let send = { (fields: [String], user: String) in
            _ = try await journald.run("printf '\(fields.joined(separator: "\\n"))\\n' | \(user) logger --journald")
        }
        try await send(forged, "setpriv --reuid=4711 --regid=4711 --clear-groups")
        try await send(["MESSAGE=own", "SYSLOG_IDENTIFIER=alertd"], "")
        let all = try await journald.run("journalctl --sync && journalctl --directory=/run/log/journal -o cat")
        #expect(all.contains("forged") && all.contains("own"))
        for (scope, isOwn) in [("", true), ("--user", true), ("--system", false)] {
            let shown = try await journald.run("\(try builtProgram("alertctl")) log \(scope) --plain 2>&1")
            #expect(!shown.contains { $0.contains("forged") }, "\(scope): \(shown)")
            #expect(shown.contains { $0.contains("own") } == isOwn, "\(scope): \(shown)")
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    private static func facts(_ entry: [String: Any]) -> Expected {
        let field = { (name: String) in entry[name] as? String }
        return Expected(
            id: field("MESSAGE_ID") ?? "", event: field("ALERTD_KIND") ?? "", priority: field("PRIORITY") ?? "",
            rule: field("ALERTD_RULE"), symbol: field("ALERTD_SYMBOL"), bound: field("ALERTD_BOUND"),
            price: field("ALERTD_PRICE"), limit: field("ALERTD_LIMIT"), reason: field("ALERTD_REASON"))
    }
}

extension JournalTests {
    /// Causes one event of each kind, and waits for it before the next.
    private static func play(on stage: JournalStage, _ reader: EventReader) async throws {
        let event = { (number: Int) in
            _ = try await reader.event("number \(number)") { $0["number"] as? Int == number }
        }
        try await stage.polls()
        try await stage.exchange.price("btcinr", "110")
        try await event(2)
        try await stage.exchange.price("btcinr", "108")
        try await event(3)
        try await stage.exchange.price("btcusdt", "1.5")
        try await event(4)
        try await stage.exchange.command(["do": "freeze", "symbol": "ethinr"])
        try await event(5)
        try await stage.exchange.command(["do": "remove", "symbol": "ethinr"])
        try await event(6)
        try await stage.exchange.serve(Stage.tickers)
        try await event(8)
        try await stage.exchange.command(["do": "behave", "as": "server_error", "times": 4])
        try await event(10)
        try stage.write(rules: "[[rul]]\n")
        try await stage.reload()
        try await stage.message("reload failed")
        try stage.write(rules: rules.replacingOccurrences(of: "max = \"40\"", with: "max = \"60\""))
        try await stage.reload()
        try await event(12)
    }

    /// What must be in the journal afterwards, in order.
    private static let expected = [
        fired("4", "eth high", "ethinr", "max", "50", "40", reason: "already_breached"),
        fired("2", "btc band", "btcinr", "max", "110", "110"),
        resolved("btc band", "btcinr", "max", "108", "110"),
        fired("6", "dollar", "btcusdt", "min", "1.5", "1.5"),
        symbol("47c29e49be39412183ed578bcd491eb6", "symbol_frozen", "4"),
        symbol("206d7f069be0463d9ce7bb1e970a9592", "symbol_missing", "4"),
        symbol("1f109557247c4010b0c6b556a72be3fa", "symbol_returned", "5"),
        resolved("dollar", "btcusdt", "min", "2", "1.5"),
        Expected(id: "58700d81e6bc4fab8af66f50f1c12186", event: "feed_stale", priority: "4"),
        Expected(id: "f49ddf649c194d83a11846f6fc6798a1", event: "feed_recovered", priority: "5"),
        resolved("eth high", "ethinr", "max", "50", "40", reason: "rule_changed"),
        Expected(id: "23fc4ca044d6460a91471810b5a41495", event: "rules_changed", priority: "5"),
    ]

    private static func fired(
        _ priority: String, _ rule: String, _ symbol: String, _ bound: String, _ price: String, _ limit: String,
        reason: String? = nil
    ) -> Expected {
        Expected(
            id: "905de4d1c9624e7ea3d47c91e82c3708", event: "fired", priority: priority, rule: rule, symbol: symbol,
            bound: bound, price: price, limit: limit, reason: reason)
    }

    private static func resolved(
        _ rule: String, _ symbol: String, _ bound: String, _ price: String, _ limit: String, reason: String? = nil
    ) -> Expected {
        Expected(
            id: "93899191115d40e59205beffbe75b2ba", event: "resolved", priority: "5", rule: rule, symbol: symbol,
            bound: bound, price: price, limit: limit, reason: reason)
    }

    private static func symbol(_ id: String, _ event: String, _ priority: String) -> Expected {
        Expected(id: id, event: event, priority: priority, symbol: "ethinr")
    }
}
