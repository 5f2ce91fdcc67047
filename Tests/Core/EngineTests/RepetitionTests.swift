import Engine
import Events
import Market
import NaiveRules
import Rules
import TestSupport
import Testing
import Time

/// An engine that knows which tickers are repeated, compared with one that does not, on markets where most of them are.
@Suite("Repeated tickers")
struct RepetitionTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func whatIsKnownOfThemChangesNothing(part: UInt64) throws {
        for seed in stride(from: part, to: 1_500, by: 8) {
            var story = try Story(seed: seed)
            while let step = story.next() {
                guard let difference = story.difference(after: step) else { continue }
                Issue.record("seed \(seed), poll \(step): \(difference)")
                return
            }
        }
    }

    /// The tests are worth nothing if no ticker is repeated.
    @Test func mostAreRepeated() throws {
        var (repeated, count) = (0, 0)
        for seed in 0..<50 as Range<UInt64> {
            let story = try Story(seed: seed)
            for (old, new) in zip(story.polls, story.polls.dropFirst()) {
                guard let differences = Story.differences(old.tickers, new.tickers) else { continue }
                repeated += new.tickers.count - differences.count
                count += new.tickers.count
            }
        }
        #expect(repeated > count / 2)
    }
}

/// Polls of a random market that became calm, and the two engines.
private struct Story {
    private(set) var polls: [NaiveRules.Poll] = []
    private var random: SplitMix
    private var knowing: RuleEngine
    private var asking: RuleEngine
    private var step = 0
    /// The tickers that the engines were given last.
    private var former: [Ticker]?

    init(seed: UInt64) throws {
        let market = try RandomMarket(seed: seed)
        random = SplitMix(seed: seed ^ 0x5EED)
        var settings = market.naive.settings
        settings.hasCandles = Bool.random(using: &random)
        asking = RuleEngine(rules: market.naive.rules, settings: settings, start: RandomMarket.start)
        knowing = asking
        var last: [Symbol: Ticker] = [:]
        // The same market three times in a row: longer, and with symbols that come and go.
        var time = RandomMarket.start
        for poll in market.polls + market.polls + market.polls {
            let length = Int64.random(in: 0..<10, using: &random) == 0 ? Int64.random(in: 31...200, using: &random) : 30
            time = time.advanced(bySeconds: length)
            var calm = poll
            calm.time = time
            for place in calm.tickers.indices {
                let symbol = calm.tickers[place].symbol
                if let before = last[symbol], Int.random(in: 0..<5, using: &random) > 0 { calm.tickers[place] = before }
                last[symbol] = calm.tickers[place]
                calm.tickers[place].exchangeTime = time.wall
            }
            if calm.tickers.count > 1, Int.random(in: 0..<15, using: &random) == 0 { calm.tickers.swapAt(0, 1) }
            polls.append(calm)
        }
    }

    mutating func next() -> Int? {
        guard step < polls.count else { return nil }
        defer { step += 1 }
        return step
    }

    /// Where the tickers of two responses differ by more than their times, as a decoder says it.
    static func differences(_ old: [Ticker], _ new: [Ticker]) -> [Int]? {
        guard old.count == new.count else { return nil }
        return new.indices.filter { place in
            var ticker = old[place]
            ticker.exchangeTime = new[place].exchangeTime
            return ticker != new[place]
        }
    }

    /// Gives both engines a poll, and does something to both; nil when both are the same after it.
    mutating func difference(after place: Int) -> String? {
        let poll = polls[place]
        var differences = former.flatMap { Self.differences($0, poll.tickers) }
        former = poll.tickers
        // Some are taken for others although they are the same.
        if Int.random(in: 0..<4, using: &random) == 0 {
            differences = differences.map { known in
                poll.tickers.indices.filter { known.contains($0) || Bool.random(using: &random) }
            }
        }
        let (events, expected) = (knowing.tell(poll, differences: differences), asking.tell(poll))
        guard events == expected else { return "\(events) instead of \(expected)" }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: reload(at: poll.time)
        case 1: restart(at: poll.time)
        case 2: override(at: poll.time)
        case 3...5: guard knowing.takeChanges() == asking.takeChanges() else { return "other changes" }
        default: break
        }
        guard knowing.gaps == asking.gaps else { return "gaps \(knowing.gaps) instead of \(asking.gaps)" }
        guard knowing.snapshot() == asking.snapshot() else { return "another state" }
        guard knowing.alerts() == asking.alerts() else { return "other alerts" }
        return nil
    }

    private mutating func reload(at time: Instant) {
        var settings = asking.settings
        settings.frozenAfter = .seconds([30, 60, 90, 200].randomElement(using: &random) ?? 90)
        settings.maximumGap = .seconds([40, 90, 120].randomElement(using: &random) ?? 90)
        let rules = asking.rules.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        _ = knowing.reload(rules: rules, settings: settings, at: time)
        _ = asking.reload(rules: rules, settings: settings, at: time)
    }

    private mutating func override(at time: Instant) {
        var overrides: [LimitOverride] = []
        for name in RandomMarket.symbols where Bool.random(using: &random) {
            guard let symbol = Symbol(name), let rule = asking.rules.randomElement(using: &random),
                let limit = Price(mantissa: Int64.random(in: 80...120, using: &random), scale: 0)
            else { continue }
            overrides.append(
                LimitOverride(
                    rule: rule.name, source: Timeline.source, symbol: symbol,
                    bound: Bool.random(using: &random) ? .min : .max, limit: limit, currency: rule.currency,
                    author: UserIdentity(id: 0), since: time.wall))
        }
        _ = knowing.setOverrides(overrides, at: time)
        _ = asking.setOverrides(overrides, at: time)
    }

    private mutating func restart(at time: Instant) {
        let snapshot = asking.snapshot()
        var new = RuleEngine(rules: asking.rules, settings: asking.settings, start: time)
        _ = new.restore(snapshot, at: time, isSameBoot: true)
        (knowing, asking) = (new, new)
    }
}
