import Engine
import Events
import ExchangeRates
import Market
import Rules
import TestSupport
import Testing
import Time

@Suite("What events are decided on besides their evidence")
struct DecisionDetailsTests {
    private static func age(_ time: WallTime?) -> String {
        time.map { "\($0.since(Timeline.start.wall).count / 1_000)" } ?? "-"
    }

    private func timeline(_ draft: Draft, _ prices: String) throws -> Timeline {
        var timeline = Timeline([try draft.rule()])
        try timeline.run(prices)
        return timeline
    }

    /// The first poll is at 30 s, and each 30 s later.
    @Test(arguments: [
        (
            Draft(kind: .max("100"), repeatAfter: "30s"), "99 101 101 99",
            ["fired 60 -", "repeated 60 -", "resolved 60 -"]
        ),
        (Draft(kind: .max("100"), hold: "1m"), "101x3 99", ["fired 90 1m", "resolved 90 -"]),
        (
            Draft(kind: .max("100"), cooldown: "2m"), "101 99 101 101 101",
            [
                "fired 30 -", "resolved 30 -", "fired 90 -", "fired 90 -",
            ]
        ),
        (Draft(kind: .crossUp("100")), "99 101", ["fired - -"]),
    ])
    func theySayWhenTheFiringBeganAndHowLongItWasPending(
        _ draft: Draft, _ prices: String, _ expected: [String]
    ) throws {
        let notified = try timeline(draft, prices).occurrences.map { event in
            "\(event.kind.rawValue) \(Self.age(event.details.firingSince)) "
                + (event.details.pendingFor?.description ?? "-")
        }
        #expect(notified == expected)
    }

    @Test func whatACooldownHoldsBackSaysUntilWhen() throws {
        let events = try timeline(Draft(kind: .max("100"), cooldown: "2m"), "101 99 101 101 101").occurrences
        #expect(events.map { Self.age($0.details.cooldownEnd) } == ["-", "-", "150", "-"])
        #expect(events.map(\.reason) == [.alreadyBreached, nil, .cooldown, .cooldown])
    }

    @Test func theClearLevelIsThatOfTheRule() throws {
        let events = try timeline(Draft(kind: .max("100"), hysteresis: "5"), "101 94").occurrences
        #expect(events.map { $0.details.clear?.description } == ["95", "95"])
        let bare = try timeline(Draft(kind: .max("100")), "101").occurrences
        #expect(bare.map { $0.details.clear?.description } == [nil])
    }

    @Test func aMoveSaysWhatItWasMeasuredFrom() throws {
        let rise = try required(timeline(Draft(kind: .rise("10%", "5m")), "101 100 105 111").occurrences.first)
        #expect(try rise.details.window == .seconds(300) && rise.details.extreme == Price("100"))
        let fall = try required(timeline(Draft(kind: .fall("10%", "5m")), "100 101 105 90").occurrences.first)
        #expect(fall.details.extreme == (try Price("105")))
    }

    @Test func aConvertedPriceIsThereInTheMarketsOwnCurrencyToo() throws {
        let table = try required(
            RateTable(
                date: required(CivilDate("2026-11-20")), source: "test",
                rates: [(required(Currency("INR")), Price("100")), (required(Currency("SEK")), Price("10"))]))
        let rates = ReferenceRates(table)
        var timeline = Timeline([try Draft(kind: .max("10"), currency: "SEK").rule()])
        let ticker = Ticker(
            symbol: try required(Symbol(Timeline.symbol)), quote: Asset("inr"), last: try Price("123"),
            volume: try Price("5"), bid: try Price("1"), ask: try Price("1"))
        let batch = TickerBatch(tickers: [ticker], received: timeline.now)
        let event = try required(timeline.engine.evaluate(batch, rates: rates).first)
        #expect(try event.price == Price("12.3") && event.details.marketPrice == Price("123"))
        #expect(try self.timeline(Draft(kind: .max("10")), "11").occurrences.first?.details.marketPrice == nil)
    }

    @Test func aChangedLimitSaysWhoChangedIt() throws {
        var timeline = try timeline(Draft(kind: .max("100")), "90")
        let anna = UserIdentity(id: 7, name: "anna")
        let change = LimitOverride(
            rule: "rule", source: Timeline.source, symbol: try required(Symbol(Timeline.symbol)), bound: .max,
            limit: try Price("110"),
            currency: nil, author: anna, since: timeline.now.wall)
        _ = timeline.override([change])
        try timeline.run("111")
        let event = try required(timeline.occurrences.last)
        #expect(try event.details.settingsLimit == Price("100") && event.details.limitBy == "anna")
        #expect(event.details.limitSince == change.since)
        #expect(try event.limit == .price(Price("110")))
        _ = timeline.override([])
        let ended = try required(timeline.occurrences.last)
        #expect(ended.reason == .ruleChanged && Self.age(ended.details.firingSince) == "60")
    }

    @Test func whatIsOfNoAlertHasNone() throws {
        let events = try timeline(Draft(kind: .max("100")), "- . . . 99").occurrences
        #expect(!events.isEmpty && events.allSatisfy(\.details.isEmpty))
    }
}
