internal import ExchangeRates
internal import Feeds
internal import Market
internal import Time

/// The reference rates in effect, and the results of fetching them. It has no clock and makes no requests.
struct RateState {
    /// The last good rates; a failure never removes them.
    private(set) var rates: RateTable?
    /// Rates of an earlier date, for currencies that the last file names without a usable rate; nil if there are no
    /// such currencies. These rates are stale.
    private(set) var former: RateTable?
    /// The time when the rates were fetched, or last found to be unchanged.
    private(set) var fetched: WallTime?
    private(set) var lastAttempt: WallTime?
    /// The failure of the last fetch; nil if it succeeded.
    private(set) var failure: FeedFailure?
    /// The time when the next fetch begins; nil while one is in progress, and if fetching is disabled.
    var nextDue: BootTime?

    /// Restores rates that an earlier run saved.
    mutating func restore(_ rates: RateTable, former: RateTable?, fetched: WallTime) {
        self.rates = rates
        self.former = former
        self.fetched = fetched
    }

    /// Applies the result of a fetch.
    ///
    /// - Parameters:
    ///   - new: the rates of a file; nil if they have not changed.
    ///   - isPartial: whether the file has currencies without a usable rate, whose last rates are kept.
    ///   - now: the time of the fetch.
    /// - Returns: true if other rates are in effect now.
    /// - Throws: ``FeedFailure`` for implausible rates, which change nothing: rates that are dated in the future, or
    ///   that are older than the rates in effect from the same source, as an outdated cache may return.
    mutating func apply(_ new: RateTable?, isPartial: Bool = false, at now: WallTime) throws(FeedFailure) -> Bool {
        lastAttempt = now
        guard let new else {
            succeed(at: now)
            return false
        }
        if let rates, rates.source == new.source, new.date < rates.date {
            throw FeedFailure(
                .unusable, "the exchange rates are dated \(new.date), older than those in effect of \(rates.date)",
                advice: "a cache or mirror may be out of date; check `url` in [rates]")
        }
        // East of Greenwich the date may be one day ahead.
        if new.age(on: now.date) < -1 {
            throw FeedFailure(
                .unusable, "the exchange rates are dated \(new.date), which is in the future",
                advice: "check the machine's clock, and `url` in [rates]")
        }
        let earlier = isPartial ? [rates, former].compactMap(\.self) : []
        former = earlier.first { !$0.currencies(lackingIn: new).isEmpty }
        defer { rates = new }
        succeed(at: now)
        return new != rates
    }

    /// Records a fetch without usable rates.
    mutating func fail(_ failure: FeedFailure, at now: WallTime) {
        lastAttempt = now
        self.failure = failure
    }

    /// Discards the failure of a feed that was replaced.
    mutating func forgetFailure() {
        failure = nil
    }

    private mutating func succeed(at now: WallTime) {
        fetched = now
        failure = nil
    }
}

extension RateTable {
    /// Returns the currencies for which only this table has a rate.
    func currencies(lackingIn other: RateTable) -> [Currency] {
        currencies.filter { self[$0] != nil && other[$0] == nil }
    }
}
