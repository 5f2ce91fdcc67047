internal import AlertDaemon
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Market
internal import NaiveRules
internal import Rules
internal import Time

/// A state that the daemon may be in. After a crash in the middle of a commit there are several, until an event shows
/// which it is.
struct Hypothesis: Equatable {
    var rules: NaiveSources
    var silences = SilenceList()
    var rates: RateTable?
    var lastNumber: Int64 = 0
    /// Whether there is a state that a restart would find.
    var isSaved = false
    /// The usable prices of the last responses, which a crash may take back.
    var prices: [SourceName: [Symbol: Price]] = [:]
    /// The numbered events of the last input.
    var recent: [Int64: NaiveEvent] = [:]

    mutating func number(_ events: [NaiveEvent]) {
        recent = [:]
        for event in events {
            lastNumber += 1
            recent[lastNumber] = event
        }
    }

    mutating func take(_ tickers: [Ticker], of source: SourceName, at now: Instant) -> [NaiveEvent] {
        _ = silences.update(at: now)
        return rules.take(
            NaiveRules.Poll(
                time: now, tickers: tickers, rates: reference(at: now), silences: silences.inForce(at: now)),
            of: source)
    }

    /// Takes the prices of a response.
    ///
    /// - Returns: whether none of them differs from the response before.
    mutating func takePrices(_ tickers: [Ticker], of source: SourceName) -> Bool {
        let new = tickers.compactMap { ticker in ticker.last.map { (ticker.symbol, $0) } }.filter { $0.1.isPositive }
        // A market without a usable price keeps the one before.
        let before = prices[source, default: [:]]
        prices[source, default: [:]].merge(Dictionary(new) { first, _ in first }) { $1 }
        return prices[source] == before || new.isEmpty
    }

    private func reference(at now: Instant) -> ReferenceRates? {
        var reference = rates.map { ReferenceRates($0) }
        reference?.isStale = rates.map { !(-1...6).contains($0.age(on: now.wall.date)) } ?? false
        return reference
    }

    /// Takes the candles of a gap.
    mutating func touched(
        _ gap: NaiveGapKey, of source: SourceName, _ candles: [Candle], at now: Instant
    ) -> [NaiveEvent] {
        _ = silences.update(at: now)
        return rules.touched(
            gap, of: source, candles, rates: reference(at: now), at: now, silences: silences.inForce(at: now))
    }

    mutating func take(_ new: RateTable, at now: WallTime) {
        if let rates, new.date < rates.date { return }
        if new.age(on: now.date) < -1 { return }
        rates = new
    }

    mutating func reload(_ settings: SimulatedRules, at now: Instant) -> [NaiveEvent] {
        _ = silences.update(at: now)
        return rules.reload(
            settings.sources.map(\.naive), rules: settings.rules, checks: settings.checks,
            silences: silences.inForce(at: now), at: now)
    }

    /// Continues in another process.
    mutating func restart(_ settings: SimulatedRules, at now: Instant, isSameBoot: Bool) -> [NaiveEvent] {
        guard isSaved else {
            self = Hypothesis(
                rules: NaiveSources(
                    settings.sources.map(\.naive), rules: settings.rules, checks: settings.checks, start: now.boot))
            return []
        }
        rules.restart(at: now, isSameBoot: isSameBoot)
        silences = silences.restored(at: now, isSameBoot: isSameBoot)
        return reload(settings, at: now)
    }
}

/// What tells lists of silences apart.
struct Silences: Equatable {
    var last: Int64
    /// Those that were ended by hand.
    var ended: Set<Int64>

    init(_ list: SilenceList) {
        last = list.lastNumber
        ended = Set(list.records.filter { $0.endedBy != nil }.map(\.number))
    }
}

/// What tells states apart that cause the same events for a while.
struct Digest: Equatable, CustomStringConvertible {
    /// When the last poll of each source was.
    var lastPolls: [String: WallTime]
    /// In the order of the currencies.
    var rates: String?
    var silences: Silences
    var overrides: [String]
    /// How many alerts of each source fire, are acknowledged and are disarmed.
    var counts: [String: [Int]]
    var checks: [String: String]
    /// The gaps that are still to be looked up.
    var gaps: [String]

    init(_ state: Hypothesis) {
        silences = Silences(state.silences)
        let lanes = state.rules.lanes.map { ("\($0.name)", $0.rules) }
        overrides = Self.text(lanes.flatMap(\.1.overrides))
        counts = Dictionary(uniqueKeysWithValues: lanes.map { ($0, $1.counts) })
        lastPolls = Dictionary(uniqueKeysWithValues: lanes.compactMap { lane in lane.1.lastPoll.map { (lane.0, $0) } })
        rates = Self.text(state.rates)
        gaps = Self.text(state.rules.gaps)
        checks = state.rules.checkStates
    }

    @LoopActor
    init(_ life: DaemonLife, gaps: [SourceName: Set<NaiveGapKey>]) {
        silences = Silences(life.silences)
        let lanes = life.pipeline.lanes.map { ("\($0.name)", $0.engine) }
        overrides = Self.text(lanes.flatMap(\.1.overrides))
        counts = Dictionary(uniqueKeysWithValues: lanes.map { ($0, Self.counts(of: $1)) })
        lastPolls = Dictionary(
            uniqueKeysWithValues: lanes.compactMap { lane in lane.1.lastPoll.map { (lane.0, $0.wall) } })
        rates = Self.text(life.rates)
        self.gaps = Self.text(gaps)
        checks = life.checks
    }

    private static func text(_ gaps: [SourceName: Set<NaiveGapKey>]) -> [String] {
        gaps.flatMap { source, gaps in
            gaps.map { "\(source):\($0.symbol) \($0.since.milliseconds)…\($0.until.milliseconds)" }
        }.sorted()
    }

    private static func counts(of engine: RuleEngine) -> [Int] {
        let alerts = engine.alerts()
        return [engine.firingCount, alerts.count { $0.acknowledgement != nil }, alerts.count(where: \.isDisarmed)]
    }

    var description: String {
        let polls = lastPolls.sorted { $0.key < $1.key }.map { "\($0) \($1.milliseconds)" }
        let counts = counts.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
        return "polls \(polls), rates \(rates ?? "none"), silences "
            + "\(silences.last) \(silences.ended.sorted()), limits \(overrides), counts \(counts), gaps \(gaps), "
            + "checks \(checks.sorted { $0.key < $1.key })"
    }

    static func text(_ rates: RateTable?) -> String? {
        rates.map { rates in
            let all = rates.currencies.map { "\($0) \(rates[$0].map { "\($0)" } ?? "")" }.sorted()
            return "\(rates.date) \(all.joined(separator: " "))"
        }
    }

    private static func text(_ overrides: [LimitOverride]) -> [String] {
        overrides.map { "\($0.source) \($0.rule) \($0.symbol) \($0.bound) \($0.limit)" }.sorted()
    }
}
