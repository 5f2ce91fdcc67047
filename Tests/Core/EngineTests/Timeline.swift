import Engine
import Events
import Market
import Rules
import TestSupport
import Time

/// A test's market, written as text: one word per poll, 30 s apart.
///
/// | word | poll |
/// | --- | --- |
/// | `101.5` | the symbol at that price |
/// | `101x3` | three such polls |
/// | `?` | a response in which the symbol has no price |
/// | `0` | a price of zero |
/// | `!101` | at that price without volume, bid and ask: frozen |
/// | `~101` | at that price without volume, but with bid and ask |
/// | `-` | a response without the symbol |
/// | `.` | no response |
/// | `gap 3m` | nothing for that long |
/// | `sleep 3m` | the machine is suspended for that long |
struct Timeline {
    static let interval = Milliseconds.seconds(30)
    static let symbol = "btcinr"
    static let source = SourceName(unchecked: "wazirx")

    var engine: RuleEngine
    static let start = Instant(
        boot: BootTime(milliseconds: 1_000_000), wall: WallTime(milliseconds: 1_700_000_000_000))
    private(set) var now = Timeline.start
    private(set) var poll = 0
    /// What happened, one word an occurrence: `poll:kind:bound:reason`, and `:suppressed` where it was not notified.
    private(set) var story: [String] = []
    private(set) var occurrences: [Occurrence] = []
    /// Whether the engine is stored and replaced by a restored one after each response.
    var restartsAfterEachPoll = false
    /// The reference rates of each poll.
    var rates: ReferenceRates?

    init(_ rules: [Rule], maximumGap: Milliseconds = .seconds(90), frozenAfter: Milliseconds = .seconds(1_800)) {
        let settings = EngineSettings(
            maximumGap: maximumGap, frozenAfter: frozenAfter, staleAfter: Self.interval.times(3))
        engine = RuleEngine(rules: rules, settings: settings, start: now)
    }

    /// Runs the polls that `text` draws and returns what they gave rise to.
    @discardableResult
    mutating func run(_ text: String) throws -> [String] {
        let begin = story.count
        var words = text.split(separator: " ").map(String.init)[...]
        while let word = words.popFirst() {
            if ["gap", "sleep"].contains(word) {
                let length = try required(words.popFirst().flatMap(Milliseconds.init))
                advance(by: length)
                if word == "sleep" { engine.resume(at: now) }
                continue
            }
            let parts = word.split(separator: "x")
            for _ in 0..<(parts.count == 2 ? Int(parts[1]) ?? 1 : 1) {
                try step(String(parts[0]))
            }
        }
        return Array(story[begin...])
    }

    private mutating func step(_ word: String) throws {
        advance(by: Self.interval)
        poll += 1
        if word == "." {
            record(engine.checkFeed(at: now))
            return
        }
        record(engine.evaluate(TickerBatch(tickers: try tickers(word), received: now), rates: rates))
        if restartsAfterEachPoll { restart() }
    }

    /// Replaces the engine by one restored from the snapshot, or from its own when nil.
    @discardableResult
    mutating func restart(
        with snapshot: EngineSnapshot? = nil, rules: [Rule]? = nil, isSameBoot: Bool = true
    ) -> Restoration {
        var new = RuleEngine(rules: rules ?? engine.rules, settings: engine.settings, start: now)
        let gaps = engine.gaps
        new.restore(overrides: engine.overrides)
        let restoration = new.restore(snapshot ?? engine.snapshot(), at: now, isSameBoot: isSameBoot)
        new.restore(gaps: gaps)
        engine = new
        record(restoration.occurrences)
        return restoration
    }

    /// Restarts the boot clock, this much later.
    mutating func reboot(after length: Milliseconds) {
        now = Instant(
            boot: BootTime(milliseconds: 5_000), wall: WallTime(milliseconds: now.wall.milliseconds + length.count))
    }

    private func tickers(_ word: String) throws -> [Ticker] {
        let other = try ticker("other", price: Price("1"), quote: "usdt", volume: "5", book: "1")
        guard word != "-" else { return [other] }
        let text = word.trimmingPrefix { "!~".contains($0) }
        let price = word == "?" ? nil : try Price(String(text))
        let isFrozen = word.first == "!"
        let isQuiet = isFrozen || word.first == "~"
        return [
            try ticker(
                Self.symbol, price: price, quote: "inr", volume: isQuiet ? "0.0" : "7.5", book: isFrozen ? "0" : "100"),
            other,
        ]
    }

    private func ticker(_ symbol: String, price: Price?, quote: String, volume: String, book: String) throws -> Ticker {
        Ticker(
            symbol: try required(Symbol(symbol)), quote: Asset(quote), last: price, volume: try Price(volume),
            bid: try Price(book), ask: try Price(book))
    }

    private mutating func record(_ new: [Occurrence]) {
        occurrences += new
        story += new.map { occurrence in
            let parts = [
                occurrence.kind.rawValue, occurrence.bound?.rawValue, occurrence.reason?.rawValue,
                occurrence.notified ? nil : "suppressed",
            ]
            return "\(poll):" + parts.compactMap(\.self).joined(separator: ":")
        }
    }

    /// Sets the wall clock, which the boot clock does not follow.
    mutating func stepWallClock(by length: Milliseconds) {
        now = Instant(boot: now.boot, wall: WallTime(milliseconds: now.wall.milliseconds + length.count))
    }

    mutating func advance(by length: Milliseconds) {
        now = Instant(
            boot: now.boot.advanced(by: length),
            wall: WallTime(milliseconds: now.wall.milliseconds + length.count))
    }

    /// Applies other overrides and returns the events of that.
    mutating func override(_ overrides: [LimitOverride]) -> [String] {
        let begin = story.count
        record(engine.setOverrides(overrides, at: now))
        return Array(story[begin...])
    }

    /// Says whether the source has candles.
    mutating func setCandles(_ hasCandles: Bool) {
        var settings = engine.settings
        settings.hasCandles = hasCandles
        _ = engine.reload(rules: engine.rules, settings: settings, at: now)
    }

    mutating func reload(_ rules: [Rule]) -> RuleSetChange {
        let (change, new) = engine.reload(rules: rules, settings: engine.settings, at: now)
        record(new)
        return change
    }
}
