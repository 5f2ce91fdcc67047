import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@Suite("Band alerts")
struct BandAlertTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var min: String?
        var max: String?
        var hysteresis: Distance?
        let prices: String
        let story: [String]

        var testDescription: String { name }
    }

    static let percent = Price(mantissa: 5, scale: 0).map(Distance.percent)
    static let amount = Price(mantissa: 20, scale: 1).map(Distance.amount)

    static let cases = [
        Case(name: "a limit that is touched has been reached", max: "100", prices: "99 100", story: ["2:fired:max"]),
        Case(name: "scales do not matter", max: "0.1", prices: "0.09 0.100", story: ["2:fired:max"]),
        Case(name: "one event while it stays beyond", max: "100", prices: "99 101 102 150", story: ["2:fired:max"]),
        Case(
            name: "without hysteresis the limit itself does not clear", max: "100", prices: "99 101 100 99.99",
            story: ["2:fired:max", "4:resolved:max"]),
        Case(
            name: "with hysteresis max clears at limit - h", max: "100", hysteresis: amount,
            prices: "97 100 98.01 98 97",
            story: ["2:fired:max", "4:resolved:max"]),
        Case(
            name: "with hysteresis min clears at limit + h", min: "100", hysteresis: amount,
            prices: "103 100 101.9 102",
            story: ["2:fired:min", "4:resolved:min"]),
        Case(
            name: "per cent of the limit, exact", max: "100", hysteresis: percent, prices: "94 100 95.000001 95",
            story: ["2:fired:max", "4:resolved:max"]),
        Case(
            name: "no flapping inside the hysteresis", max: "100", hysteresis: amount,
            prices: "97 100 99 100 99 100 98",
            story: ["2:fired:max", "7:resolved:max"]),
        Case(
            name: "a jump over the band resolves one side, then fires the other", min: "90", max: "110",
            prices: "100 111 89 120",
            story: ["2:fired:max", "3:resolved:max", "3:fired:min", "4:resolved:min", "4:fired:max"]),
        Case(
            name: "already outside at the baseline", min: "90", prices: "80 79",
            story: ["1:fired:min:already_breached"]),
        Case(
            name: "an unusable first sample is no baseline", min: "90", prices: "? 0 80",
            story: ["3:fired:min:already_breached"]),
        Case(name: "zero does not fire a min", min: "90", prices: "100 0 100", story: []),
        Case(
            name: "no price does not resolve", max: "100", prices: "101 ? 99",
            story: ["1:fired:max:already_breached", "3:resolved:max"]),
        Case(
            name: "firing continues through a gap", max: "100", prices: "99 101 gap 1h 102 99",
            story: ["2:fired:max", "4:resolved:max"]),
        Case(
            name: "what is first seen after a gap says so", max: "100", prices: "99 gap 1h 101",
            story: ["2:fired:max:after_gap"]),
        Case(
            name: "a resolution seen after a gap says so", max: "100", prices: "99 101 gap 1h 99",
            story: ["2:fired:max", "3:resolved:max:after_gap"]),
        Case(
            name: "a gap exactly as long as allowed is none", max: "100", prices: "99 gap 1m 101",
            story: ["2:fired:max"]),
        Case(
            name: "unusable samples make a gap too", max: "100", prices: "99 ?x3 101",
            story: ["5:fired:max:after_gap"]),
        Case(
            name: "a frozen market neither fires nor resolves", max: "100", prices: "99 !101 101 !99 99",
            story: [
                "2:symbol_frozen", "3:symbol_returned", "3:fired:max", "4:symbol_frozen", "5:symbol_returned",
                "5:resolved:max",
            ]),
        Case(
            name: "volume 0 with a book is quiet at first", max: "100", prices: "99 ~101", story: ["2:fired:max"]),
        Case(
            name: "and frozen when nothing moved for frozen_after", max: "100", prices: "~99x61 ~101",
            story: ["61:symbol_frozen", "62:symbol_returned", "62:fired:max"]),
        Case(
            name: "prices are compared as numbers", max: "100", prices: "~99x30 ~99.00x31",
            story: ["61:symbol_frozen"]),
        Case(
            name: "what moves is not frozen for as long again", max: "100", prices: "~99x30 ~98x60",
            story: []),
        Case(
            name: "missing and back, one event each", max: "100", prices: "99 -x3 99 -",
            story: ["2:symbol_missing", "5:symbol_returned", "6:symbol_missing"]),
        Case(name: "missing from the first poll on", max: "100", prices: "- -", story: ["1:symbol_missing"]),
        Case(
            name: "missing does not resolve", max: "100", prices: "101 - 102 99",
            story: [
                "1:fired:max:already_breached", "2:symbol_missing", "3:symbol_returned", "4:resolved:max",
            ]),
        Case(
            name: "frozen, then missing, then frozen: each is notified", max: "100", prices: "99 !99 - !99 99",
            story: ["2:symbol_frozen", "3:symbol_missing", "4:symbol_frozen", "5:symbol_returned"]),
    ]

    @Test(arguments: cases)
    func tells(_ row: Case) throws {
        var timeline = Timeline([try .band(min: row.min, max: row.max, hysteresis: row.hysteresis)])
        #expect(try timeline.run(row.prices) == row.story)
    }

    @Test func everyEventCarriesItsEvidence() throws {
        var timeline = Timeline([try .band("upper", max: "100", severity: .critical)])
        try timeline.run("99 101.50")
        let event = try #require(timeline.occurrences.first)
        #expect(event.rule == "upper")
        #expect(event.symbol == Symbol("btcinr"))
        #expect(event.bound == .max)
        #expect(event.severity == .critical)
        #expect(event.price?.description == "101.50")
        #expect(event.limit?.description == "100")
        #expect(event.currency == Currency("INR"))
        #expect(event.previous?.price.description == "99")
        #expect(event.previous?.time == WallTime(milliseconds: event.time.milliseconds - 30_000))
        #expect(event.received == event.time)
        #expect(event.notified)
        #expect(event.text == "BTC/INR ₹101.50 is at or above its maximum ₹100.00")
    }

    @Test func theLimitOfAResolutionIsTheLimitItself() throws {
        var timeline = Timeline([try .band(max: "100", hysteresis: Self.amount)])
        try timeline.run("99 101 97")
        #expect(timeline.occurrences.last?.limit == .price(try Price("100")))
    }

    @Test func anotherCurrencyThanTheMarketsIsUnconvertible() throws {
        var timeline = Timeline([try .band(max: "100", currency: "SEK")])
        #expect(try timeline.run("99 101 99").isEmpty)
        #expect(timeline.engine.alerts().map(\.condition) == [.unconvertible])
    }

    @Test func theMarketsOwnCurrencyMayBeNamed() throws {
        var timeline = Timeline([try .band(max: "100", currency: "inr")])
        #expect(try timeline.run("99 101") == ["2:fired:max"])
    }

    /// Without bid and ask, a market is frozen only if nothing is traded.
    @Test(arguments: [("0", 0), ("0.000", 0), ("0.001", 1)])
    func aMarketThatIsTradedIsNotFrozen(volume: String, count: Int) throws {
        let start = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_000_000))
        let settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
        var engine = RuleEngine(rules: [try .band(max: "1")], settings: settings, start: start)
        let ticker = Ticker(
            symbol: try #require(Symbol("btcinr")), last: try Price("2"), volume: try Price(volume), bid: .zero,
            ask: .zero)
        let events = engine.evaluate(TickerBatch(tickers: [ticker], received: start))
        #expect(events.count { $0.kind == .fired } == count)
    }

    @Test func sampleAgeIsNeverNegative() throws {
        let symbol = try #require(Symbol("btcinr"))
        let start = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_000_000))
        let settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
        var engine = RuleEngine(rules: [try .band(max: "1")], settings: settings, start: start)
        let ticker = Ticker(
            symbol: symbol, last: try Price("2"), exchangeTime: WallTime(milliseconds: 1_000_500))
        let events = engine.evaluate(TickerBatch(tickers: [ticker], received: start))
        #expect(events.map(\.sampleAge) == [.zero])
    }
}

@Suite("Order of events in a poll")
struct EventOrderTests {
    @Test func rulesInFileOrderThenBounds() throws {
        var timeline = Timeline([
            try .band("second", min: "90", max: "110", symbols: ["btc*"]), try .band("first", min: "95", max: "105"),
        ])
        try timeline.run("100 120 80")
        let notified = timeline.occurrences.map { "\($0.kind.rawValue) \($0.rule ?? "") \($0.bound?.rawValue ?? "")" }
        #expect(
            notified == [
                "fired second max", "fired first max", "resolved second max", "fired second min", "resolved first max",
                "fired first min",
            ])
    }

    @Test func symbolsComeInTheOrderOfTheResponse() throws {
        var timeline = Timeline([try .band(max: "1", symbols: ["*"])])
        try timeline.run("5")
        #expect(timeline.occurrences.compactMap(\.symbol?.description) == ["btcinr", "other"])
    }

    @Test func symbolEventsComeFirst() throws {
        var timeline = Timeline([
            try .band(max: "1", symbols: ["*"]), try .band("gone", max: "1", symbols: ["gone", "gone"]),
        ])
        #expect(try timeline.run("0.5").first == "1:symbol_missing")
        #expect(timeline.occurrences.count { $0.kind == .symbolMissing } == 1)
    }

    @Test func symbolEventsComeInTheOrderOfTheRulesAndOnceASymbol() throws {
        var timeline = Timeline([
            try .band("first", max: "1", symbols: ["zzz"]), try .band("second", max: "1", symbols: ["aaa", "zzz"]),
            try .band("third", max: "2", symbols: ["zzz"]),
        ])
        try timeline.run("0.5")
        let missing = timeline.occurrences.filter { $0.kind == .symbolMissing }
        #expect(missing.map { $0.symbol?.description } == ["zzz", "aaa"])
    }

    @Test func aSymbolThatARuleMatchesTwiceIsMatchedOnce() throws {
        var timeline = Timeline([try .band(max: "100", symbols: ["btcinr", "btc*", "*inr"])])
        #expect(try timeline.run("99 101") == ["2:fired:max"])
    }
}

@Suite("The feed")
struct FeedWatchTests {
    @Test func staleOnceAnOutageAndRecoveredOnce() throws {
        var timeline = Timeline([try .band(max: "100")])
        #expect(
            try timeline.run("99 . . . . . 99 99 . . .") == ["4:feed_stale", "7:feed_recovered", "11:feed_stale"])
    }

    @Test func staleFromTheStartOn() throws {
        var timeline = Timeline([])
        #expect(try timeline.run(". . . .") == ["3:feed_stale"])
    }

    @Test func theDeadlineMovesWithEachUsableResponse() throws {
        var timeline = Timeline([])
        try timeline.run("1")
        #expect(timeline.engine.feedDeadline == timeline.now.boot.advanced(by: .seconds(90)))
        try timeline.run(". . .")
        #expect(timeline.engine.feedDeadline == nil)
    }

    @Test(arguments: [1, 10, 60] as [Int64]) func anotherIntervalGivesTheFeedAsLongAsAStart(seconds: Int64) throws {
        var timeline = Timeline([])
        try timeline.run("1")
        timeline.advance(by: .seconds(80))
        var settings = timeline.engine.settings
        settings.staleAfter = .seconds(3 * seconds)
        #expect(timeline.engine.reload(rules: [], settings: settings, at: timeline.now).occurrences.isEmpty)
        #expect(timeline.engine.feedDeadline == timeline.now.boot.advanced(by: .seconds(3 * seconds)))
    }

    @Test func aReloadWithTheSameIntervalGivesTheFeedNoMoreTime() throws {
        var timeline = Timeline([])
        try timeline.run("1")
        let deadline = timeline.engine.feedDeadline
        timeline.advance(by: .seconds(80))
        _ = timeline.reload([try .band(max: "100")])
        #expect(timeline.engine.feedDeadline == deadline)
    }

    @Test func anotherIntervalDoesNotEndAnOutage() throws {
        var timeline = Timeline([])
        try timeline.run("1 . . .")
        var settings = timeline.engine.settings
        settings.staleAfter = .seconds(3)
        _ = timeline.engine.reload(rules: [], settings: settings, at: timeline.now)
        #expect(timeline.engine.feedDeadline == nil)
    }

    @Test func beforeTheDeadlineNothingIsNotified() throws {
        var timeline = Timeline([])
        #expect(try timeline.run("1 . .").isEmpty)
        #expect(!timeline.engine.isFeedStale)
    }
}

@Suite("Reload")
struct ReloadTests {
    @Test func aRuleThatMeansTheSameKeepsItsState() throws {
        var timeline = Timeline([try .band("a", max: "100"), try .band("b", max: "200")])
        try timeline.run("99 101")
        let change = timeline.reload([try .band("b", max: "201"), try .band("a", max: "100.0", severity: .critical)])
        #expect(change.kept == ["a"])
        #expect(change.changed == ["b"])
        #expect(try timeline.run("102 99") == ["4:resolved:max"])
        #expect(timeline.occurrences.last?.severity == .critical)
    }

    @Test func endingsComeInOldOrderThenTheChange() throws {
        var timeline = Timeline([try .band("gone", max: "100"), try .band("new limit", max: "100")])
        try timeline.run("99 101")
        _ = timeline.reload([try .band("new limit", max: "101"), try .band("fresh", min: "1")])
        let story = timeline.story.suffix(3)
        #expect(Array(story) == ["2:resolved:max:rule_removed", "2:resolved:max:rule_changed", "2:rules_changed"])
        #expect(timeline.occurrences.suffix(3).map(\.price) == [try Price("101"), try Price("101"), nil])
        #expect(
            timeline.occurrences.last?.text
                == "Rules changed: added 'fresh'; removed 'gone'; changed 'new limit'; 0 unchanged")
    }

    @Test func aChangedRuleStartsWithANewBaseline() throws {
        var timeline = Timeline([try .band("a", max: "100")])
        try timeline.run("99 101")
        _ = timeline.reload([try .band("a", max: "100.5")])
        #expect(try timeline.run("101") == ["3:fired:max:already_breached"])
    }

    /// Nobody read the inputs of the symbol before there was a rule.
    @Test func aNewRuleKnowsThePriceBeforeIt() throws {
        var timeline = Timeline([])
        try timeline.run("98 99")
        _ = timeline.reload([try .band(max: "100")])
        #expect(timeline.engine.alerts().map(\.price) == [try Price("99")])
        #expect(timeline.engine.explain(rule: "band", at: timeline.now).first?.priceTime == timeline.now.wall)
        #expect(try timeline.run("101") == ["3:fired:max:already_breached"])
        #expect(timeline.occurrences.last?.previous?.price == (try Price("99")))
    }

    @Test func aNewRuleDoesNotTakeAnOlderPriceForTheLastOne() throws {
        var timeline = Timeline([try .band(max: "100")])
        try timeline.run("97")
        _ = timeline.reload([])
        try timeline.run("98 99")
        _ = timeline.reload([try .band(max: "100")])
        #expect(timeline.engine.alerts().map(\.price) == [try Price("99")])
        try timeline.run("99.5 101")
        #expect(timeline.occurrences.last?.previous?.price == (try Price("99.5")))
    }

    @Test func nothingChangedSaysNothing() throws {
        var timeline = Timeline([try .band("a", max: "100")])
        try timeline.run("99 101")
        #expect(timeline.reload([try .band("a", max: "100")]).isEmpty)
        #expect(timeline.story == ["2:fired:max"])
    }

    @Test func aSymbolThatWasMissingIsNotReportedAgain() throws {
        var timeline = Timeline([try .band("a", max: "100")])
        try timeline.run("-")
        _ = timeline.reload([try .band("a", max: "100"), try .band("b", max: "5")])
        #expect(try timeline.run("-").isEmpty)
    }
}
