import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@Suite("Limits changed at run time")
struct LimitOverrideTests {
    private static let alice = UserIdentity(id: 1_000, name: "alice")

    private func override(
        _ bound: Bound, _ limit: String, rule: String = "band", on symbol: String = Timeline.symbol,
        currency: String? = nil
    ) throws -> LimitOverride {
        LimitOverride(
            rule: rule, source: Timeline.source, symbol: try required(Symbol(symbol)), bound: bound,
            limit: try Price(limit),
            currency: currency.flatMap(Currency.init), author: Self.alice, since: Timeline.start.wall)
    }

    @Test func theChangedLimitDecides() throws {
        var timeline = Timeline([try .band(max: "100")])
        #expect(try timeline.run("99") == [])
        #expect(timeline.override([try override(.max, "110")]) == [])
        #expect(try timeline.run("105 110 109") == ["3:fired:max", "4:resolved:max"])
    }

    /// As with a changed rule.
    @Test func aFiringWhoseLimitChangesIsOverAndStartsAfresh() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("101")
        #expect(timeline.override([try override(.max, "100.5")]) == ["1:resolved:max:rule_changed"])
        #expect(timeline.occurrences.last?.limit == .price(try Price("100")))
        #expect(timeline.occurrences.last?.text == "BTC/INR: maximum ₹100.00 no longer applies (limit changed)")
        #expect(try timeline.run("101") == ["2:fired:max:already_breached"])
        #expect(timeline.override([]) == ["2:resolved:max:rule_changed"])
        #expect(timeline.occurrences.last?.limit == .price(try Price("100.5")))
    }

    @Test func otherAlertsGoOnAsTheyAre() throws {
        var timeline = Timeline([
            try .band(min: "50", max: "100", symbols: ["*"]), try .band("next", min: "2", max: "99"),
        ])
        try timeline.run("101")
        let before = timeline.engine.alerts().filter { $0.condition == .firing }.map { "\($0.rule.name) \($0.symbol)" }
        #expect(before == ["band btcinr", "band other", "next btcinr"])
        #expect(timeline.override([try override(.min, "40")]) == [])
        #expect(timeline.engine.alerts().filter { $0.condition == .firing }.count == 3)
        #expect(try timeline.run("101") == [])
        #expect(timeline.override([try override(.max, "200")]) == ["2:resolved:max:rule_changed"])
        #expect(try timeline.run("101") == [])
        #expect(timeline.engine.firingCount == 2)
    }

    @Test func theEndOfASuppressedFiringIsSuppressed() throws {
        var timeline = Timeline([try .band(max: "100")])
        timeline.engine.silences = [Silence(number: 1, end: .at(WallTime(milliseconds: .max)))]
        try timeline.run("101")
        #expect(timeline.override([try override(.max, "110")]) == ["1:resolved:max:rule_changed:suppressed"])
    }

    @Test func theViewSaysWhoChangedIt() throws {
        var timeline = Timeline([try .band(min: "50", max: "100", symbols: ["btcinr", "never"])])
        try timeline.run("60")
        let overrides = [try override(.max, "110"), try override(.min, "55", on: "never")]
        _ = timeline.override(overrides)
        let views = timeline.engine.alerts()
        #expect(views.map(\.override) == [nil, overrides[0], overrides[1], nil])
        #expect(views.map { $0.limit?.description } == ["50", "110", "55", "100"])
    }

    @Test func hysteresisBelongsToTheChangedLimit() throws {
        var timeline = Timeline([try .band(max: "100", hysteresis: .percent(try Price("10")))])
        try timeline.run("1")
        _ = timeline.override([try override(.max, "200")])
        #expect(timeline.engine.alerts().map { $0.clear?.description } == ["180"])
    }

    @Test func itOutlivesARestart() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("90")
        _ = timeline.override([try override(.max, "110")])
        try timeline.run("111")
        timeline.restart()
        #expect(try timeline.run("109 111") == ["3:resolved:max", "4:fired:max"])
    }

    @Test func itWinsOverTheSettingsUntilItIsReset() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("90")
        _ = timeline.override([try override(.max, "110")])
        _ = timeline.reload([try .band(max: "105")])
        #expect(try timeline.run("90 109 110") == ["4:fired:max"])
        #expect(timeline.engine.rules.first?.limit(of: .max) == (try Price("105")))
        #expect(timeline.override([]) == ["4:resolved:max:rule_changed"])
        #expect(try timeline.run("106") == ["5:fired:max:already_breached"])
    }

    private static let sleepers: [(String, String?, String, String?, String, OverrideIssue)] = [
        ("another", nil, "1", "100", "btcinr", OverrideIssue.noRule),
        ("band", nil, "1", "100", "ethinr", .otherSymbols),
        ("band", nil, "1", nil, "btcinr", .noLimit),
        ("band", "INR", "1", "100", "btcinr", .otherCurrency),
        ("band", nil, "120", "200", "btcinr", .faulty(.minNotBelowMax)),
    ]

    @Test(arguments: sleepers) func whereItDoesNotFitTheRuleItSleeps(
        name: String, currency: String?, min: String, max: String?, symbol: String, expected: OverrideIssue
    ) throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("90")
        let sleeping = try override(.max, "110")
        _ = timeline.override([sleeping])
        #expect(timeline.engine.issue(of: sleeping) == nil)
        _ = timeline.reload([try .band(name, min: min, max: max, symbols: [symbol], currency: currency)])
        #expect(timeline.engine.issue(of: sleeping) == expected)
        #expect(timeline.engine.alerts().allSatisfy { $0.override == nil && $0.limit?.description != "110" })
        _ = timeline.reload([try .band(max: "100")])
        #expect(timeline.engine.issue(of: sleeping) == nil)
        #expect(timeline.engine.alerts().map { $0.limit?.description } == ["110"])
    }

    /// A `min` above the `max` of the settings is valid with another `max`; both are in effect or none.
    @Test func thoseOfOneRuleAndSymbolHoldTogether() throws {
        var timeline = Timeline([try .band(min: "50", max: "100")])
        try timeline.run("90")
        let both = [try override(.max, "200"), try override(.min, "150")]
        _ = timeline.override(both)
        #expect(timeline.engine.alerts().map { $0.limit?.description } == ["150", "200"])
        _ = timeline.override([both[1]])
        #expect(timeline.engine.issue(of: both[1]) == .faulty(.minNotBelowMax))
        #expect(timeline.engine.alerts().map { $0.limit?.description } == ["50", "100"])
    }

    /// The order in which symbols were first seen is not the same after a restart.
    @Test(arguments: [["ethinr", "btcinr"], ["btcinr", "ethinr"]])
    func firingsEndInTheOrderOfTheirSymbols(_ names: [String]) throws {
        let rules = [try Rule.band(max: "100", symbols: ["*"])]
        let settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
        var engine = RuleEngine(rules: rules, settings: settings, start: Timeline.start)
        let tickers = try names.map { name in
            Ticker(
                symbol: try required(Symbol(name)), quote: Asset("inr"), last: try Price("101"),
                volume: try Price("5"), bid: try Price("1"), ask: try Price("1"))
        }
        #expect(engine.evaluate(TickerBatch(tickers: tickers, received: Timeline.start)).count == 2)
        let changes = try names.map { try override(.max, "110", on: $0) }
        let ended = engine.setOverrides(changes, at: Timeline.start.advanced(bySeconds: 1))
        #expect(ended.map { $0.symbol?.description } == ["btcinr", "ethinr"])
    }
}
