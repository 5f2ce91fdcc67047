internal import Engine
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
