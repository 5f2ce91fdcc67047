package import Events
internal import Market
package import Time

/// What else an event was decided on; prices as text without zeros at the end.
package struct NaiveDetails: Equatable, Sendable {
    /// The level at which a firing clears, where hysteresis makes it differ from the limit.
    package var clear: String?
    /// The price in the market's own currency, when it was converted.
    package var marketPrice: String?
    package var pendingFor: Milliseconds?
    package var clearFor: Milliseconds?
    package var firingSince: WallTime?
    package var window: Milliseconds?
    /// The price of the window that a move was measured from.
    package var extreme: String?
    package var cooldownEnd: WallTime?
    package var onlyWhile: String?
    package var touchedFrom: WallTime?
    package var touchedUntil: WallTime?
    /// The limit of the settings, when it is another one now.
    package var settingsLimit: String?
    package var limitSince: WallTime?
    /// The other market of a check, its price, the difference in per cent, and the check.
    package var divergence: String?

    package init() {}

    /// The same of an event that happened.
    package init(_ occurrence: Occurrence) {
        let details = occurrence.details
        clear = details.clear.map { $0.prices.map { "\($0.reduced)" }.joined(separator: "..") }
        (pendingFor, clearFor, onlyWhile) = (details.pendingFor, details.clearFor, details.onlyWhile)
        firingSince = details.firingSince
        cooldownEnd = details.cooldownEnd
        (touchedFrom, touchedUntil) = (details.touchedFrom, details.touchedUntil)
        settingsLimit = details.settingsLimit.map { "\($0.reduced)" }
        limitSince = details.limitSince
        divergence = details.divergence.map { other in
            "\(other.source):\(other.symbol) \(other.price.reduced) \(other.percent.reduced) "
                + "\(other.within.reduced) \(other.check)"
        }
        // An expiry is no matter of prices, which may be unknown by then.
        guard occurrence.reason != .ruleExpired else { return }
        marketPrice = details.marketPrice.map { "\($0.reduced)" }
        window = details.window
        extreme = details.extreme.map { "\($0.reduced)" }
    }
}

extension NaiveDetails: CustomStringConvertible {
    package var description: String {
        let times = [
            ("firing since", firingSince), ("cooldown until", cooldownEnd), ("limit since", limitSince),
            ("touched from", touchedFrom), ("touched until", touchedUntil),
        ]
        let texts = [
            ("clear", clear), ("market price", marketPrice), ("pending", pendingFor?.description),
            ("cleared", clearFor?.description), ("only while", onlyWhile),
            ("window", window?.description), ("from", extreme), ("settings", settingsLimit),
            ("compared with", divergence),
        ]
        let all = texts + times.map { ($0, $1.map { "\($0.milliseconds)" }) }
        return all.compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
}
