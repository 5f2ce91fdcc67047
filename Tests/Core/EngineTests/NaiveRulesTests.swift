import Engine
import Events
import Foundation
import Market
import NaiveRules
import Rules
import TestSupport
import Testing
import Time

/// The engine against the rules written down a second time, on random rules and markets.
@Suite("The rules twice")
struct NaiveRulesTests {
    /// `ALERTD_RULE_CASES=100000` for the whole proof, `ALERTD_RULE_SEED` to begin elsewhere.
    private static let cases = number("ALERTD_RULE_CASES") ?? 1_000
    private static let firstSeed = number("ALERTD_RULE_SEED") ?? 0

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func bothNotifyTheSame(part: UInt64) throws {
        for seed in stride(from: Self.firstSeed + part, to: Self.firstSeed + Self.cases, by: 8) {
            let market = try RandomMarket(seed: seed)
            var engine = RuleEngine(
                rules: market.naive.rules, settings: market.naive.settings, start: RandomMarket.start)
            let notified = market.polls.map { engine.tell($0) }
            let expected = market.naive.events(of: market.polls)
            guard let place = zip(notified, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
                continue
            }
            Issue.record(
                "seed \(seed), poll \(place): \(notified[place]), expected \(expected[place]); \(market.naive.rules)"
            )
            return
        }
    }

    /// Some gaps are looked up in candles at once, others some polls later.
    @Test func bothNotifyTheSameAboutGaps() throws {
        var reasons: [String: Int] = [:]
        for seed in Self.firstSeed..<Self.firstSeed + Self.cases / UInt64(LongRun.count(1, otherwise: 4)) {
            let market = try RandomMarket(seed: seed)
            var settings = market.naive.settings
            settings.hasCandles = true
            var naive = market.naive
            naive.settings = settings
            var engine = RuleEngine(rules: naive.rules, settings: settings, start: RandomMarket.start)
            var random = SplitMix(seed: seed)
            for (place, poll) in market.polls.enumerated() {
                #expect(engine.tell(poll) == naive.take(poll), "seed \(seed), poll \(place)")
                let keys = engine.gaps.map { NaiveGapKey($0.symbol, since: $0.id.since, until: $0.until) }
                #expect(Set(keys) == naive.gaps, "seed \(seed), poll \(place)")
                for gap in engine.gaps where Bool.random(using: &random) {
                    let candles = try RandomMarket.candles(of: gap, &random)
                    let told = engine.touched(gap.id, candles, rates: poll.rates, at: poll.time).map(NaiveEvent.init)
                    let expected = naive.touched(
                        NaiveGapKey(gap.symbol, since: gap.id.since, until: gap.until), candles, rates: poll.rates,
                        at: poll.time, silences: poll.silences)
                    #expect(told == expected, "seed \(seed), poll \(place): \(naive.rules)")
                    guard told == expected else { return }
                    for event in told { reasons[event.reason?.rawValue ?? "", default: 0] += 1 }
                }
            }
        }
        let expected: Set = ["caught_up", "cooldown", "silenced", "only_while", "disarmed"]
        #expect(expected.isSubset(of: reasons.keys), "\(reasons)")
    }

    /// The events of a poll do not depend on later polls.
    @Test func theRulesKnowNoFuture() throws {
        for seed in 0..<20 as Range<UInt64> {
            let market = try RandomMarket(seed: seed)
            let all = market.naive.events(of: market.polls)
            for end in market.polls.indices {
                #expect(market.naive.events(of: Array(market.polls[...end])).last == all[end], "seed \(seed)")
            }
        }
    }

    /// A store and a restart after every poll.
    @Test func aRestartAfterEachPollChangesNothing() throws {
        for seed in 0..<UInt64(LongRun.count(300, otherwise: 100)) {
            let market = try RandomMarket(seed: seed)
            var whole = RuleEngine(
                rules: market.naive.rules, settings: market.naive.settings, start: RandomMarket.start)
            var broken = whole
            for end in market.polls.indices {
                let notified = whole.tell(market.polls[end])
                #expect(broken.tell(market.polls[end]) == notified, "seed \(seed), poll \(end)")
                #expect(broken.snapshot() == whole.snapshot(), "seed \(seed), poll \(end)")
                broken = try market.restarted(broken, after: end)
            }
        }
    }

    /// The random cases are worth nothing when they tell nothing.
    @Test func everythingIsNotified() throws {
        var words: Set<String> = []
        for seed in 0..<150 as Range<UInt64> {
            let market = try RandomMarket(seed: seed)
            var engine = RuleEngine(
                rules: market.naive.rules, settings: market.naive.settings, start: RandomMarket.start)
            for poll in market.polls {
                for event in engine.tell(poll) { words.formUnion("\(event)".split(separator: " ").map(String.init)) }
            }
        }
        let expected =
            [
                "fired", "resolved", "repeated", "symbol_frozen", "symbol_missing", "symbol_returned", "notified",
                "suppressed",
            ]
            + Bound.allCases.map(\.rawValue)
            + ["already_breached", "after_gap", "cooldown", "silenced", "fired_suppressed", "disarmed", "rule_expired"]
            + ["only_while", "cleared"]
        #expect(Set(expected).subtracting(words).isEmpty)
    }
}

extension RuleEngine {
    /// Evaluates a poll and gives its events as the naive rules do.
    mutating func tell(_ poll: NaiveRules.Poll) -> [NaiveEvent] {
        silences = poll.silences
        let somebody = Acknowledgement(by: UserIdentity(id: 0), at: poll.time.wall)
        for rule in poll.acknowledged { _ = acknowledge(rule: rule, somebody) }
        for rule in poll.armed { _ = arm(rule: rule) }
        let batch = TickerBatch(tickers: poll.tickers, received: poll.time)
        return evaluate(batch, rates: poll.rates).map(NaiveEvent.init)
    }
}

extension RandomMarket {
    fileprivate func restarted(_ engine: RuleEngine, after end: Int) throws -> RuleEngine {
        let now = polls[end].time
        var new = RuleEngine(rules: naive.rules, settings: naive.settings, start: now)
        let restoration = new.restore(engine.snapshot(), at: now, isSameBoot: true)
        #expect(restoration.unreadable.isEmpty && restoration.occurrences.isEmpty)
        return new
    }

    private func isFrozen(_ symbol: Symbol, _ polls: ArraySlice<NaiveRules.Poll>) -> Bool {
        var copy = NaiveRules(rules: [], settings: naive.settings)
        for poll in polls { _ = copy.take(poll) }
        return copy.isFrozen(symbol)
    }
}
