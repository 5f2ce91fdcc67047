import Foundation
import Testing

private func rule(_ name: String, of source: String, max: Int = 110) -> String {
    "[[rule]]\nname = \"\(name)\"\nsymbol = \"\(source):btcinr\"\nmax = \(max)\n"
}

@Suite("Sources, end to end", .timeLimit(.minutes(10)))
struct SourceTests {
    /// Exchanges like WazirX.
    private func start(_ names: [String], _ rules: String) async throws -> Exchanges {
        try await Exchanges(names.map { ($0, "wazirx") }, rules)
    }

    @Test func eachSourceHasItsOwnPricesAlertsAndFailures() async throws {
        let names = ["one", "two", "three", "four"]
        let markets = try await start(names, names.map { rule("\($0) high", of: $0) }.joined())
        try await markets.price("two", "btcinr", "120")
        let fired = try await markets.event("fired", of: "two")
        #expect(fired["rule"] as? String == "two high" && fired["price"] as? String == "120", "\(fired)")
        #expect((fired["text"] as? String)?.hasPrefix("two: ") ?? false, "\(fired)")
        try await markets.behave("one", as: "hang")
        try await markets.behave("three", as: "html")
        try await markets.behave("four", as: "banned")
        try await markets.event("feed_stale", of: "one")
        try await markets.event("feed_stale", of: "three")
        try await markets.event("feed_stale", of: "four")
        try await markets.price("two", "btcinr", "100")
        try await markets.event("resolved", of: "two")
        let sources = try await markets.sources { all in
            [0, 2, 3].allSatisfy { all[$0]["stale"] as? Bool == true } && all[3]["not_before"] is String
        }
        #expect(sources[2]["state"] as? String != "ok" && sources[3]["state"] as? String == "banned", "\(sources)")
        #expect(sources.map { $0["source"] as? String } == names)
        #expect(sources.map { $0["rules"] as? Int } == [1, 1, 1, 1])
        #expect(sources[1]["failures"] as? Int == 0, "\(sources)")
        try await markets.all["one"]?.command(["do": "normal"])
        try await markets.all["three"]?.command(["do": "normal"])
        let all = try await markets.events()
        #expect(all.compactMap { $0["number"] as? Int } == Array(1...all.count))
        #expect(!all.contains { $0["kind"] as? String == "fired" && $0["source"] as? String != "two" })
    }

    @Test func aReloadAddsAndRemovesSources() async throws {
        let (one, two) = (rule("one high", of: "one"), rule("two high", of: "two"))
        let markets = try await start(["one", "two"], one + two)
        try await markets.price("one", "btcinr", "120")
        try await markets.price("two", "btcinr", "120")
        try await markets.event("fired", of: "one")
        try await markets.event("fired", of: "two")
        let removed = try await markets.reload(["one"], one)
        #expect(removed["removed"] as? [String] == ["two high"], "\(removed)")
        let resolved = try await markets.event("resolved", of: "two")
        #expect(resolved["reason"] as? String == "rule_removed", "\(resolved)")
        try await markets.event("rules_changed", of: nil)
        let sources = try #require(try await markets.json("status")["sources"] as? [[String: Any]])
        #expect(sources.map { $0["source"] as? String } == ["one"])
        let added = try await markets.reload(["one", "two"], one + two)
        #expect(added["added"] as? [String] == ["two high"] && added["kept"] as? [String] == ["one high"], "\(added)")
        let again = try await markets.event("fired", of: "two", count: 2)
        #expect(again["reason"] as? String == "already_breached", "\(again)")
        // The alert of the other source noticed nothing of all this.
        let kinds = try await markets.events().filter { $0["rule"] as? String == "one high" }
        #expect(kinds.map { $0["kind"] as? String } == ["fired"])
    }

    /// A source that gets another address keeps its rules with their states.
    @Test func aReloadChangesASource() async throws {
        let rules = rule("one high", of: "one") + rule("two high", of: "two")
        let markets = try await start(["one", "two"], rules)
        try await markets.price("one", "btcinr", "120")
        try await markets.price("two", "btcinr", "120")
        try await markets.event("fired", of: "one")
        try await markets.event("fired", of: "two")
        try await markets.price("one", "btcinr", "125")
        let changed = try await markets.reload(["one", "two"], rules, others: ["two": "one"])
        #expect(changed["kept"] as? [String] == ["one high", "two high"], "\(changed)")
        while try await markets.json("show", "two:btcinr")["symbol"].map({ "\($0)".contains("125") }) != true {}
        try await markets.price("one", "btcinr", "100")
        try await markets.event("resolved", of: "one")
        try await markets.event("resolved", of: "two")
        let stories = try await markets.events().filter { $0["rule"] != nil && !($0["rule"] is NSNull) }
        #expect(stories.count == 4, "\(stories)")
    }

    /// A rule that moves to another source is a changed rule.
    @Test func aRuleMovesToAnotherSource() async throws {
        let markets = try await start(["one", "two"], rule("high", of: "one"))
        try await markets.price("one", "btcinr", "120")
        try await markets.event("fired", of: "one")
        let moved = try await markets.reload(["one", "two"], rule("high", of: "two"))
        #expect(moved["changed"] as? [String] == ["high"], "\(moved)")
        let resolved = try await markets.event("resolved", of: "one")
        #expect(resolved["reason"] as? String == "rule_changed", "\(resolved)")
        try await markets.price("two", "btcinr", "130")
        let fired = try await markets.event("fired", of: "two")
        #expect(fired["price"] as? String == "130", "\(fired)")
    }

    @Test func commandsTakeASource() async throws {
        let markets = try await start(["one", "two"], rule("high", of: "two"))
        try await markets.price("two", "btcinr", "120")
        try await markets.event("fired", of: "two")
        func last(_ words: String...) async throws -> String? {
            let shown = try await markets.ctl(words: ["show"] + words + ["--json"])
            let value = try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any]
            let symbol = value?["symbol"] as? [String: Any]
            return (symbol?["source"] as? String).map { "\($0) \(symbol?["last"] ?? "")" }
        }
        #expect(try await last("two:btcinr") == "two 120")
        #expect(try await last("btcinr", "--source", "two") == "two 120")
        #expect(try await last("btcinr") == "one 100", "the first one that has it")
        let prices = try await markets.json("history", "two:btcinr", "--last", "1", "--step", "none")
        #expect((prices["prices"] as? [[String: Any]])?.first?["price"] as? String == "120", "\(prices)")
        let chart = try await markets.json("chart", "btcinr", "--source", "two")
        #expect("\(chart)".contains("120"), "\(chart)")
        let refused = try await markets.ctl("poll")
        #expect(refused.code != 0 && refused.errors.contains("--source: one, two"), "\(refused)")
        // The intervals of these sources are as short as they may be.
        let polled = try await markets.ctl("poll", "--source", "two")
        #expect(polled.code == 0 || polled.errors.contains("a moment ago"), "\(polled)")
        let mixed = try await markets.ctl("show", "one:btcinr", "--source", "two")
        #expect(mixed.code == 2 && mixed.errors.contains("two sources are given"), "\(mixed)")
        let unknown = try await markets.ctl("show", "tow:btcinr")
        #expect(unknown.errors.contains("two"), "\(unknown)")
        let silence = try await markets.json("silence", "add", "two:btc*", "--for", "1h")
        #expect(silence["source"] as? String == "two" && silence["symbol"] as? String == "btc*", "\(silence)")
        let words = try await markets.complete("show", "")
        #expect(words.output.contains("one:btcinr") && words.output.contains("two:btcinr"), "\(words)")
        let check = try await markets.ctl("check", "\(markets.folder.path)/alertd.toml")
        #expect(check.errors.isEmpty, "\(check)")
    }

    /// An export names its source, and is imported for it.
    @Test func pricesMoveBetweenSources() async throws {
        let markets = try await start(["one", "two"], "")
        try await markets.price("two", "btcinr", "120")
        _ = try await markets.sources { $0[1]["polls"] as? Int ?? 0 > 2 }
        let refused = try await markets.ctl("export")
        #expect(refused.code != 0 && refused.errors.contains("--source: one, two"), "\(refused)")
        let file = "\(markets.folder.path)/two.jsonl"
        let exported = try await markets.ctl("export", "--symbol", "two:btcinr", "--output", file)
        #expect(exported.code == 0, "\(exported)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("\"source\":\"two\"") && text.contains("120"), "\(text)")
        let same = try await markets.json("import", file)
        #expect(same["added"] as? Int == 0 && (same["duplicates"] as? Int ?? 0) > 0, "\(same)")
        let other = try await markets.json("import", "--source", "one", file)
        #expect((other["added"] as? Int ?? 0) > 0, "\(other)")
    }

    /// Kills lose nothing of either source, and repeat nothing.
    @Test func killsLeaveNoHoles() async throws {
        let names = ["one", "two", "three"]
        let markets = try await start(names, names.map { rule("\($0) high", of: $0) }.joined())
        for round in 0..<9 {
            let name = names[round % 3]
            let kind = round / 3 % 2 == 0 ? "fired" : "resolved"
            try await markets.price(name, "btcinr", kind == "fired" ? "12\(round)" : "9\(round)")
            try await markets.event(kind, of: name, count: round / 6 + 1)
            usleep(UInt32(round % 4) * 700)
            try await markets.kill()
            try await markets.start()
        }
        let all = try await markets.events()
        #expect(all.compactMap { $0["number"] as? Int } == Array(1...all.count))
        for name in names {
            let kinds = all.filter { $0["source"] as? String == name && $0["rule"] != nil }
                .compactMap { $0["kind"] as? String }.filter { ["fired", "resolved"].contains($0) }
            #expect(kinds == ["fired", "resolved", "fired"], "\(name)")
        }
    }
}
