import Engine
import Events
import ExchangeRates
import Market
import Rules
import TestSupport
import Testing
import Time

@Suite("Limits that are relative to a price")
struct RelativeLimitTests {
    /// The timeline begins at 22:13:20 on 2023-11-14.
    private static let today = CivilDate(daysSinceEpoch: Timeline.start.wall.milliseconds / 86_400_000)
    private static let tomorrow = CivilDate(daysSinceEpoch: today.daysSinceEpoch + 1)

    private func rule(
        min: DeclaredLimit? = nil, max: DeclaredLimit? = nil, _ base: LimitBase = .price, hysteresis: Distance? = nil,
        name: String = "rule", symbols: [String] = [Timeline.symbol]
    ) throws -> Rule {
        Rule(
            name: name, symbols: symbols.compactMap(SymbolPattern.init),
            condition: .relative(try RelativeBand(min: min, max: max, hysteresis: hysteresis, base: base)))
    }

    private func percent(_ text: String) throws -> DeclaredLimit { .percent(try Price(text)) }

    private func limits(_ timeline: Timeline) -> [String?] {
        timeline.engine.alerts(of: Symbol(Timeline.symbol)).map { $0.limit?.description }
    }

    @Test func theFirstUsablePriceSetsThemOnce() throws {
        var timeline = Timeline([try rule(min: percent("-5"), max: percent("10"))])
        #expect(try timeline.run("? 0 !72046") == ["3:symbol_frozen"])
        #expect(limits(timeline) == [nil, nil])
        #expect(timeline.engine.alerts().map(\.condition) == [.frozen, .frozen])
        try timeline.run("72046")
        #expect(limits(timeline) == ["68443.7", "79250.6"])
        #expect(timeline.engine.alerts().map(\.condition) == [.inactive, .inactive])
        #expect(
            try timeline.run("79250.5 79250.6 79250.5 68443.7")
                == ["6:fired:max", "7:resolved:max", "8:fired:min"])
        let fired = try #require(timeline.occurrences.last)
        #expect(fired.limit == .price(try Price("68443.7")))
        #expect(fired.text == "BTC/INR ₹68,443.70 is at or below its minimum ₹68,443.70")
        #expect(limits(timeline) == ["68443.7", "79250.6"])
    }

    /// The base is part of the state of the alert: kept by a restart, also after a reboot, and by a reload that leaves
    /// the rule as it is.
    @Test func theBaseIsKept() throws {
        let rules = [try rule(min: percent("-5"), max: percent("10"))]
        var timeline = Timeline(rules)
        try timeline.run("100 105")
        timeline.restart()
        #expect(limits(timeline) == ["95", "110"])
        timeline.reboot(after: .seconds(600))
        timeline.restart(isSameBoot: false)
        try timeline.run("106")
        #expect(limits(timeline) == ["95", "110"])
        var severe = rules
        severe[0].severity = .critical
        #expect(timeline.reload(severe + [try .band(max: "1000")]).kept == ["rule"])
        #expect(try timeline.run("110") == ["4:fired:max"])
        #expect(timeline.reload([try rule(min: percent("-5"), max: percent("20"))]).changed == ["rule"])
        try timeline.run("100 100")
        #expect(limits(timeline) == ["95", "120"], "a changed rule starts over")
    }

    @Test func aRestartAfterEachPollChangesNothing() throws {
        let words = "? 100 104 110 gap 5m 90 ? 95 115 - 100"
        for base in [LimitBase.price, .day(Self.tomorrow)] {
            let rules = [try rule(min: percent("-5"), max: percent("10"), base, hysteresis: .percent(try Price("1")))]
            var whole = Timeline(rules)
            var broken = Timeline(rules)
            broken.restartsAfterEachPoll = true
            if case .day = base {
                try whole.run("100")
                try broken.run("100")
                whole.advance(by: .seconds(7_000))
                broken.advance(by: .seconds(7_000))
            }
            try whole.run(words)
            try broken.run(words)
            #expect(whole.story == broken.story && whole.story.count > 3)
        }
    }

    /// 22:14:50 is the last price of the day, 00:00:10 the first of the next.
    @Test func aDaySetsThemFromTheLastPriceBeforeIt() throws {
        var timeline = Timeline([try rule(max: percent("10"), .day(Self.tomorrow))], maximumGap: .seconds(90))
        try timeline.run("90 100")
        #expect(limits(timeline) == [nil])
        #expect(timeline.engine.alerts().first?.condition == .waiting)
        #expect(timeline.engine.alerts().first?.note == "its limits are set when 2023-11-15 begins, in UTC")
        timeline.advance(by: .seconds(6_370))
        #expect(try timeline.run("? ? 111") == ["5:fired:max:already_breached"])
        #expect(limits(timeline) == ["110"])
        try timeline.run("105")
        #expect(limits(timeline) == ["110"])
    }

    /// What is known of the past is found by the daemon.
    @Test func aPastDayIsAskedFor() throws {
        var timeline = Timeline([try rule(max: percent("10"), .day(Self.today), symbols: ["*"])])
        #expect(timeline.engine.takeBaseNeeds().isEmpty)
        try timeline.run("100 120")
        let symbol = try #require(Symbol(Timeline.symbol))
        let needs = timeline.engine.takeBaseNeeds().sorted { $0.symbol < $1.symbol }
        #expect(needs.map(\.symbol.description) == ["btcinr", "other"])
        #expect(needs.map(\.day) == [Self.today, Self.today])
        #expect(needs.first?.end.description == "2023-11-14T00:00:00.000Z")
        #expect(timeline.engine.takeBaseNeeds().isEmpty, "only once")
        timeline.engine.didLoadHistory()
        #expect(timeline.engine.takeBaseNeeds().count == 2, "prices were imported")
        _ = timeline.engine.takeChanges()
        timeline.engine.setBase(try Price("100"), for: try #require(needs.first))
        guard case .part(let alerts, _) = timeline.engine.takeChanges() else {
            Issue.record("everything is stored")
            return
        }
        #expect(alerts.map(\.limit) == [.price(try Price("110"))])
        #expect(try timeline.run("120") == ["3:fired:max:already_breached"])
        timeline.restart()
        #expect(timeline.engine.takeBaseNeeds().map(\.symbol.description) == ["other"])
        #expect(timeline.engine.base(of: timeline.engine.rules[0], on: symbol) == (try Price("100")))
    }

    /// A price in a coin is converted over the coin's market at that time, and the rates of that time.
    @Test func aPastDayIsConvertedByWhatAppliedThen() throws {
        var rule = try rule(max: percent("10"), .day(Self.today))
        rule.currency = Currency("USD")
        let table = { (date: CivilDate, rupees: String) throws in
            let currencies = try [("USD", "1"), ("INR", rupees)].map { (try required(Currency($0)), try Price($1)) }
            return ReferenceRates(try required(RateTable(date: date, source: "test", rates: currencies)))
        }
        var timeline = Timeline([rule])
        try timeline.run("100")
        let need = try #require(timeline.engine.takeBaseNeeds().first)
        timeline.engine.setBase(try Price("100"), for: need)
        #expect(limits(timeline) == [nil], "no rates are known")
        #expect(timeline.engine.alerts().first?.condition == .unconvertible)
        timeline.rates = try table(Self.today, "50")
        try timeline.run("100")
        #expect(timeline.engine.takeBaseNeeds() == [need], "rates have become known")
        #expect(
            timeline.engine.alerts().first?.note
                == "no price before \(Self.today) is known, or no exchange rate of that time")
        try timeline.run("100")
        #expect(timeline.engine.takeBaseNeeds().isEmpty, "the same rates")
        timeline.engine.setBase(try Price("100"), for: need, rates: try table(Self.today, "80"))
        #expect(limits(timeline) == ["1.375"])
        #expect(try timeline.run("100") == ["4:fired:max:already_breached"], "2 dollars now")
    }

    /// A limit that is an amount does not wait for the other one.
    @Test func anAmountIsKnownAtOnce() throws {
        var timeline = Timeline([try rule(min: .amount(Price("50")), max: percent("10"), .day(Self.today))])
        #expect(try timeline.run("49") == ["1:fired:min:already_breached"])
        #expect(limits(timeline) == ["50", nil])
        let need = try #require(timeline.engine.takeBaseNeeds().first)
        timeline.engine.setBase(try Price("40"), for: need)
        #expect(limits(timeline) == ["50", nil], "44 is below 50")
        #expect(
            timeline.engine.alerts().map(\.note) == [nil, "limits cannot be computed: min would not be below max"])
        timeline.engine.setBase(try Price("60"), for: need)
        #expect(limits(timeline) == ["50", "66"])
        #expect(timeline.engine.firingCount == 1)
    }

    /// Such a price sets no limit: the next one may.
    @Test func aPriceThatDoesNotFitSetsNothing() throws {
        var timeline = Timeline([try rule(max: percent("0.001"))])
        try timeline.run("9223372036854775807")
        #expect(limits(timeline) == [nil])
        #expect(
            timeline.engine.alerts().first?.note
                == "limits cannot be computed: max or its clear level cannot be represented exactly; use fewer digits")
        try timeline.run("100")
        #expect(limits(timeline) == ["100.001"])
    }

    @Test func aChangedLimitReplacesItAndGivesItBack() throws {
        let override = LimitOverride(
            rule: "rule", source: Timeline.source, symbol: try required(Symbol(Timeline.symbol)), bound: .max,
            limit: try Price("150"), currency: nil, author: UserIdentity(id: 0), since: Timeline.start.wall)
        var timeline = Timeline([try rule(min: percent("-5"), max: percent("10"))])
        try timeline.run("100 112")
        #expect(timeline.override([override]) == ["2:resolved:max:rule_changed"])
        #expect(limits(timeline) == ["95", "150"])
        timeline.restart()
        #expect(limits(timeline) == ["95", "150"])
        #expect(
            timeline.engine.limit(of: .max, in: timeline.engine.rules[0], on: override.symbol)?.description == "150")
        #expect(timeline.override([]).isEmpty)
        #expect(limits(timeline) == ["95", "110"])
        #expect(try timeline.run("112") == ["3:fired:max:already_breached"])
    }

    /// Nobody expects other limits because a symbol was away for a few days.
    @Test func aSymbolWithABaseIsNotForgotten() throws {
        var timeline = Timeline([try rule(max: percent("10"), symbols: ["*"])])
        try timeline.run("100 -")
        timeline.advance(by: .seconds(200_000))
        try timeline.run("- - 105")
        #expect(limits(timeline) == ["110"])
    }
}
