package import Events
package import Market
package import Rules
package import Time

/// The explanation of why an alert fires, does not fire, or was not notified, as values.
package struct AlertExplanation: Sendable {
    package let view: AlertView
    /// Facts in this order: what blocks the evaluation, the alert's state, what affects notifications.
    package let facts: [AlertFact]
    /// The prices at which the alert would change its state, as far as they are known.
    package let levels: [AlertLevel]
    /// When the price of ``view`` was received.
    package let priceTime: WallTime?
    /// The window that a rise or fall is measured in; nil for other conditions, and with fewer than two prices.
    package let window: WindowView?
    /// The conversion into the rule's currency; nil if it is not needed or not possible.
    package let conversion: ConversionEvidence?
}

/// A current fact about an alert.
package enum AlertFact: Equatable, Sendable {
    // Blockers of the evaluation.
    /// The feed is stale; `since` is the time of the last usable response.
    case feedStale(since: WallTime)
    case frozen(since: WallTime)
    /// The symbol is not in the last response; nil if no response ever had it.
    case missing(lastPrice: WallTime?)
    /// The last response has no usable price of this kind.
    case unusable(PriceKind)
    case unconvertible(from: Currency?, to: Currency)
    /// The reference rates are too old.
    case staleRate
    case expired(at: WallTime)

    // The alert's state.
    /// The alert has not been evaluated with a usable price yet.
    case noBaseline
    /// The base of the relative limit is unknown, for the given reason.
    case noBase(String)
    /// The alert's window has fewer than two prices.
    case windowTooShort
    case inactive(since: WallTime)
    /// The limit has been breached for `held`; the alert fires after `of`.
    case pending(since: WallTime, held: Milliseconds, of: Milliseconds)
    case firing(since: WallTime)
    /// The alert fires but has been clear for `held`, and it resolves after `of`.
    case clear(since: WallTime, held: Milliseconds, of: Milliseconds)
    /// The side of the limit that the price is on, for a crossing, and since when.
    case armed(Side, since: WallTime)

    // Effects on notifications.
    /// The time of the last notification of the firing.
    case notified(at: WallTime)
    /// The firing was acknowledged, which stops its repeat notifications.
    case acknowledged(Acknowledgement)
    /// The firing was not notified, for the given reason.
    case suppressed(Reason)
    case repeats(at: WallTime)
    /// The resolve notification is deferred until the silence ends.
    case resolvePending
    case silenced(by: Int64, until: WallTime)
    /// Firings are notified only while the named rule fires on the symbol; the time is nil if it does not fire now.
    case onlyWhile(String, firingSince: WallTime?)
    case cooldown(until: WallTime)
    /// A one-shot rule has notified and must be re-armed.
    case disarmed
    /// The rule expires at this time.
    case expires(at: WallTime)
    /// There were no prices in this period, and candles have yet to show if the limit was reached.
    case gap(since: WallTime, until: WallTime)
    /// Gaps are never looked up for this alert, for the given reason.
    case notCaughtUp(CatchUpObstacle)
}

/// The reason why candles cannot show if an alert's limit was reached in a gap.
package enum CatchUpObstacle: String, CaseIterable, Sendable {
    /// The source has no candles.
    case source
    /// The settings disable candles.
    case disabled
    /// Candles cannot decide moves and crossings.
    case condition
    /// Candles have last prices only, and the rule uses another kind of price.
    case price
}

/// A price at which an alert changes its state, and the distance of the current price from it, in the rule's
/// currency.
package struct AlertLevel: Equatable, Sendable {
    let test: LevelTest
    /// True if the last usable price satisfies the comparison, decided without rounding; nil while there is no price.
    package let isReached: Bool?
    /// The level minus the price; nil if it does not fit.
    package let away: Price?
    /// The distance in per cent of the price, with two decimals.
    package let awayPercent: Price?

    package var role: LevelTest.Role { test.role }
    package var comparison: LevelTest.Comparison { test.comparison }
    package var price: Price { test.price }
}

/// The window of a rise or fall, with prices in the rule's currency.
package struct WindowView: Equatable, Sendable {
    /// The length of time that the window covers.
    package let length: Milliseconds
    /// The lowest usable price of the window.
    package let lowest: Price
    /// The highest usable price of the window.
    package let highest: Price
}
