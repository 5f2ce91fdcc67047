internal import Events
internal import Market
internal import Time

/// What else an event of an alert was decided on; what is nil played no part.
package struct EventDetails: Codable, Equatable, Sendable {
    /// Where a firing is over, when that is not the limit itself.
    package var clear: String?
    /// The price in the market's own currency, when it was converted.
    package var marketPrice: String?
    /// How long the limit was reached before the alert fired.
    package var pendingMilliseconds: Int?
    /// When the firing began that the event is about.
    package var firingSince: String?
    /// The window of a rise or fall, and the price of it that it was measured from.
    package var windowMilliseconds: Int?
    package var extreme: String?
    /// The end of the cooldown that held it back.
    package var cooldownUntil: String?
    /// The limit of the settings, when another one was in its place, and who put it there.
    package var settingsLimit: String?
    package var limitBy: String?
    package var limitSince: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case clear
        case marketPrice = "market_price"
        case pendingMilliseconds = "pending_ms"
        case firingSince = "firing_since"
        case windowMilliseconds = "window_ms"
        case extreme
        case cooldownUntil = "cooldown_until"
        case settingsLimit = "settings_limit"
        case limitBy = "limit_by"
        case limitSince = "limit_since"
    }

    package init() {}
}

extension EventDetails {
    /// Nil when there is nothing in it.
    init?(_ details: DecisionDetails) {
        guard !details.isEmpty else { return nil }
        clear = details.clear?.description
        marketPrice = details.marketPrice?.description
        pendingMilliseconds = details.pendingFor.map { Int(clamping: $0.count) }
        firingSince = details.firingSince?.description
        windowMilliseconds = details.window.map { Int(clamping: $0.count) }
        extreme = details.extreme?.description
        cooldownUntil = details.cooldownEnd?.description
        settingsLimit = details.settingsLimit?.description
        limitBy = details.limitAuthor?.description
        limitSince = details.limitSince?.description
    }
}
