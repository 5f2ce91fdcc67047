import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@testable import Engine

@Suite("The number of alerts is limited")
struct AlertLimitTests {
    private static func engine(_ rules: [Rule], limit: Int) -> RuleEngine {
        var settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
        settings.alertLimit = limit
        return RuleEngine(rules: rules, settings: settings, start: .testStart)
    }

    private static func batch(_ symbols: [String], _ seconds: Int64, price: String = "1") throws -> TickerBatch {
        let tickers = try symbols.map {
            Ticker(
                symbol: try required(Symbol($0)), quote: Asset("inr"), last: try Price(price), volume: try Price("5"),
                bid: try Price("1"), ask: try Price("1"))
        }
        return TickerBatch(tickers: tickers, received: Instant.testStart.advanced(bySeconds: seconds))
    }

    private static func firing(_ engine: RuleEngine) -> [String] {
        engine.alerts().filter { $0.condition == .firing }.map { "\($0.rule.name) \($0.symbol)" }.sorted()
    }

    @Test func symbolsBeyondItHaveOnlyTheAlertsOfRulesThatNameThem() throws {
        var engine = Self.engine(
            [
                try .band("all", max: "100", symbols: ["*inr"]), try .band("one", max: "100", symbols: ["zecinr"]),
                try .band("both", max: "100", symbols: ["*usdt", "zecinr"]),
            ], limit: 2)
        let symbols = ["ainr", "binr", "cinr", "zecinr"]
        _ = engine.evaluate(try Self.batch(symbols, 0))
        let events = engine.evaluate(try Self.batch(symbols, 30, price: "101"))
        #expect(Self.firing(engine) == ["all ainr", "all binr", "both zecinr", "one zecinr"])
        #expect(events.count == 4)
        #expect(engine.countBeyondLimit == 2)
    }

    @Test func aReloadWithFewerAlertsGivesAllSymbolsTheirs() throws {
        let rules = try ["a", "b"].map { try Rule.band($0, max: "100", symbols: ["*inr"]) }
        var engine = Self.engine(rules, limit: 3)
        _ = engine.evaluate(try Self.batch(["ainr", "binr", "cinr"], 0))
        #expect(engine.countBeyondLimit == 2)
        _ = engine.reload(rules: [rules[0]], settings: engine.settings, at: .testStart.advanced(bySeconds: 1))
        #expect(engine.countBeyondLimit == 0)
        _ = engine.evaluate(try Self.batch(["ainr", "binr", "cinr"], 30, price: "101"))
        #expect(Self.firing(engine) == ["a ainr", "a binr", "a cinr"])
    }

    @Test func placesOfForgottenSymbolsAreGivenBack() throws {
        var engine = Self.engine([try .band("all", max: "100", symbols: ["*inr"])], limit: 1)
        _ = engine.evaluate(try Self.batch(["ainr"], 0))
        _ = engine.evaluate(try Self.batch(["binr"], 30))
        #expect(engine.countBeyondLimit == 1)
        _ = engine.evaluate(try Self.batch([], 2 * 86_400))
        _ = engine.evaluate(try Self.batch(["cinr"], 4 * 86_400))
        _ = engine.evaluate(try Self.batch(["cinr"], 4 * 86_400 + 30, price: "101"))
        #expect(Self.firing(engine) == ["all cinr"])
        #expect(engine.countBeyondLimit == 0)
    }
}
