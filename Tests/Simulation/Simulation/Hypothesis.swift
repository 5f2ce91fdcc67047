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
    var rules: NaiveRules
    var silences = SilenceList()
    var rates: RateTable?
    var lastNumber: Int64 = 0
    /// Whether there is a state that a restart would find.
    var isSaved = false
    /// The numbered events of the last input.
    var recent: [Int64: NaiveEvent] = [:]

    mutating func number(_ events: [NaiveEvent]) {
        recent = [:]
        for event in events {
            lastNumber += 1
            recent[lastNumber] = event
        }
    }

    mutating func take(_ tickers: [Ticker], at now: Instant) -> [NaiveEvent] {
        _ = silences.update(at: now)
        var reference = rates.map { ReferenceRates($0) }
        reference?.isStale = rates.map { !(-1...6).contains($0.age(on: now.wall.date)) } ?? false
        return rules.take(
            NaiveRules.Poll(time: now, tickers: tickers, rates: reference, silences: silences.inForce(at: now)))
    }

    mutating func take(_ new: RateTable, at now: WallTime) {
        if let rates, new.date < rates.date { return }
        if new.age(on: now.date) < -1 { return }
        rates = new
    }

    mutating func reload(_ settings: SimulatedRules, at now: Instant) -> [NaiveEvent] {
        _ = silences.update(at: now)
        return rules.reload(
            rules: settings.rules, settings: settings.settings, silences: silences.inForce(at: now), at: now)
    }

    /// Continues in another process.
    mutating func restart(_ settings: SimulatedRules, at now: Instant, isSameBoot: Bool) -> [NaiveEvent] {
        guard isSaved else {
            self = Hypothesis(
                rules: NaiveRules(rules: settings.rules, settings: settings.settings, start: now.boot))
            return []
        }
        rules.restart(at: now, isSameBoot: isSameBoot)
        silences = silences.restored(at: now, isSameBoot: isSameBoot)
        return reload(settings, at: now)
    }
}

/// What tells states apart that cause the same events for a while.
struct Digest: Equatable, CustomStringConvertible {
    /// When the last poll was.
    var lastPoll: WallTime?
    /// In the order of the currencies.
    var rates: String?
    var lastSilence: Int64
    /// The silences that were ended by hand.
    var endedSilences: Set<Int64>
    var overrides: [String]
    /// How many alerts fire, are acknowledged and are disarmed.
    var counts: [Int]

    init(_ state: Hypothesis) {
        self.init(state.silences, state.rules.overrides, state.rules.counts)
        (lastPoll, rates) = (state.rules.lastPoll, Self.text(state.rates))
    }

    @LoopActor
    init(_ life: DaemonLife) {
        let engine = life.pipeline.first.engine
        let alerts = engine.alerts()
        self.init(
            life.silences, engine.overrides,
            [
                engine.firingCount, alerts.count { $0.acknowledgement != nil }, alerts.count(where: \.isDisarmed),
            ])
        (lastPoll, rates) = (engine.lastPoll?.wall, Self.text(life.rates))
    }

    var description: String {
        "poll \(lastPoll.map { "\($0.milliseconds)" } ?? "none"), rates \(rates ?? "none"), silences "
            + "\(lastSilence) \(endedSilences.sorted()), limits \(overrides), counts \(counts)"
    }

    static func text(_ rates: RateTable?) -> String? {
        rates.map { rates in
            let all = rates.currencies.map { "\($0) \(rates[$0].map { "\($0)" } ?? "")" }.sorted()
            return "\(rates.date) \(all.joined(separator: " "))"
        }
    }

    private init(_ silences: SilenceList, _ overrides: [LimitOverride], _ counts: [Int]) {
        lastSilence = silences.lastNumber
        endedSilences = Set(silences.records.filter { $0.endedBy != nil }.map(\.number))
        self.overrides = overrides.map { "\($0.rule) \($0.symbol) \($0.bound) \($0.limit)" }.sorted()
        self.counts = counts
    }
}
