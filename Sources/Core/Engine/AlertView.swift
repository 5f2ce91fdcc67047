package import Events
package import Market
package import Rules
package import Time

/// The condition of an alert now.
package enum AlertCondition: String, CaseIterable, Sendable {
    case firing
    case pending
    case inactive
    /// No baseline yet: no usable sample, or fewer than two for a window.
    case waiting
    case frozen
    /// Not in the last response.
    case missing
    /// No price of the rule's kind in the last response that is greater than 0.
    case unusable
    /// The market's currency cannot be converted into the rule's.
    case unconvertible
    /// The reference rates are too old.
    case staleRate = "stale_rate"
    /// Its rule has expired.
    case expired
    /// A one-shot rule has notified, and has to be re-armed.
    case disarmed
}

/// An alert as it is now.
package struct AlertView: Equatable, Sendable {
    package let rule: Rule
    package let symbol: Symbol
    /// The bound of the rule that it watches: `min`, `max` or another one of its condition.
    package let bound: Bound
    package let condition: AlertCondition
    /// Why, or for how long, as a text for people; nil when there is nothing to add.
    package let note: String?
    /// Nil while a limit that moves with the price is not known.
    package let limit: LimitValue?
    /// The level at which it clears, where it differs from the limit.
    package let clear: LimitValue?
    /// The currency of limit and price; nil while not known.
    package let currency: Currency?
    /// The last usable price in that currency; rounded where it is converted.
    package let price: Price?
    /// When it entered its state; nil while it waits.
    package let since: Instant?
    /// Why a firing is not notified; nil when it was, and when nothing fires.
    package let suppressedBy: Reason?
    /// Who acknowledged the firing; nil when nobody did.
    package let acknowledgement: Acknowledgement?
    /// Whether a one-shot rule has notified; it may still be firing.
    package let isDisarmed: Bool
    /// The override that replaces the limit of the settings; nil when there is none.
    package let override: LimitOverride?
}

/// A limit that a rule has for a symbol.
package struct SymbolLimit: Equatable, Sendable {
    package let bound: Bound
    /// In ``currency``, exact.
    package let price: Price
    /// Nil for the currency of the market.
    package let currency: Currency?
    /// The limit in the currency of the market, rounded where it is converted.
    package let marketPrice: Price
}

/// The condition of a symbol now.
package enum SymbolCondition: String, Sendable {
    case ok
    case frozen
    case missing
    case unusable
}

extension AlertView {
    /// How far the price is from the limit, in per cent of the price; positive while the limit is not reached.
    package var distancePercent: Price? {
        guard let price else { return nil }
        return limit.flatMap { bound.distance(to: $0) { $0.percentChange(from: price) } }
    }
}
