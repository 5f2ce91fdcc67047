package import Market
package import Time

/// What else an event was decided on: enough to explain later why it happened and why it was notified or not. A nil
/// field played no part.
package struct DecisionDetails: Equatable, Sendable {
    /// The level at which a firing clears, in the event's currency, where it differs from the limit.
    package var clear: LimitValue?
    /// The price in the market's own currency, when it was converted.
    package var marketPrice: Price?
    /// How long the limit was reached before the alert fired.
    package var pendingFor: Milliseconds?
    /// When the firing of the event began.
    package var firingSince: WallTime?
    /// The window of a rise or fall, and the price of it that it was measured from, in the event's currency.
    package var window: Milliseconds?
    /// The lowest or highest price of the window, which the move was measured from.
    package var extreme: Price?
    /// The start of the first minute, and the end of the last one, in which candles show that the limit was reached.
    package var touchedFrom: WallTime?
    /// See ``touchedFrom``.
    package var touchedUntil: WallTime?
    /// When the cooldown ends that suppressed it.
    package var cooldownEnd: WallTime?
    /// The limit of the settings, when it was overridden.
    package var settingsLimit: Price?
    /// The user who changed the limit at run time, as people see it; nil if it is that of the settings.
    package var limitBy: String?
    /// When the limit was overridden.
    package var limitSince: WallTime?
    /// The prices of a check; nil for other events.
    package var divergence: Divergence?
    /// The name of the receiver that failed, or accepts notifications again; nil for other events.
    package var receiver: String?

    package init() {}

    /// Whether no field played a part.
    package var isEmpty: Bool { self == DecisionDetails() }
}
