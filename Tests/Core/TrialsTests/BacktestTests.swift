import Engine
import Events
import ExchangeRates
import Market
import Rules
import TestSupport
import Testing
import Time
import Trials

/// A recording with a price a minute; the second number of a pair is how often it stays.
struct Recording {
    static let step = Milliseconds.seconds(60)
    static let settings = EngineSettings(
        maximumGap: step.times(3), frozenAfter: .seconds(1_800), staleAfter: step.times(3))
    static let symbol = Symbol("btcusdt")

    var prices: [(minute: Int64, price: Price)]

    /// Draws prices as ``PriceScript`` does.
    init(_ text: String) throws {
        prices = try PriceScript(text, interval: Self.step).steps.enumerated().compactMap { minute, step in
            if case .price(let price) = step { (Int64(minute), price.last) } else { nil }
        }
    }

    init(prices: [Price]) {
        self.prices = prices.enumerated().map { (Int64($0), $1) }
    }

    func forEach(_ body: ([RecordedPrice], WallTime) throws -> Void) throws {
        let symbol = try #require(Self.symbol)
        for (minute, price) in prices {
            try body(
                [RecordedPrice(symbol: symbol, price: price)],
                WallTime(milliseconds: 1_767_225_600_000 + minute * Self.step.count))
        }
    }

    func tallies(_ rules: [Rule], flap: Milliseconds = .seconds(600)) throws -> [AlertTally] {
        var backtest = Backtest(rules: rules, settings: Self.settings, flapLength: flap)
        try forEach { _ = backtest.evaluate($0, at: $1) }
        return backtest.results()
    }

    static func rule(
        _ condition: Condition, hold: Int64 = 0, name: String = "r",
        notification: NotificationPolicy = NotificationPolicy()
    ) throws -> Rule {
        Rule(
            name: name, symbols: [try #require(SymbolPattern("btcusdt"))], condition: condition,
            hold: .seconds(60 * hold), notification: notification)
    }

    /// How much one euro is.
    static func rates(usd: String, sek: String) throws -> ReferenceRates {
        let pairs = [
            (currency: try #require(Currency("USD")), rate: try Price(usd)),
            (currency: try #require(Currency("SEK")), rate: try Price(sek)),
        ]
        let date = try #require(CivilDate("2026-01-01"))
        return ReferenceRates(try #require(RateTable(date: date, source: "test", rates: pairs)))
    }

    static func max(_ limit: String, hysteresis: String? = nil) throws -> Condition {
        .band(
            try Band(
                min: nil, max: try Price(limit), hysteresis: try hysteresis.map { .amount(try Price($0)) }))
    }
}

@Suite struct BacktestTests {
    @Test func firingsNotifiedEventsAndTimesAreCounted() throws {
        let tally = try #require(
            try Recording("100x5 110x3 105 111x2 100x20 110").tallies([Recording.rule(Recording.max("110"))]).first)
        #expect(tally.place.bound == .max)
        #expect(tally.firings == 3)
        #expect(tally.notifiedEvents == 5)
        #expect(tally.breachLength == .seconds(60 * 5))
        #expect(tally.firingLength == .seconds(60 * 5))
        #expect(tally.flaps == 1)
        #expect(tally.firstFired == WallTime(milliseconds: 1_767_225_600_000 + 5 * 60_000))
        #expect(tally.lastFired == WallTime(milliseconds: 1_767_225_600_000 + 31 * 60_000))
        #expect(tally.firingSince == tally.lastFired)
    }

    /// The limit is reached for three minutes, whatever else the rule wants before it fires and to be over.
    @Test func timeInBreachIsThatOfTheLimitAlone() throws {
        let rule = try Recording.rule(Recording.max("110", hysteresis: "9"), hold: 2)
        let tally = try #require(try Recording("100 110x3 105x4 100x2").tallies([rule]).first)
        #expect(tally.firings == 1)
        #expect(tally.breachLength == .seconds(180))
        #expect(tally.firingLength == .seconds(60 * 5))
    }

    @Test func aFiringThatGoesOnCountsUpToTheLastPrice() throws {
        let tally = try #require(try Recording("110x4").tallies([Recording.rule(Recording.max("110"))]).first)
        #expect(tally.firingLength == .seconds(180))
        #expect(tally.breachLength == .seconds(180))
    }

    @Test func gapsAreCountedAndAreNoTimeInBreach() throws {
        var backtest = Backtest(
            rules: [try Recording.rule(Recording.max("110"))], settings: Recording.settings, flapLength: .zero)
        try Recording("100 110 gap 5m 110x2 100").forEach { _ = backtest.evaluate($0, at: $1) }
        #expect(backtest.gapCount == 1)
        #expect(backtest.results().map(\.breachLength) == [.seconds(120)])
    }

    /// Three minutes are the greatest gap: as far apart is near enough.
    @Test(arguments: [("2m", 0, 180), ("3m", 1, 0)] as [(String, Int, Int64)])
    func pricesAsFarApartAsTheGreatestGapAreNone(gap: String, count: Int, seconds: Int64) throws {
        var backtest = Backtest(
            rules: [try Recording.rule(Recording.max("110"))], settings: Recording.settings, flapLength: .zero)
        try Recording("110 gap \(gap) 110").forEach { _ = backtest.evaluate($0, at: $1) }
        #expect(backtest.gapCount == count)
        #expect(backtest.results().map(\.breachLength) == [.seconds(seconds)])
    }

    @Test(arguments: [(9, 1), (8, 0)] as [(Int64, Int)])
    func aFlapIsAFiringSoonAfterTheEnd(minutes: Int64, flaps: Int) throws {
        let tally = try Recording("110 100x9 110").tallies(
            [Recording.rule(Recording.max("110"))], flap: .seconds(60 * minutes))
        #expect(tally.map(\.flaps) == [flaps])
    }

    /// A firing that is held back by the cooldown and notified later is one firing.
    @Test func aLateNotificationIsNoOtherFiring() throws {
        let rule = try Recording.rule(
            Recording.max("110"), notification: NotificationPolicy(cooldown: .seconds(300)))
        let tally = try #require(try Recording("100 110 100 110x8 100").tallies([rule]).first)
        #expect(tally.firings == 2)
        #expect(tally.notifiedEvents == 4)
        #expect(tally.flaps == 1)
    }

    @Test func aCrossingIsOverAtOnce() throws {
        let rule = try Recording.rule(.cross(try Crossing(.up, over: try Price("110"))))
        let tally = try #require(try Recording("100 110 100 111 100x20 110").tallies([rule]).first)
        #expect(tally.firings == 3)
        #expect(tally.flaps == 1)
        #expect(tally.breachLength == .zero)
        #expect(tally.firingSince == nil)
    }

    @Test func missingSymbolsAndSilentFeedsNotifyNothing() throws {
        var backtest = Backtest(
            rules: [
                Rule(
                    name: "two", symbols: ["btcusdt", "ethusdt"].compactMap(SymbolPattern.init),
                    condition: try Recording.max("110"))
            ], settings: Recording.settings, flapLength: .zero)
        var kinds: [EventKind] = []
        try Recording("100 110 gap 2h 100").forEach { kinds += backtest.evaluate($0, at: $1).map(\.kind) }
        #expect(kinds == [.fired, .resolved])
        #expect(backtest.results().map(\.place.symbol) == [Recording.symbol])
    }

    @Test func alertsAreInTheOrderOfTheRulesAlsoThoseThatNeverFire() throws {
        let rules = [
            try Recording.rule(Recording.max("500"), name: "z"),
            try Recording.rule(.band(try Band(min: try Price("90"), max: try Price("110"))), name: "a"),
        ]
        let places = try Recording("100 110").tallies(rules).map { "\($0.place.rule) \($0.place.bound)" }
        #expect(places == ["z max", "a min", "a max"])
    }

    @Test func pricesThatCannotBeConvertedAreSaid() throws {
        var rule = try Recording.rule(Recording.max("500"))
        rule.currency = Currency("SEK")
        var backtest = Backtest(rules: [rule], settings: Recording.settings, flapLength: .zero)
        try Recording("100").forEach { _ = backtest.evaluate($0, at: $1) }
        #expect(backtest.unconverted() == ["r"])
        let rates = try Recording.rates(usd: "1", sek: "10")
        try Recording("100").forEach { _ = backtest.evaluate($0, at: $1, rates: rates) }
        #expect(backtest.unconverted() == [])
        #expect(backtest.results().map(\.firings) == [1])
    }
}

@Suite struct RuleComparisonTests {
    @Test func whatOnlyOneNotifiesIsShown() throws {
        let old = try Recording.rule(Recording.max("110"))
        let new = try Recording.rule(Recording.max("110", hysteresis: "5"))
        var comparison = RuleComparison(
            old: ([old], Recording.settings), new: ([new], Recording.settings))
        var story: [String] = []
        try Recording("100 110 106 111 100").forEach { prices, time in
            story += comparison.evaluate(prices, at: time).map {
                "\($0.isNew ? "+" : "-") \($0.occurrence.kind) \($0.occurrence.price?.description ?? "")"
            }
        }
        #expect(story == ["- resolved 106", "- fired 111"])
        #expect(comparison.commonCount == 2)
    }

    @Test func whatIsNotNotifiedCountsForNothing() throws {
        let old = try Recording.rule(Recording.max("110"), notification: NotificationPolicy(cooldown: .seconds(86_400)))
        var comparison = RuleComparison(
            old: ([old], Recording.settings), new: ([try Recording.rule(Recording.max("110"))], Recording.settings))
        var story: [String] = []
        try Recording("100 110 100 110 100").forEach { prices, time in
            story += comparison.evaluate(prices, at: time).map { "\($0.isNew ? "+" : "-") \($0.occurrence.kind)" }
        }
        #expect(story == ["+ fired", "+ resolved"])
        var reverse = RuleComparison(
            old: ([try Recording.rule(Recording.max("110"))], Recording.settings), new: ([old], Recording.settings))
        story = []
        try Recording("100 110 100 110 100").forEach { prices, time in
            story += reverse.evaluate(prices, at: time).map { "\($0.isNew ? "+" : "-") \($0.occurrence.kind)" }
        }
        #expect(story == ["- fired", "- resolved"])
        #expect(reverse.commonCount == 2)
    }

    /// A maximum that becomes a minimum may fire at the same moment as before: it says something else.
    @Test func theOtherBoundIsAnotherEvent() throws {
        let minimum = Condition.band(try Band(min: try Price("120"), max: nil))
        var comparison = RuleComparison(
            old: ([try Recording.rule(Recording.max("110"))], Recording.settings),
            new: ([try Recording.rule(minimum)], Recording.settings))
        var story: [String] = []
        try Recording("115").forEach { prices, time in
            story += comparison.evaluate(prices, at: time).map {
                "\($0.isNew ? "+" : "-") \($0.occurrence.kind) \($0.occurrence.bound?.rawValue ?? "")"
            }
        }
        #expect(story == ["- fired max", "+ fired min"])
        #expect(comparison.commonCount == 0)
    }
}
