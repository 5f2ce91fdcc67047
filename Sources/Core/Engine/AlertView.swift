package import Events
package import Market
package import Rules
package import Time

/// The current condition of an alert.
package enum AlertCondition: String, CaseIterable, Sendable {
    case firing
    case pending
    case inactive
    /// No baseline yet: no usable sample, fewer than two in its window, or an unknown base of its relative limit.
    case waiting
    case frozen
    /// Not in the last response.
    case missing
    /// The last response has no price of the rule's kind that is greater than 0.
    case unusable
    /// There is no conversion path from the market's currency to the rule's.
    case unconvertible
    /// The reference rates are too old.
    case staleRate = "stale_rate"
    case expired
    /// A one-shot rule has notified and must be re-armed.
    case disarmed
}

/// An alert's current state, for display.
package struct AlertView: Equatable, Sendable {
    package let rule: Rule
    package let symbol: Symbol
    /// The bound of the rule's condition that the alert watches, such as `min`.
    package let bound: Bound
    package let condition: AlertCondition
    /// The reason for the condition, or its duration, as text for people; nil if there is nothing to add.
    package let note: String?
    /// Nil while a limit that moves with the price is unknown.
    package let limit: LimitValue?
    /// The level at which the alert clears, if it differs from the limit.
    package let clear: LimitValue?
    /// The currency of limit and price; nil if unknown.
    package let currency: Currency?
    /// The last usable price in ``currency``; rounded if it was converted.
    package let price: Price?
    /// The start of the current state; nil while waiting.
    package let since: Instant?
    /// The reason why the firing was not notified; nil if it was notified, and while the alert does not fire.
    package let suppressedBy: Reason?
    /// The acknowledgement of the firing; nil if there is none.
    package let acknowledgement: Acknowledgement?
    /// True if a one-shot rule has notified; it may still be firing.
    package let isDisarmed: Bool
    /// The override that replaces the configured limit; nil if there is none.
    package let override: LimitOverride?
}

/// The limit of a rule on a symbol.
package struct SymbolLimit: Equatable, Sendable {
    package let bound: Bound
    /// In ``currency``, exact.
    package let price: Price
    /// Nil if it is the market's currency.
    package let currency: Currency?
    /// The limit in the market's currency, rounded if it was converted.
    package let marketPrice: Price
}

/// The current condition of a symbol.
package enum SymbolCondition: String, Sendable {
    case ok
    case frozen
    case missing
    case unusable
}

extension AlertView {
    /// The distance from the price to the limit in per cent of the price; positive while the limit is not reached.
    package var distancePercent: Price? {
        guard let price else { return nil }
        return limit.flatMap { bound.distance(to: $0) { $0.percentChange(from: price) } }
    }
}
