internal import ExchangeRates
internal import Feeds
internal import Market
internal import Time

/// The reference rates in force, and how fetching them goes. It has no clock and asks nobody.
struct RateState {
    /// The last good rates; a failure never takes them away.
    private(set) var rates: RateTable?
    /// When they were fetched, or last found to be unchanged.
    private(set) var fetched: WallTime?
    private(set) var lastAttempt: WallTime?
    /// What went wrong last; nil while all is well.
    private(set) var failure: FeedFailure?
    /// When the source is asked next.
    var nextDue: BootTime?

    /// Takes up rates that were kept from an earlier run.
    mutating func restore(_ rates: RateTable, fetched: WallTime) {
        self.rates = rates
        self.fetched = fetched
    }

    /// Takes what the source gave; nil for rates that are unchanged.
    ///
    /// - Returns: whether the rates in force are others now.
    /// - Throws: ``FeedFailure`` for rates that cannot be right, which change nothing: of a date in the future, or
    ///   older than those in force (a copy in between that nobody renews).
    mutating func take(_ new: RateTable?, at now: WallTime) throws(FeedFailure) -> Bool {
        lastAttempt = now
        guard let new else {
            succeed(at: now)
            return false
        }
        if let rates, new.date < rates.date {
            throw FeedFailure(
                .unusable, "the exchange rates are of \(new.date), older than those of \(rates.date) in force",
                advice: "a copy in between may be out of date; check `url` in [rates]")
        }
        // East of Greenwich it may be a day later than here.
        if new.age(on: now.date) < -1 {
            throw FeedFailure(
                .unusable, "the exchange rates are of \(new.date), which is in the future",
                advice: "check the machine's clock, and `url` in [rates]")
        }
        defer { rates = new }
        succeed(at: now)
        return new != rates
    }

    /// Notes that the source gave nothing that can be used.
    mutating func fail(_ failure: FeedFailure, at now: WallTime) {
        lastAttempt = now
        self.failure = failure
    }

    /// Another source is asked from now on, or none: what was wrong with the one before says nothing of it.
    mutating func forgetFailure() {
        failure = nil
    }

    private mutating func succeed(at now: WallTime) {
        fetched = now
        failure = nil
    }
}
