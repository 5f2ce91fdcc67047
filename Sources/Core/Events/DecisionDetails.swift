package import Market
package import Time

/// What else an event of an alert was decided on: with its evidence, enough to say later why it happened and why it was
/// notified or not. What is nil played no part.
package struct DecisionDetails: Equatable, Sendable {
    /// Where a firing is over, in the event's currency, when that is not the limit itself.
    package var clear: LimitValue?
    /// The price in the market's own currency, when it was converted.
    package var marketPrice: Price?
    /// How long the limit was reached before the alert fired.
    package var pendingFor: Milliseconds?
    /// When the firing began that the event is about.
    package var firingSince: WallTime?
    /// The window of a rise or fall, and the price of it that it was measured from, in the event's currency.
    package var window: Milliseconds?
    package var extreme: Price?
    /// The end of the cooldown that held it back.
    package var cooldownEnd: WallTime?
    /// The limit of the settings, when another one was in its place, and who put it there.
    package var settingsLimit: Price?
    package var limitAuthor: UserIdentity?
    package var limitSince: WallTime?

    package init() {}

    package var isEmpty: Bool { self == DecisionDetails() }
}
