// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// What kind of fact holds for an alert now.
    package enum FactKind: WireWord {
        /// It is not evaluated because there has been no usable response for too long.
        case feedStale
        /// It is not evaluated because the market is frozen.
        case frozen
        /// It is not evaluated because the symbol is not in the last response.
        case missing
        /// It is not evaluated because the price that the rule names is missing or not positive.
        case unusable
        /// It is not evaluated because there is no conversion path to the rule's currency.
        case unconvertible
        /// It is not evaluated because the reference rates are too old.
        case staleRate
        /// It is not evaluated because its rule has expired.
        case expired
        /// It has not seen a usable price yet.
        case noBaseline
        /// Its limits are relative to a price that is not known yet.
        case noBase
        /// There are fewer than two prices in its window.
        case windowTooShort
        case inactive
        case pending
        case firing
        /// A crossing whose price is below the limit.
        case below
        /// A crossing whose price is at the limit.
        case at
        /// A crossing whose price is above the limit.
        case above
        /// It was notified.
        case notified
        case acknowledged
        /// Its firing is suppressed.
        case suppressed
        /// When it notifies again.
        case repeats
        /// Its firing has ended; the resolve notification is deferred until a silence ends.
        case resolvePending
        /// A silence matches it.
        case silenced
        case cooldown
        case disarmed
        /// When its rule expires.
        case expires
        /// There were no prices from `since` to `until`, and whether the limit was reached is still to be looked up in
        /// candles.
        case gap
        /// Whether the limit is reached during a gap in the prices is never looked up. `detail` is the reason: `source`
        /// (no candles), `disabled` (`catch_up` is false), `condition` (not `min`, `max` or `within`), or `price` (not
        /// the last price).
        case notCaughtUp
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "feed_stale": self = .feedStale
            case "frozen": self = .frozen
            case "missing": self = .missing
            case "unusable": self = .unusable
            case "unconvertible": self = .unconvertible
            case "stale_rate": self = .staleRate
            case "expired": self = .expired
            case "no_baseline": self = .noBaseline
            case "no_base": self = .noBase
            case "window_too_short": self = .windowTooShort
            case "inactive": self = .inactive
            case "pending": self = .pending
            case "firing": self = .firing
            case "below": self = .below
            case "at": self = .at
            case "above": self = .above
            case "notified": self = .notified
            case "acknowledged": self = .acknowledged
            case "suppressed": self = .suppressed
            case "repeats": self = .repeats
            case "resolve_pending": self = .resolvePending
            case "silenced": self = .silenced
            case "cooldown": self = .cooldown
            case "disarmed": self = .disarmed
            case "expires": self = .expires
            case "gap": self = .gap
            case "not_caught_up": self = .notCaughtUp
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .feedStale: "feed_stale"
            case .frozen: "frozen"
            case .missing: "missing"
            case .unusable: "unusable"
            case .unconvertible: "unconvertible"
            case .staleRate: "stale_rate"
            case .expired: "expired"
            case .noBaseline: "no_baseline"
            case .noBase: "no_base"
            case .windowTooShort: "window_too_short"
            case .inactive: "inactive"
            case .pending: "pending"
            case .firing: "firing"
            case .below: "below"
            case .at: "at"
            case .above: "above"
            case .notified: "notified"
            case .acknowledged: "acknowledged"
            case .suppressed: "suppressed"
            case .repeats: "repeats"
            case .resolvePending: "resolve_pending"
            case .silenced: "silenced"
            case .cooldown: "cooldown"
            case .disarmed: "disarmed"
            case .expires: "expires"
            case .gap: "gap"
            case .notCaughtUp: "not_caught_up"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// What happens at a level.
    package enum LevelRole: WireWord {
        /// The alert is breached.
        case limit
        /// The alert clears.
        case clear
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "limit": self = .limit
            case "clear": self = .clear
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .limit: "limit"
            case .clear: "clear"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// Where the price must be.
    package enum PriceComparison: WireWord {
        case atLeast
        case atMost
        case above
        case below
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "at_least": self = .atLeast
            case "at_most": self = .atMost
            case "above": self = .above
            case "below": self = .below
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .atLeast: "at_least"
            case .atMost: "at_most"
            case .above: "above"
            case .below: "below"
            case .unknown(let word): word
            }
        }
    }
}
