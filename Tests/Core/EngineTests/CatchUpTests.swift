import Engine
import Events
import ExchangeRates
import Market
import Rules
import TestSupport
import Testing
import Time

/// What candles say of a time without prices. A gap of `Timeline` begins at 22:13:50 UTC: its first whole minute is
/// 22:14.
struct CatchUpTests {
    private func timeline(_ rules: [Rule]) -> Timeline {
        var timeline = Timeline(rules)
        timeline.setCandles(true)
        return timeline
    }

    /// Candles of minutes from 22:14 on: `100-105` is a low and a high, and `0` after a slash means without trades.
    private func candles(_ text: String) throws -> [Candle] {
        let start = Timeline.start.wall.milliseconds / 60_000 * 60_000 + 60_000
        return try text.split(separator: " ").enumerated().map { index, word in
            let parts = word.split(separator: "/")
            let prices = try parts[0].split(separator: "-").map { try Price(String($0)) }
            return Candle(
                start: WallTime(milliseconds: start + Int64(index) * 60_000), open: prices[0], high: prices[1],
                low: prices[0], close: prices[1], volume: parts.count > 1 ? .zero : try Price("0.5"))
        }
    }

    private func story(_ timeline: inout Timeline, _ text: String) throws -> [String] {
        let gap = try required(timeline.engine.mostUrgentGap)
        let now = timeline.now
        return timeline.engine.touched(gap.id, try candles(text), at: now).map { event in
            let details = event.details
            let times = [details.touchedFrom, details.touchedUntil].compactMap(\.self).map {
                String("\($0)".dropFirst(11).prefix(5))
            }
            return [
                event.kind.rawValue, event.bound?.rawValue, event.price.map { "\($0)" }, times.joined(separator: "-"),
                event.reason?.rawValue, event.notified ? nil : "suppressed",
            ].compactMap(\.self).joined(separator: " ")
        }
    }

    @Test func aLimitThatWasReachedInAGapIsFound() throws {
        var timeline = timeline([try .band(min: "90", max: "110")])
        try timeline.run("100 gap 10m 100")
        let gap = try required(timeline.engine.gaps.first)
        #expect(
            timeline.engine.gaps.count == 1 && "\(gap.before)" == "100" && gap.watches.map(\.bound) == [.min, .max])
        #expect(
            try story(&timeline, "99-105 88-111 100-110 95-109 90.0-101 95-99") == [
                "touched min 88 22:15-22:19 caught_up", "touched max 111 22:15-22:17 caught_up",
            ])
        #expect(timeline.engine.gaps.isEmpty, "the gap is looked up once")
    }

    @Test func theTextSaysWhenAndWhy() throws {
        var timeline = timeline([try .band(max: "110")])
        try timeline.run("100 gap 10m 100")
        let gap = try required(timeline.engine.gaps.first)
        let event = try required(
            timeline.engine.touched(gap.id, try candles("99-112.5"), at: timeline.now).first)
        #expect(
            event.text
                == "BTC/INR reached ₹112.50, at or above its maximum ₹110.00, between 22:14 and 22:15 UTC, "
                + "while prices were not available")
        #expect(event.previous.map { "\($0.price)" } == "100" && event.limit.map { "\($0)" } == "110")
        #expect(event.previous?.time == gap.id.since && event.received == timeline.now.wall)
    }

    @Test func minutesWithoutTradesReachNothing() throws {
        var timeline = timeline([try .band(max: "110")])
        try timeline.run("100 gap 10m 100")
        #expect(try story(&timeline, "100-120/0 100-109") == [])
    }

    /// The last sample before the gap is from 22:13:50, the first after it from 22:18:20.
    @Test func onlyWholeMinutesBetweenTheSamplesCount() throws {
        var timeline = timeline([try .band(max: "110")])
        try timeline.run("100 gap 4m 100")
        let gap = try required(timeline.engine.gaps.first)
        #expect(
            gap.minutes.map { [$0.lowerBound, $0.upperBound].map { "\($0)".dropFirst(11).prefix(5) } }
                == ["22:14", "22:18"])
        var early = try candles("100-120")
        early[0].start = WallTime(milliseconds: early[0].start.milliseconds - 60_000)
        var late = early
        late[0].start = WallTime(milliseconds: early[0].start.milliseconds + 5 * 60_000)
        #expect(timeline.engine.touched(gap.id, early + late, at: timeline.now).isEmpty)
    }

    /// A price that stays as it was is not compared with the limits again.
    @Test func thePriceMayBeTheSameBeforeAndAfterTheGap() throws {
        var timeline = timeline([try .band(max: "110")])
        for number in 1...2 {
            try timeline.run("100 100 100 gap 10m 100 100")
            #expect(timeline.engine.gaps.count == number)
        }
    }

    @Test func relativeLimitsCountOnceTheyAreKnown() throws {
        let tomorrow = CivilDate(daysSinceEpoch: Timeline.start.wall.milliseconds / 86_400_000 + 1)
        let rules = try [("price", LimitBase.price), ("day", .day(tomorrow))].map { name, base in
            let band = try RelativeBand(min: nil, max: .percent(Price("10")), hysteresis: nil, base: base)
            return Rule(
                name: name, symbols: [SymbolPattern("btcinr")].compactMap(\.self), condition: .relative(band))
        }
        var timeline = timeline(rules)
        try timeline.run("gap 10m 100")
        #expect(timeline.engine.gaps.isEmpty, "the first price sets the limit")
        try timeline.run("gap 10m 100")
        #expect(timeline.engine.gaps.first?.watches.map(\.rule) == ["price"])
        let quiet = String(repeating: "100-109 ", count: 11)
        #expect(try story(&timeline, quiet + "100-120") == ["touched max 120 22:25-22:26 caught_up"])
    }

    @Test func aShortAbsenceHasNoGap() throws {
        var timeline = timeline([try .band(max: "110")])
        try timeline.run("100 gap 60s 100")
        #expect(timeline.engine.gaps.isEmpty)
    }

    @Test func withoutCandlesNothingIsNoted() throws {
        var timeline = Timeline([try .band(max: "110")])
        try timeline.run("100 gap 10m 100")
        #expect(timeline.engine.gaps.isEmpty)
    }

    @Test func whatFiredBeforeTheGapIsKnown() throws {
        var timeline = timeline([try .band(min: "90", max: "110")])
        try timeline.run("120 gap 10m 100")
        #expect(timeline.engine.gaps.first?.watches.map(\.bound) == [.min])
        #expect(try story(&timeline, "100-120") == [])
    }

    @Test func theFirstPriceOfAnAlertHasNoGapBeforeIt() throws {
        var timeline = timeline([try .band(max: "110")])
        try timeline.run("100 100")
        _ = timeline.reload([try .band(max: "110"), try .band("new", max: "105")])
        try timeline.run("gap 10m 100")
        #expect(timeline.engine.gaps.first?.watches.map(\.rule) == ["band"])
    }

    @Test func aZoneIsReachedFromTheSideOfThePrice() throws {
        let zone = try Zone(low: Price("50"), high: Price("60"))
        let rule = Rule(name: "zone", symbols: [SymbolPattern("btcinr")].compactMap(\.self), condition: .within(zone))
        var above = timeline([rule])
        try above.run("100 gap 10m 100")
        #expect(try story(&above, "60.5-100 58-70 40-90") == ["touched within 40 22:15-22:17 caught_up"])
        var below = timeline([rule])
        try below.run("10 gap 10m 10")
        #expect(try story(&below, "10-49 40-55 10-52") == ["touched within 55 22:15-22:17 caught_up"])
    }

    /// A firing after the gap and what happened in it are two things.
    @Test func theFirstPriceAfterTheGapDecidesTheState() throws {
        var timeline = timeline([try .band(max: "110")])
        #expect(try timeline.run("100 gap 10m 115") == ["2:fired:max:after_gap"])
        #expect(try story(&timeline, "100-120") == ["touched max 120 22:14-22:15 caught_up"])
        #expect(try timeline.run("100") == ["3:resolved:max"])
    }

    @Test func aCooldownSuppressesIt() throws {
        var rule = try Rule.band(max: "110")
        rule.notification.cooldown = .seconds(3_600)
        var timeline = timeline([rule])
        try timeline.run("120 100 gap 10m 100")
        #expect(try story(&timeline, "100-120 100-120") == ["touched max 120 22:15-22:16 cooldown suppressed"])
        // It restarts no cooldown: that of the firing ends an hour after it.
        try timeline.run("gap 50m")
        #expect(try timeline.run("120").last?.hasSuffix("fired:max:after_gap") == true)
    }

    @Test func anAlertThatHasNotifiedOnceStaysQuiet() throws {
        var rule = try Rule.band(max: "110")
        rule.notification.once = true
        var timeline = timeline([rule])
        try timeline.run("100 gap 10m 100")
        #expect(try story(&timeline, "100-120") == ["touched max 120 22:14-22:15 caught_up"])
        #expect(try timeline.run("120 100") == ["3:fired:max", "4:resolved:max"], "it was still armed")
        try timeline.run("gap 10m 100")
        #expect(
            try story(&timeline, (0..<20).map { _ in "100-120" }.joined(separator: " ")).first?
                .hasSuffix("disarmed suppressed") == true)
    }

    @Test func aSilenceSuppressesIt() throws {
        var timeline = timeline([try .band(max: "110")])
        try timeline.run("100 gap 10m 100")
        timeline.engine.silences = [
            Silence(number: 7, end: .at(WallTime(milliseconds: .max)))
        ]
        #expect(try story(&timeline, "100-120") == ["touched max 120 22:14-22:15 silenced suppressed"])
    }

    @Test func aRuleThatChangesIsForgotten() throws {
        var timeline = timeline([try .band(max: "110"), try .band("other", max: "105")])
        try timeline.run("100 gap 10m 100")
        _ = timeline.engine.takeGapChanges()
        _ = timeline.reload([try .band(max: "111"), try .band("other", max: "105")])
        #expect(timeline.engine.gaps.first?.watches.map(\.rule) == ["other"])
        let changes = timeline.engine.takeGapChanges()
        #expect(changes.removed.count == 1 && changes.added == timeline.engine.gaps)
        _ = timeline.reload([])
        #expect(timeline.engine.gaps.isEmpty)
    }

    /// Its limit is the same, so the gap would match it.
    @Test func anAlertThatStartsOverIsForgotten() throws {
        var timeline = timeline([try Draft(kind: .max("110")).rule()])
        try timeline.run("100 gap 10m 100")
        #expect(timeline.engine.gaps.count == 1)
        _ = timeline.reload([try Draft(kind: .max("110"), hold: "5m").rule()])
        #expect(timeline.engine.gaps.isEmpty)
    }

    /// An engine with two rules for all symbols, and a gap in the prices of all of them.
    private func crowd(symbols: Int, gaps: Int) throws -> RuleEngine {
        var settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
        settings.hasCandles = true
        let rules = [try Rule.band("a", max: "110", symbols: ["*"]), try Rule.band("b", max: "105", symbols: ["*"])]
        var engine = RuleEngine(rules: rules, settings: settings, start: Timeline.start)
        let tickers = try (0..<symbols).map { number in
            Ticker(
                symbol: try required(Symbol("s\(number)inr")), last: try Price("100"), volume: try Price("1"),
                bid: try Price("99"), ask: try Price("101"))
        }
        for number in 0...gaps {
            let time = Timeline.start.advanced(bySeconds: Int64(number) * 600)
            _ = engine.evaluate(TickerBatch(tickers: tickers, received: time))
        }
        return engine
    }

    @Test func theOldestAreDroppedWhenThereAreTooMany() throws {
        var engine = try crowd(symbols: 7_000, gaps: 3)
        #expect(engine.gaps.count == 20_000 && engine.lostGapCount == 1_000)
        #expect(engine.gaps.first?.symbol.description == "s1000inr")
        let changes = engine.takeGapChanges()
        #expect(changes.added == engine.gaps && changes.removed.count == 1_000)
        #expect(Set(engine.gaps.map(\.id)).count == 20_000)
        let (first, rest) = (engine.gaps[..<5_000], engine.gaps[5_000...])
        engine.dropGaps(Set(first.map(\.id)))
        #expect(engine.gaps == Array(rest) && engine.takeGapChanges().removed.count == 5_000)
        #expect(!first.contains { engine.hasGap($0.id) } && rest.allSatisfy { engine.hasGap($0.id) })
    }

    @Test func aRuleOfManyGapsIsForgottenInAllOfThem() throws {
        var engine = try crowd(symbols: 5_000, gaps: 4)
        let before = engine.gaps
        _ = engine.takeGapChanges()
        _ = engine.reload(
            rules: [try Rule.band("b", max: "105", symbols: ["*"])], settings: engine.settings,
            at: Timeline.start.advanced(bySeconds: 3_000))
        #expect(engine.gaps.map(\.id) == before.map(\.id))
        #expect(engine.gaps.allSatisfy { $0.watches.map(\.rule) == ["b"] && engine.hasGap($0.id) })
        let changes = engine.takeGapChanges()
        #expect(changes.added == engine.gaps && changes.removed == Set(before.map(\.id)))
    }

    /// The nearest limit of `b` is 1% away, that of `a` 10%.
    @Test func theMostEndangeredComesFirst() throws {
        let rules = [
            try Rule.band("a", max: "110", symbols: ["btcinr"]), try Rule.band("b", min: "0.99", symbols: ["other"]),
        ]
        var timeline = timeline(rules)
        try timeline.run("100 gap 10m 100")
        #expect(timeline.engine.gaps.map(\.symbol.description) == ["btcinr", "other"])
        #expect(timeline.engine.mostUrgentGap?.symbol.description == "other")
    }

    @Test func anExplanationNamesTheGap() throws {
        var timeline = timeline([try .band("rule", max: "110")])
        try timeline.run("100 gap 10m 100")
        let facts = { (timeline: Timeline) in
            try required(timeline.engine.explain(rule: "rule", at: timeline.now).first).facts
        }
        let gap = try required(timeline.engine.gaps.first)
        #expect(try facts(timeline).last == .gap(since: gap.id.since, until: gap.until))
        timeline.engine.dropGaps([gap.id])
        #expect(try facts(timeline).last != .gap(since: gap.id.since, until: gap.until))
    }

    /// Users learn what is never looked up before it matters.
    @Test func anExplanationSaysWhatIsNotCaughtUp() throws {
        var bid = try Rule.band("bid", max: "110")
        bid.price = .bid
        let names = [SymbolPattern("btcinr")].compactMap(\.self)
        let move = try Move(.up, by: .percent(try Price("5")), window: .seconds(300))
        let rules = [
            try Rule.band("last", max: "110"), bid,
            Rule(name: "rise", symbols: names, condition: .move(move)),
        ]
        let obstacles = { (timeline: Timeline) in
            try rules.map { rule in
                let facts = try required(timeline.engine.explain(rule: rule.name, at: timeline.now).first).facts
                return facts.compactMap { if case .notCaughtUp(let obstacle) = $0 { obstacle.rawValue } else { nil } }
            }
        }
        var timeline = timeline(rules)
        try timeline.run("100 gap 10m 100")
        #expect(try obstacles(timeline) == [[], ["price"], ["condition"]])
        #expect(timeline.engine.gaps.flatMap(\.watches).map(\.rule) == ["last"])
        timeline.setCandles(false)
        #expect(try obstacles(timeline) == [["source"], ["source"], ["source"]])
    }

    /// Neither windows nor crossings, `for` or the baseline see candles.
    @Test func whatCandlesSayChangesNoAlert() throws {
        let names = [SymbolPattern("btcinr")].compactMap(\.self)
        let rise = Condition.move(try Move(.up, by: .percent(Price("20")), window: .seconds(3_600)))
        let cross = Condition.cross(try Crossing(.both, over: Price("110")))
        var band = try Rule.band(max: "105")
        band.hold = .seconds(60)
        var timeline = timeline([
            band, Rule(name: "rise", symbols: names, condition: rise),
            Rule(name: "cross", symbols: names, condition: cross),
        ])
        try timeline.run("100 gap 10m 106")
        let before = timeline.engine.alerts().map { "\($0)" }
        #expect(try story(&timeline, "80-150 80-150").count == 1)
        #expect(timeline.engine.alerts().map { "\($0)" } == before)
        // The lowest price of the window is 100, the one before is 106, and the limit holds since then.
        #expect(try timeline.run("107") == [])
        #expect(try timeline.run("111") == ["4:fired:max:after_gap", "4:fired:cross_up"])
    }

    /// Also before the poll that ends its firing alerts.
    @Test func aRuleThatHasExpiredSaysNothing() throws {
        var rule = try Rule.band(max: "110")
        let end = Timeline.start.wall.milliseconds + 15 * 60_000
        rule.expires = WallTime(milliseconds: end)
        for (late, count) in [(-1, 1), (0, 0)] as [(Int64, Int)] {
            var timeline = timeline([rule])
            try timeline.run("100 gap 10m 100")
            let gap = try required(timeline.engine.gaps.first)
            let time = Instant(boot: timeline.now.boot, wall: WallTime(milliseconds: end + late))
            #expect(timeline.engine.touched(gap.id, try candles("99-120"), at: time).count == count)
        }
    }

    @Test func aLimitInAnotherCurrencyIsConverted() throws {
        let rule = try Rule.band(max: "2", currency: "USD")
        var timeline = timeline([rule])
        let (day, dollar, rupee) = try (
            required(CivilDate("2023-11-14")), required(Currency("USD")), required(Currency("INR"))
        )
        let table = try required(
            RateTable(date: day, source: "ecb", rates: [(dollar, Price("1")), (rupee, Price("80"))]))
        timeline.rates = ReferenceRates(table)
        try timeline.run("100 gap 10m 100")
        let gap = try required(timeline.engine.gaps.first)
        let event = try required(
            timeline.engine.touched(gap.id, try candles("99-176"), rates: timeline.rates, at: timeline.now).first)
        #expect(event.price.map { "\($0)" } == "2.2" && event.details.marketPrice.map { "\($0)" } == "176")
        #expect(event.conversion?.path == "INR>EUR>USD" && event.previous.map { "\($0.price)" } == "1.25")
    }

    @Test func onlyTheLastDaysOfALongGapAreLookedUp() throws {
        var timeline = timeline([try .band(max: "110")])
        try timeline.run("100 gap 30d 100")
        let minutes = try required(timeline.engine.gaps.first?.minutes)
        #expect(minutes.upperBound.since(minutes.lowerBound).count / 60_000 == 10_079)
    }
}
