import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@testable import Engine

/// No response, whatever is in it, changes the state for good.
@Suite("Symbols that vanish are forgotten")
struct ForgettingTests {
    private static let day: Int64 = 86_400
    private static let limit = TickerBatch.symbolLimit

    private static func engine(_ rules: [Rule]) -> RuleEngine {
        let settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
        return RuleEngine(rules: rules, settings: settings, start: .testStart)
    }

    private static func ticker(_ symbol: String, _ price: String = "1") throws -> Ticker {
        Ticker(
            symbol: try required(Symbol(symbol)), quote: Asset("inr"), last: try Price(price), volume: try Price("5"),
            bid: try Price("1"), ask: try Price("1"))
    }

    private static func junk(_ series: String, _ count: Int = limit, price: String = "1") throws -> [Ticker] {
        try (0..<count).map { try ticker("\(series)\($0)inr", price) }
    }

    private static func batch(_ tickers: [Ticker], _ seconds: Int64) -> TickerBatch {
        TickerBatch(tickers: tickers, received: Instant.testStart.advanced(bySeconds: seconds))
    }

    @Test(arguments: [["btcinr"], ["*inr"]])
    func responsesFullOfJunkLeaveRoomForWhatARuleWatches(_ symbols: [String]) throws {
        var engine = Self.engine([try .band("band", max: "100", symbols: symbols)])
        for number in 0..<4 as Range<Int64> {
            _ = engine.evaluate(Self.batch(try Self.junk("j\(number)x"), number * 30))
        }
        let fired = engine.evaluate(Self.batch([try Self.ticker("btcinr", "101")], 120)).filter { $0.kind == .fired }
        #expect(fired.map(\.symbol) == [Symbol("btcinr")])
        #expect(engine.alerts().count { $0.symbol != Symbol("btcinr") } <= SymbolStates.capacity)
    }

    @Test func theLargestResponseFitsBesidesOnesThatVanished() throws {
        var engine = Self.engine([try .band("band", max: "1", symbols: ["*"])])
        for number in 0..<3 as Range<Int64> {
            let events = engine.evaluate(Self.batch(try Self.junk("j\(number)x"), number * 30))
            #expect(events.count { $0.kind == .fired } == Self.limit)
        }
    }

    @Test func aDayLaterNothingIsLeft() throws {
        var engine = Self.engine([try .band("band", max: "100", symbols: ["*inr"])])
        let real = try Self.ticker("btcinr")
        _ = engine.evaluate(Self.batch([real], 0))
        _ = engine.evaluate(Self.batch(try Self.junk("j", 50) + [real], 30))
        _ = engine.evaluate(Self.batch([real], 60))
        #expect(engine.snapshot().alerts.count == 51)
        _ = engine.takeChanges()
        _ = engine.evaluate(Self.batch([real], 60 + Self.day - 1))
        #expect(engine.snapshot().alerts.count == 51)
        _ = engine.evaluate(Self.batch([real], 60 + Self.day + 3_600))
        #expect(engine.snapshot().alerts.map(\.symbol) == [real.symbol])
        #expect(engine.snapshot().symbolNames == [real.symbol])
        #expect(engine.forgotten.count == 50)
        // What is stored is replaced as a whole.
        #expect(engine.takeChanges() == .whole(engine.snapshot()))
        _ = engine.evaluate(Self.batch([real], 60 + Self.day + 3_630))
        #expect(engine.forgotten.isEmpty)
    }

    /// The order in which symbols were first seen is not the same after a restart.
    @Test func symbolsGiveUpTheirPlacesInTheOrderOfTheirNames() throws {
        var engine = Self.engine([try .band("band", max: "100", symbols: ["*"])])
        let count = SymbolStates.capacity - Self.limit
        let old = try Self.junk("a", count - 2) + [Self.ticker("zinr"), Self.ticker("yinr")]
        _ = engine.evaluate(Self.batch(old, 0))
        _ = engine.evaluate(Self.batch([try Self.ticker("btcinr")], 30))
        _ = engine.evaluate(Self.batch(try Self.junk("b", Self.limit), 60))
        // btcinr vanished last, so it stays; one of those that vanished together has to go.
        #expect(engine.forgotten == [try required(Symbol("a0inr"))])
        _ = engine.evaluate(
            Self.batch(try Self.junk("b", Self.limit - 2) + [Self.ticker("x1inr"), Self.ticker("x2inr")], 90))
        #expect(engine.forgotten.map(\.description).sorted() == ["a1000inr", "a1001inr"])
    }

    @Test func aStateFileFullOfJunkHealsItself() throws {
        let rules = [try Rule.band("band", max: "100", symbols: ["*inr"])]
        var engine = Self.engine(rules)
        for number in 0..<3 as Range<Int64> {
            _ = engine.evaluate(Self.batch(try Self.junk("j\(number)x"), number * 30))
        }
        var restored = Self.engine(rules)
        _ = restored.restore(engine.snapshot(), at: Instant.testStart.advanced(bySeconds: 61), isSameBoot: true)
        let fired = restored.evaluate(Self.batch([try Self.ticker("btcinr", "101")], 90))
        #expect(fired.map(\.kind) == [.fired])
        _ = restored.evaluate(Self.batch([try Self.ticker("btcinr", "101")], 90 + Self.day + 3_600))
        #expect(restored.snapshot().alerts.count == 1)
    }

    @Test func aNamedSymbolIsNeverForgotten() throws {
        var engine = Self.engine([try .band("band", max: "100", symbols: ["btcinr", "eth*"])])
        let other = try Self.ticker("other")
        _ = engine.evaluate(Self.batch([try Self.ticker("btcinr"), try Self.ticker("ethinr"), other], 0))
        _ = engine.evaluate(Self.batch([other], 30))
        _ = engine.evaluate(Self.batch([other], 3 * Self.day))
        #expect(engine.snapshot().symbolNames == [Symbol("btcinr")])
    }

    /// What an alert has notified is remembered for as long as there is room.
    @Test(arguments: [Draft(kind: .max("100")), Draft(kind: .max("100"), once: true)])
    func anAlertThatFiresIsNotForgotten(_ draft: Draft) throws {
        var timeline = Timeline([try draft.rule(symbols: ["btc*"])])
        #expect(try timeline.run("99 101") == ["2:fired:max"])
        #expect(try timeline.run("- gap 72h - 101 102") == [])
        #expect(try timeline.run("99") == ["7:resolved:max"])
    }

    /// Whether it was looked for in the meantime makes no difference, nor whether the daemon restarted.
    @Test(arguments: [false, true], [false, true])
    func aRuleThatNamesAForgottenSymbolKnowsNothingOfIt(isRestart: Bool, isSwept: Bool) throws {
        var timeline = Timeline([try Draft(kind: .max("100")).rule(symbols: ["btc*"])])
        try timeline.run("99 - gap 72h")
        if isSwept { try timeline.run("-") }
        let rules = [try Draft(kind: .max("100")).rule("new", symbols: ["btcinr"])]
        if isRestart { timeline.restart(rules: rules) } else { _ = timeline.reload(rules) }
        try timeline.run("-")
        #expect(timeline.occurrences.map(\.kind) == [.rulesChanged, .symbolMissing])
        #expect(timeline.occurrences.last?.previous == nil)
    }

    /// What a rule names from now on is remembered from now on, also before the next response.
    @Test(arguments: [false, true])
    func aRuleThatNamesASymbolKeepsItOverARestart(isSameBoot: Bool) throws {
        var timeline = Timeline([try Draft(kind: .max("100")).rule(symbols: ["btc*"])])
        try timeline.run("99 -")
        _ = timeline.reload([try Draft(kind: .max("100")).rule("new", symbols: ["btcinr"])])
        let saved = timeline.engine.snapshot()
        if isSameBoot {
            timeline.advance(by: .seconds(72 * 3_600))
        } else {
            timeline.reboot(after: .seconds(72 * 3_600))
        }
        timeline.restart(with: saved, isSameBoot: isSameBoot)
        try timeline.run("-")
        #expect(timeline.occurrences.map(\.kind) == [.rulesChanged, .symbolMissing])
        #expect(timeline.occurrences.last?.previous?.price == (try Price("99")))
    }

    @Test func aDisarmedAlertStaysDisarmed() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), once: true).rule(symbols: ["btc*"])])
        #expect(try timeline.run("99 101 99").count == 2)
        #expect(try timeline.run("- gap 72h - 99 101") == ["7:fired:max:disarmed:suppressed"])
    }

    @Test func aCooldownIsNotForgotten() throws {
        var timeline = Timeline([try Draft(kind: .max("100"), cooldown: "96h").rule(symbols: ["btc*"])])
        #expect(try timeline.run("99 101 99").count == 2)
        #expect(try timeline.run("- gap 48h - 99 101") == ["7:fired:max:cooldown:suppressed"])
    }

    @Test func aWindowIsNotForgotten() throws {
        var timeline = Timeline([try Draft(kind: .rise("10", "72h")).rule(symbols: ["btc*"])])
        #expect(try timeline.run("90 91 - gap 48h - 101") == ["5:fired:rise:after_gap"])
    }

    /// Whether it was forgotten in the meantime makes no difference.
    @Test(arguments: [false, true])
    func aSymbolThatWasGoneForLongStartsOver(_ hasSweep: Bool) throws {
        var timeline = Timeline([try Draft(kind: .max("100")).rule(symbols: ["btc*"])])
        #expect(try timeline.run("99 - gap 25h") == [])
        #expect(try timeline.run(hasSweep ? "- 101" : "101") == ["\(hasSweep ? 4 : 3):fired:max:already_breached"])
    }

    @Test func restartsMakeNoDifference() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            let draft = Draft(kind: .max("100"), cooldown: ["0s", "30h"].randomElement(using: &random) ?? "0s")
            let words = (0..<30).map { _ in
                ["99", "101", "-", "-", "~99x2", "gap 13h", "gap 25h", "?"].randomElement(using: &random) ?? "-"
            }
            var whole = Timeline([try draft.rule(symbols: ["btc*"])])
            var broken = whole
            broken.restartsAfterEachPoll = true
            try whole.run(words.joined(separator: " "))
            try broken.run(words.joined(separator: " "))
            #expect(broken.occurrences == whole.occurrences, "seed \(seed)")
        }
    }

    /// Whoever was notified of a firing is notified of its end, whatever the reason.
    @Test func aFiringThatHasToMakeRoomEnds() throws {
        var engine = Self.engine([try .band("band", max: "1", symbols: ["*"])])
        for number in 0..<2 as Range<Int64> {
            _ = engine.evaluate(Self.batch(try Self.junk("j\(number)x"), number * 30))
        }
        let events = engine.evaluate(Self.batch(try Self.junk("last", 3), 60))
        let ended = events.filter { $0.kind == .resolved }
        #expect(ended.map(\.reason) == [.symbolGone, .symbolGone, .symbolGone])
        #expect(ended.allSatisfy { $0.notified && $0.symbol.map { "\($0)".hasPrefix("j0x") } ?? false })
        #expect(ended.first?.text.hasSuffix("no longer applies (symbol gone)") == true)
        #expect(events.count { $0.kind == .fired } == 3)
        #expect(engine.forgotten == Set(ended.compactMap(\.symbol)))
    }

    @Test func aReloadLeavesFreePlacesFree() throws {
        var engine = Self.engine([try .band("band", max: "100", symbols: ["*"])])
        let real = try Self.ticker("btcinr")
        _ = engine.evaluate(Self.batch(try Self.junk("j", 3) + [real], 0))
        _ = engine.evaluate(Self.batch([real], 30))
        _ = engine.evaluate(Self.batch([real], 2 * Self.day))
        let later = Instant.testStart.advanced(bySeconds: 2 * Self.day + 10)
        _ = engine.reload(
            rules: [try .band("new", max: "50", symbols: ["*"])], settings: engine.settings, at: later)
        #expect(engine.snapshot().alerts.map(\.symbol) == [real.symbol])
        #expect(engine.alerts().map(\.symbol) == [real.symbol])
        _ = engine.evaluate(Self.batch([real] + (try Self.junk("k", 2)), 2 * Self.day + 30))
        #expect(Set(engine.alerts().map { "\($0.symbol)" }) == ["btcinr", "k0inr", "k1inr"])
    }
}
