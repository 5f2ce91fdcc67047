package import Events
package import Market
package import Rules
package import Time

/// Why an alert fires, does not fire, or was not notified: everything that decides about it, as values.
package struct AlertExplanation: Sendable {
    /// The alert as it is now.
    package let view: AlertView
    /// Facts in this order: what keeps it from evaluating, its state, what decides about notification.
    package let facts: [AlertFact]
    /// The prices that decide, as far as they are known.
    package let levels: [AlertLevel]
    /// When the price of ``view`` was received.
    package let priceTime: WallTime?
    /// What a rise or fall is measured from; nil for other conditions, and with fewer than two prices.
    package let window: WindowView?
    /// How prices are converted into the rule's currency; nil when they need not or cannot be.
    package let conversion: ConversionEvidence?
}

/// A fact about an alert now.
package enum AlertFact: Equatable, Sendable {
    // What keeps it from evaluating.
    /// There was no usable response for too long; the last one was at that time.
    case feedStale(since: WallTime)
    case frozen(since: WallTime)
    /// Not in the last response; nil when it never was in one.
    case missing(lastPrice: WallTime?)
    /// The last response has no price of that kind.
    case unusable(PriceKind)
    case unconvertible(from: Currency?, to: Currency)
    /// The reference rates are too old.
    case staleRate
    case expired(at: WallTime)

    // Its state.
    /// No usable price was seen yet.
    case noBaseline
    /// What its relative limit refers to is not known, and why.
    case noBase(String)
    /// Its window holds fewer than two prices.
    case windowTooShort
    case inactive(since: WallTime)
    /// The limit has been reached for `held`, out of the time that it must hold.
    case pending(since: WallTime, held: Milliseconds, of: Milliseconds)
    case firing(since: WallTime)
    /// Where the price of a crossing is, and since when.
    case armed(Side, since: WallTime)

    // What decides about notification.
    /// The firing was last notified at that time; `number` is unknown to the engine.
    case notified(at: WallTime)
    /// Repeat notifications of the firing are stopped.
    case acknowledged(Acknowledgement)
    /// The firing was not notified, and why.
    case suppressed(Reason)
    case repeats(at: WallTime)
    /// The resolve notification is deferred until the silence ends.
    case resolvePending
    case silenced(by: Int64, until: WallTime)
    case cooldown(until: WallTime)
    /// A one-shot rule has notified, and has to be re-armed.
    case disarmed
    /// Its rule expires then.
    case expires(at: WallTime)
    /// There were no prices in that time, and candles have yet to say whether the limit was reached.
    case gap(since: WallTime, until: WallTime)
    /// What the price does in a gap is never looked up, and why.
    case notCaughtUp(CatchUpObstacle)
}

/// Why candles cannot tell whether an alert's limit was reached in a gap.
package enum CatchUpObstacle: String, CaseIterable, Sendable {
    /// The source has none.
    case source
    /// The settings do not use them.
    case disabled
    /// They say nothing about moves and crossings.
    case condition
    /// They have last prices only.
    case price
}

/// A level that decides about an alert, and how far the price is from it; in the rule's currency.
package struct AlertLevel: Equatable, Sendable {
    let test: LevelTest
    /// Whether the last usable price satisfies the comparison, decided exactly; nil while there is no price.
    package let isReached: Bool?
    /// The level less the price; nil when that does not fit.
    package let away: Price?
    /// The same in per cent of the price, with two digits.
    package let awayPercent: Price?

    package var role: LevelTest.Role { test.role }
    package var comparison: LevelTest.Comparison { test.comparison }
    package var price: Price { test.price }
}

/// What the window of a rise or fall holds, in the rule's currency.
package struct WindowView: Equatable, Sendable {
    /// How far back the window reaches.
    package let length: Milliseconds
    /// The lowest usable price of the window.
    package let lowest: Price
    /// The highest usable price of the window.
    package let highest: Price
}
