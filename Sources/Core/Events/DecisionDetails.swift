package import Market
package import Time

/// The facts behind an event, in addition to its price and limit: enough to explain later why it happened, and why it
/// was notified or suppressed. Details that do not apply are nil.
package struct DecisionDetails: Equatable, Sendable {
    /// The level at which a firing alert clears, in the event's currency, if it differs from the limit.
    package var clear: LimitValue?
    /// The price in the market's currency, if it was converted.
    package var marketPrice: Price?
    /// Duration of the breach before the alert fired.
    package var pendingFor: Milliseconds?
    /// Duration of the clear time, for an alert whose rule has `keep_firing_for`.
    package var clearFor: Milliseconds?
    /// The start of the firing that the event belongs to.
    package var firingSince: WallTime?
    /// The length of the window of a rise or fall.
    package var window: Milliseconds?
    /// The lowest or highest price of the window, from which the move was measured, in the event's currency.
    package var extreme: Price?
    /// The start of the first minute in which candles show that the limit was reached.
    package var touchedFrom: WallTime?
    /// The end of the last such minute.
    package var touchedUntil: WallTime?
    /// The end of the cooldown that suppressed the event.
    package var cooldownEnd: WallTime?
    /// The name of the rule in `only_while`, if it decided about the notification.
    package var onlyWhile: String?
    /// The configured limit, if it was overridden.
    package var settingsLimit: Price?
    /// The user who changed the limit at run time, as text for people; nil if the configured limit is in effect.
    package var limitBy: String?
    /// When the limit was overridden.
    package var limitSince: WallTime?
    /// The prices of a check; nil for other events.
    package var divergence: Divergence?
    /// The name of the receiver that failed or recovered; nil for other events.
    package var receiver: String?

    package init() {}

    /// True if no detail applies.
    package var isEmpty: Bool { self == DecisionDetails() }
}
