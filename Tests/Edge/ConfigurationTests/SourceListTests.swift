import Configuration
import Diagnostics
import Market
import PriceSources
import Rules
import Testing
import Time

@Suite struct SourceListTests {
    private static let three = """
        [[source]]
        type = "wazirx"

        [[source]]
        type = "kraken"
        interval = "20s"
        symbols = "btc*"

        [[source]]
        name = "second"
        type = "kraken"
        interval = "1m"

        """

    private func loaded(_ rules: String) throws -> Settings { try load(Self.three + rules).settings }

    private func findings(_ text: String) -> String { rendered(Array(text.utf8)) }

    @Test func eachTableIsASource() throws {
        let settings = try loaded("")
        #expect(settings.sources.map(\.name.description) == ["wazirx", "kraken", "second"])
        #expect(settings.sources.map(\.source) == [.wazirx, .kraken, .kraken])
        #expect(settings.sources.map(\.interval) == [.seconds(30), .seconds(20), .seconds(60)])
        #expect(settings.sources.map(\.symbols.count) == [0, 1, 0])
        #expect(settings.feed.name.description == "wazirx")
    }

    @Test func feedIsASourceNamedAfterItsType() throws {
        let settings = try load("[feed]\nsource = \"binance\"").settings
        #expect(settings.sources.map(\.name.description) == ["binance"])
    }

    @Test func aRuleBelongsToOneSource() throws {
        let settings = try loaded(
            """
            [[rule]]
            symbol = "btcinr"
            max = 1
            [[rule]]
            symbol = ["kraken:btcusd", "kraken:eth*"]
            max = 1
            [[rule]]
            source = "second"
            symbol = ["btcusd", "second:ethusd"]
            max = 1
            """)
        #expect(settings.rules.map(\.name) == ["btcinr max", "kraken:btcusd max", "second:btcusd max"])
        #expect(settings.rules.map { $0.source?.description } == [nil, "kraken", "second"])
        #expect(settings.rules[1].symbols.map(\.text) == ["btcusd", "eth*"])
        for (index, source) in settings.sources.enumerated() {
            #expect(settings.rules(of: source.name) == [settings.rules[index]])
        }
    }

    /// A window has at least two intervals of the source of its rule.
    @Test func windowsFitTheSource() throws {
        let rule = "[[rule]]\nsymbol = \"SOURCE:btcusd\"\nrise = \"1%\"\nwindow = \"50s\"\n"
        #expect(throws: Never.self) { try loaded(rule.replacing("SOURCE", with: "kraken")) }
        #expect(throws: SettingsError.self) { try loaded(rule.replacing("SOURCE", with: "second")) }
    }

    @Test(
        arguments: [
            ("[feed]\nsource = \"wazirx\"\n[[source]]\ntype = \"kraken\"\n", "both [feed] and [[source]]"),
            ("[source]\ntype = \"kraken\"\n", "single brackets"),
            ("[[source]]\ntype = \"kraken\"\n[[source]]\ntype = \"kraken\"\n", "\"kraken\" already exists at"),
            ("[[source]]\nname = \"Kraken\"\n", "not the name of a source"),
            ("[[source]]\nsource = \"kraken\"\n", "write `type`"),
            ("[[source]]\ntype = \"krakn\"\n", "did you mean \"kraken\"?"),
            ("[[source]]\ntype = \"json\"\n", "type = \"json\" needs `url`"),
            ("[[source]]\ntype = \"simulator\"\n[[source]]\ntype = \"kraken\"\n", "cannot be combined"),
            (String(repeating: "[[source]]\n", count: 9), "more than 8 sources"),
            ("[feed]\n[[rule]]\nsymbol = \"krakn:btcusd\"\nmax = 1\n", "there is no source \"krakn\""),
            (three + "[[rule]]\nsymbol = \"krakn:btcusd\"\nmax = 1\n", "did you mean \"kraken\"?"),
            (
                three + "[[rule]]\nsymbol = [\"kraken:btcusd\", \"second:btcusd\"]\nmax = 1\n",
                "names kraken and second"
            ),
            (three + "[[rule]]\nsource = \"second\"\nsymbol = \"kraken:btcusd\"\nmax = 1\n", "a rule has one source"),
        ])
    func whatIsWrongIsNamed(text: String, expected: String) {
        let said = findings(text)
        #expect(said.contains(expected), "\(said)")
    }

    @Test func theSameRuleOfTwoSourcesIsNotOneTooMany() throws {
        let loaded = try load(
            Self.three + "[[rule]]\nsymbol = \"btcusd\"\nmax = 1\n[[rule]]\nsymbol = \"kraken:btcusd\"\nmax = 1\n")
        let lint = RuleLint(loaded.settings.rules, loaded.ruleSources)
        #expect(lint.findings(interval: { _ in .seconds(30) }, now: WallTime(milliseconds: 0)).isEmpty)
    }
}
