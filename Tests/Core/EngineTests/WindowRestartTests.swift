import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

/// Windows keep their samples across restarts: the same ones, at the same instants.
@Suite("Windows across restarts")
struct WindowRestartTests {
    /// A response each second with one market; words are prices, `!` before one makes the market frozen.
    struct Market {
        var engine: RuleEngine
        var kept = KeptState()
        var now = Timeline.start
        private(set) var story: [String] = []

        init(_ rules: [Rule]) {
            let settings = EngineSettings(
                maximumGap: .seconds(3_600), frozenAfter: .seconds(1_800), staleAfter: .seconds(7_200))
            engine = RuleEngine(rules: rules, settings: settings, start: now)
            kept.apply(engine.takeChanges())
        }

        mutating func run(_ words: String) throws {
            for word in words.split(separator: " ") {
                now = now.advanced(bySeconds: 1)
                let price = try Price(String(word.drop { $0 == "!" }))
                let isFrozen = word.first == "!"
                let book = isFrozen ? Price.zero : price
                let ticker = Ticker(
                    symbol: try required(Symbol("btcinr")), quote: Asset("inr"), last: price,
                    volume: isFrozen ? .zero : price, bid: book, ask: book)
                story += engine.evaluate(TickerBatch(tickers: [ticker], received: now)).map { "\($0.kind.rawValue)" }
                kept.apply(engine.takeChanges())
            }
        }

        mutating func reload(_ rules: [Rule]) {
            story += engine.reload(rules: rules, settings: engine.settings, at: now).occurrences.map {
                "\($0.kind.rawValue)"
            }
            kept.apply(engine.takeChanges())
        }

        /// A process that ends without warning, and another that starts.
        mutating func restart(rules: [Rule]? = nil, isSameBoot: Bool = true) {
            var new = RuleEngine(rules: rules ?? engine.rules, settings: engine.settings, start: now)
            story += new.restore(kept.snapshot, at: now, isSameBoot: isSameBoot).occurrences.map {
                "\($0.kind.rawValue)"
            }
            engine = new
            kept.apply(engine.takeChanges())
        }

        mutating func stepWallClock(bySeconds seconds: Int64) {
            now = Instant(boot: now.boot, wall: now.advanced(bySeconds: seconds).wall)
        }
    }

    private static func rule(_ price: PriceKind, _ kind: Draft.Kind = .fall("5%", "1h")) throws -> Rule {
        var draft = Draft(kind: kind)
        draft.price = price
        return try draft.rule()
    }

    @Test(arguments: PriceKind.allCases) func theFirstAndLastSampleOfAWindowSurvive(price: PriceKind) throws {
        var market = Market([try Self.rule(price)])
        try market.run("97 98 100")
        market.restart()
        try market.run("97 95")
        #expect(market.story == ["fired"])
    }

    @Test(arguments: PriceKind.allCases) func afterAnyNumberOfRestartsAFiringIsTheSame(price: PriceKind) throws {
        var market = Market([try Self.rule(price)])
        try market.run("100 95 95")
        for _ in 0..<5 {
            market.restart()
            try market.run("95")
        }
        #expect(market.story == ["fired"])
    }

    @Test(arguments: [-86_400, -1, 1, 86_400] as [Int64]) func aSteppedWallClockLosesNothing(seconds: Int64) throws {
        var market = Market([try Self.rule(.last)])
        try market.run("100 98")
        market.stepWallClock(bySeconds: seconds)
        try market.run("97")
        market.restart()
        try market.run("95")
        #expect(market.story == ["fired"])
    }

    /// The window is one of 10 s: the sample at 100 must leave it after exactly that time.
    @Test(arguments: [true, false]) func aSampleLeavesTheWindowAtItsInstant(isLate: Bool) throws {
        var market = Market([try Self.rule(.bid, .fall("5%", "10s"))])
        try market.run("100 98 98 98 98 98 98 98")
        market.restart()
        try market.run(isLate ? "98 98 95" : "98 95")
        #expect(market.story == (isLate ? [] : ["fired"]))
    }

    /// The wall clock was set while the machine ran, so that the distances of wall times are wrong; those of the boot
    /// clock are not.
    @Test func afterARebootSamplesKeepTheirDistances() throws {
        var market = Market([try Self.rule(.ask, .fall("5%", "10s"))])
        try market.run("100")
        market.stepWallClock(bySeconds: 3_000)
        try market.run("98 98 98")
        let later = market.now.advanced(bySeconds: 4)
        market.now = Instant(boot: BootTime(milliseconds: 2_000), wall: later.wall)
        market.restart(isSameBoot: false)
        try market.run("98 95")
        #expect(market.story == ["fired"])
    }

    @Test func whatWasFrozenInsideAWindowStaysOutside() throws {
        var market = Market([try Self.rule(.last)])
        try market.run("97 !120 !120")
        market.restart()
        try market.run("!120")
        market.restart()
        try market.run("96")
        #expect(!market.story.contains("fired"))
    }

    @Test func addedAndRemovedRulesLeaveTheOtherWindowsAlone() throws {
        let other = try Draft(kind: .rise("90%", "30m")).rule("other")
        let rule = try Self.rule(.mid)
        var market = Market([other, rule])
        try market.run("97 98 100")
        market.restart(rules: [rule])
        try market.run("97")
        market.restart(rules: [rule, other])
        try market.run("95")
        #expect(market.story == ["rules_changed", "rules_changed", "fired"])
    }

    /// An hour of equal prices is stored as nothing but times; the first sample leaves the window after an hour.
    @Test func aLongQuietTimeIsRestoredWithItsEnds() throws {
        var market = Market([try Self.rule(.last, .fall("5%", "10m"))])
        try market.run("100 \(Array(repeating: "98", count: 599).joined(separator: " "))")
        market.restart()
        try market.run("95")
        #expect(market.story.isEmpty)
        try market.run("93")
        #expect(market.story == ["fired"])
    }

    /// The first samples of a window that a reload adds may have the same price as the last one before.
    @Test(arguments: PriceKind.allCases) func aWindowThatAReloadAddsBeginsWithItsFirstSample(price: PriceKind) throws {
        let other = try Self.rule(price, .fall("50%", "10m"))
        var market = Market([other])
        try market.run("98 98")
        market.reload([try Self.rule(price, .fall("5%", "1h"))])
        try market.run("98 98 98 98")
        market.restart()
        try market.run("93")
        #expect(market.story == ["rules_changed", "fired"])
    }
}
