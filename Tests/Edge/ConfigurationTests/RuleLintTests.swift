import Configuration
import Diagnostics
import Engine
import Market
import Rules
import Testing
import Time

@Suite("Likely mistakes in rules")
struct RuleLintTests {
    private static let now = WallTime(milliseconds: 1_800_000_000_000)

    private static func price(_ text: String) throws -> Price { try Price(text) }

    /// Bitcoin at 100.5 (prices from 80.0 to 120.0), ether frozen, a coin in USDT, one that nobody can convert.
    private static func market() throws -> MarketFacts {
        let symbol = { (text: String) in try #require(Symbol(text)) }
        let inr = Currency("INR")
        var bitcoin = MarketFacts.SymbolFacts(
            quote: inr, last: try price("100.5"), bid: try price("99"), ask: try price("102"), decimals: 1,
            lowest: try price("80"), highest: try price("120"))
        bitcoin.daysWithoutPrice = Set([CivilDate("2020-01-01")].compactMap(\.self))
        return MarketFacts(symbols: [
            try symbol("btcinr"): bitcoin,
            try symbol("ethinr"): MarketFacts.SymbolFacts(quote: inr, last: try price("50"), isFrozen: true),
            try symbol("btcusdt"): MarketFacts.SymbolFacts(quote: Currency("USDT"), last: try price("2"), decimals: 4),
        ]) { amount, from, to in
            from.description == "INR" && to.description == "SEK"
                ? try? Price("0.1").multiplied(by: amount)?.reduced : nil
        }
    }

    @Test func aSourceHasALimitedNumberOfAlerts() throws {
        let market = Set(try (0..<10_000).map { try #require(Symbol("s\($0)inr")) })
        let rules = { (count: Int) in
            (0..<count).map { "[[rule]]\nname = \"r\($0)\"\nsymbol = [\"*inr\", \"s1inr\"]\nmax = 1\n" }.joined()
        }
        let good = try load(rules(10))
        #expect(RuleLint(good.settings.rules, good.ruleSources).excess(on: market, sourceCount: 1) == nil)
        let bad = try load(rules(11))
        let finding = try #require(RuleLint(bad.settings.rules, bad.ruleSources).excess(on: market, sourceCount: 1))
        #expect(Self.line(finding) == "43:10 with 'r10' on 10000 symbols, its source has more than 100000 alerts")
        let shared = try #require(RuleLint(good.settings.rules, good.ruleSources).excess(on: market, sourceCount: 2))
        #expect(Self.line(shared) == "23:10 with 'r5' on 10000 symbols, its source has more than 50000 alerts")
    }

    @Test func symbolsThatRulesNameHaveALimitedNumberOfAlerts() throws {
        let symbols = (0..<1_000).map { "\"s\($0)inr\"" }.joined(separator: ", ")
        let rules = { (count: Int) in
            (0..<count).map { "[[rule]]\nname = \"r\($0)\"\nsymbol = [\(symbols)]\nmin = 1\nmax = 2\n" }.joined()
        }
        _ = try load(rules(50))
        #expect(throws: SettingsError.self) { _ = try load(rules(51)) }
        // Two sources share the limit.
        let sources = "[[source]]\ntype = \"wazirx\"\n[[source]]\ntype = \"kraken\"\n"
        let two = try load(sources + rules(25))
        #expect(two.settings.sources.map { EngineSettings(two.settings, $0).alertLimit } == [50_000, 50_000])
        #expect(throws: SettingsError.self) { _ = try load(sources + rules(26)) }
    }

    /// What is found in a rule on `btcinr`, or on the symbol that it names itself.
    private func market(_ rule: String) throws -> [String] {
        let symbol = rule.contains("symbol") ? "" : "symbol = \"btcinr\"\n"
        let loaded = try load("[[rule]]\n\(symbol)\(rule)\n")
        return RuleLint(loaded.settings.rules, loaded.ruleSources).findings(in: try Self.market()).map(Self.line)
    }

    private static func line(_ finding: Finding) -> String {
        "\(finding.position.map { "\($0.line):\($0.column)" } ?? "-") \(finding.message)"
    }

    @Test(
        arguments: [
            ("max = 110", []),
            ("max = \"+10%\"\nfrom = \"price\"", []), ("max = \"+10%\"\nfrom = 2026-11-01", []),
            (
                "max = \"+10%\"\nfrom = 2020-01-01",
                ["4:8 no recorded price of btcinr is from before 2020-01-01"]
            ),
            ("max = \"+10%\"\nfrom = 2026-11-01\ncurrency = \"SEK\"", []),
            ("max = \"+0.1%\"\nfrom = \"100\"", ["3:7 `max` is already reached on btcinr: btcinr is at ₹100.50"]),
            ("max = 100.5", ["3:7 `max` is already reached on btcinr: btcinr is at ₹100.50"]),
            ("min = 101", ["3:7 `min` is already reached on btcinr: btcinr is at ₹100.50"]),
            ("min = 101\nprice = \"ask\"", []),
            ("max = 100\nprice = \"mid\"", ["3:7 `max` is already reached on btcinr: btcinr is at ₹100.50"]),
            ("max = 599", []), ("min = 16.1", []),
            ("max = 600", ["3:7 `max` is far from every recorded price of btcinr: ₹80.00 to ₹120.00"]),
            ("min = 16", ["3:7 `min` is far from every recorded price of btcinr: ₹80.00 to ₹120.00"]),
            ("cross = 10", ["3:9 `cross` is far from every recorded price of btcinr: ₹80.00 to ₹120.00"]),
            (
                "within = [\"1000\", \"1100\"]",
                ["3:10 `within` is far from every recorded price of btcinr: ₹80.00 to ₹120.00"]
            ),
            ("max = 110.25", ["3:7 `max` has more digits than prices of btcinr, which have 1 digit after the point"]),
            ("max = 110.50", []),
            (
                "max = 110\nhysteresis = 0.05",
                [
                    "4:14 `hysteresis` has more digits than prices of btcinr, which have 1 digit after the point"
                ]
            ),
            (
                "rise = \"0.25\"\nwindow = \"5m\"",
                [
                    "3:8 `rise` has more digits than prices of btcinr, which have 1 digit after the point"
                ]
            ),
            ("symbol = \"btcinrr\"\nmax = 1", ["2:10 the source lists no symbol \"btcinrr\""]),
            ("symbol = [\"btcinr\", \"*wrx\"]\nmax = 110", ["2:10 \"*wrx\" matches no symbol of the source"]),
            ("symbol = \"ethinr\"\nmax = 1", ["2:10 ethinr: frozen (no trades and no price changes)"]),
            ("symbol = \"eth*\"\nmax = 1", []),
            (
                "symbol = \"btc*\"\nmax = 1.5",
                ["3:7 `max` is already reached on btcinr and 1 other: btcinr is at ₹100.50"]
            ),
            ("symbol = \"btc*\"\nmax = 500.25", []),
            ("max = 11\ncurrency = \"SEK\"", []),
            ("max = 10\ncurrency = \"SEK\"", ["3:7 `max` is already reached on btcinr: btcinr is at 10,05\u{A0}kr"]),
            (
                "max = 700\ncurrency = \"SEK\"",
                ["3:7 `max` is far from every recorded price of btcinr: 8,00\u{A0}kr to 12,00\u{A0}kr"]
            ),
            ("max = 10\ncurrency = \"NOK\"", ["4:12 no conversion path INR → NOK for btcinr"]),
        ] as [(String, [String])])
    func aRuleIsHeldAgainstTheMarket(_ rule: String, _ expected: [String]) throws {
        #expect(try market(rule) == expected)
    }

    /// Like `alertctl show`, it takes an asset for its market.
    @Test(arguments: ["btcinrr", "btc"])
    func theNearestSymbolIsNamed(name: String) throws {
        let loaded = try load("[[rule]]\nsymbol = \"\(name)\"\nmax = 1\n")
        let findings = RuleLint(loaded.settings.rules, loaded.ruleSources).findings(in: try Self.market())
        #expect(findings.map(\.advice) == ["did you mean \"btcinr\"?"])
        #expect(findings.map(\.sourceLine) == ["symbol = \"\(name)\""])
        #expect(findings.allSatisfy { $0.severity == .warning })
    }

    @Test func aReloadSaysOnlyWhatKeepsARuleFromItsWork() throws {
        let text = "[[rule]]\nsymbol = [\"btcinr\", \"nothing\"]\nmax = 1\ncurrency = \"NOK\"\n"
        let loaded = try load(text)
        let found = RuleLint(loaded.settings.rules, loaded.ruleSources).blockers(in: try Self.market())
        #expect(
            found.map(Self.line).map { $0.prefix(28) } == [
                "2:10 the source lists no sym", "4:12 no conversion path INR ",
            ])
    }

    @Test(
        arguments: [
            ("max = 1\nexpires = 2020-01-01T00:00:00Z", ["4:11 `expires` is in the past: the rule is never evaluated"]),
            ("max = 1\nexpires = 2027-01-15T08:00:00Z", ["4:11 `expires` is in the past: the rule is never evaluated"]),
            ("max = 1\nexpires = 2027-01-15T08:00:00.001Z", []),
            ("max = 1\nexpires = 2099-01-01T00:00:00Z", []),
            (
                "max = \"+1%\"\nfrom = 2027-01-16",
                ["4:8 `from` is in the future: the alert waits until 2027-01-16"]
            ),
            ("max = \"+1%\"\nfrom = 2027-01-15", []),
            (
                "max = 1\nrepeat = \"10s\"",
                ["4:10 `repeat` is 10s, shorter than the interval of 30s: every poll notifies again"]
            ),
            // Once in each interval is no mistake.
            ("max = 1\nrepeat = \"30s\"", []),
            (
                "rise = \"5%\"\nwindow = \"5m\"\nfor = \"5m\"",
                [
                    "5:7 `for` is 5m, not shorter than the window of 5m: by then the price that the move "
                        + "started from has left the window"
                ]
            ),
            ("rise = \"5%\"\nwindow = \"5m\"\nfor = \"4m\"", []),
            ("symbol = [\"btcinr\", \"btc*\"]\nmax = 1", ["2:10 btcinr is also matched by \"btc*\""]),
            ("symbol = [\"btcinr\", \"btcinr\"]\nmax = 1", ["2:10 btcinr is also matched by \"btcinr\""]),
            ("symbol = [\"btcinr\", \"eth*\"]\nmax = 1", []),
        ] as [(String, [String])])
    func someThingsMakeNoSenseInAnyMarket(_ rule: String, _ expected: [String]) throws {
        let symbol = rule.contains("symbol") ? "" : "symbol = \"btcinr\"\n"
        let loaded = try load("[[rule]]\n\(symbol)\(rule)\n")
        let lint = RuleLint(loaded.settings.rules, loaded.ruleSources)
        #expect(lint.findings(interval: { _ in .seconds(30) }, now: Self.now).map(Self.line) == expected)
    }

    @Test func rulesThatMeanTheSameAreFound() throws {
        let loaded = try load(
            "[[rule]]\nname = \"a\"\nsymbol = \"btcinr\"\nmax = 7.0\n"
                + "[[rule]]\nname = \"b\"\nsymbol = \"btcinr\"\nmax = \"7\"\nseverity = \"info\"\n"
                + "[[rule]]\nname = \"c\"\nsymbol = \"btcinr\"\nmax = 8\n")
        let found = RuleLint(loaded.settings.rules, loaded.ruleSources).findings(
            interval: { _ in .seconds(30) }, now: Self.now)
        #expect(found.map(Self.line) == ["5:1 'b' is equivalent to 'a' at alertd.toml:1"])
    }

    @Test func aRuleThatCanNeverNotifyIsFound() throws {
        let loaded = try load(
            "[[rule]]\nname = \"a\"\nsymbol = [\"btc*\", \"ethinr\"]\nmax = 7\n"
                + "[[rule]]\nname = \"b\"\nsymbol = [\"btcinr\", \"solinr\", \"xrpinr\"]\nmax = 8\nonly_while = \"a\"\n"
                + "[[rule]]\nname = \"c\"\nsymbol = \"*\"\nmax = 7\nonly_while = \"a\"\n"
                + "[[rule]]\nname = \"d\"\nsymbol = \"*\"\nmax = 7\n")
        let found = RuleLint(loaded.settings.rules, loaded.ruleSources).findings(
            interval: { _ in .seconds(30) }, now: Self.now)
        #expect(
            found.map(Self.line) == [
                "9:14 'a' does not watch solinr and 1 more, so this rule never notifies about that"
            ])
    }

    @Test func filesAreCheckedTogetherOrNot() {
        let rule = { (name: String) in "[[rule]]\nname = \"\(name)\"\nsymbol = \"btcinr\"\nmax = 1\n" }
        let loader = SettingsLoader(
            files: MemoryFiles([
                "/a/alertd.toml": rule("x"), "/a/rules.d/1.toml": rule("y"), "/b/rules.d/1.toml": rule("x"),
                "/b/rules.d/2.toml": rule("x"), "/c/rules.d/1.toml": "[feed]\n" + rule("z"),
            ]))
        let names = { (paths: [String]) in
            loader.check(paths).map { $0.loaded?.settings.rules.map(\.name) ?? ["error"] }
        }
        #expect(names(["/a/alertd.toml"]) == [["x", "y"]])
        #expect(names(["/a/rules.d/1.toml"]) == [["y"]])
        #expect(names(["/a/rules.d/1.toml", "/a/alertd.toml"]) == [["x", "y"]])
        #expect(names(["/a/rules.d/1.toml", "/b/rules.d/1.toml"]) == [["y", "x"]])
        #expect(names(["/b/rules.d/1.toml", "/b/rules.d/2.toml"]) == [["error"]])
        #expect(names(["/a/alertd.toml", "/b/rules.d/1.toml"]) == [["x", "y"], ["x"]])
        #expect(names(["/c/rules.d/1.toml"]) == [["error"]])
    }
}
