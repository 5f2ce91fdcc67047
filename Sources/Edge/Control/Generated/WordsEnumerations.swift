// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// What happened.
    package enum EventKind: WireWord {
        /// An alert entered firing, or an earlier suppressed firing is notified now.
        case fired
        /// A firing alert cleared.
        case resolved
        /// An alert is still firing, and its repeat interval has passed.
        case repeated
        /// Candles show that the price reached a limit while no prices were available.
        case touched
        /// There has been no usable response for three intervals. The time starts over when the daemon starts, when the
        /// machine resumes from suspend, and when a reload changes the interval.
        case feedStale
        /// The first usable response after `feed_stale`.
        case feedRecovered
        /// A market that a rule names is frozen.
        case symbolFrozen
        /// The exchange does not list a symbol that a rule names.
        case symbolMissing
        /// A symbol that was frozen or missing is traded again.
        case symbolReturned
        /// A reload or a limit set at run time changed the rules.
        case rulesChanged
        /// Events and alert states cannot be saved; polling and notifying continue.
        case storeFailed
        /// Events and alert states are saved again, including those from the meantime.
        case storeRecovered
        /// A receiver has failed for some time or refuses its credential; its queue is kept.
        case receiverFailed
        /// A receiver that had failed accepts notifications again.
        case receiverRecovered
        /// The prices of the two markets of a check differ by more than allowed.
        case diverged
        /// The prices of the two markets of a check are close to each other again.
        case converged
        /// A drill.
        case test
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "fired": self = .fired
            case "resolved": self = .resolved
            case "repeated": self = .repeated
            case "touched": self = .touched
            case "feed_stale": self = .feedStale
            case "feed_recovered": self = .feedRecovered
            case "symbol_frozen": self = .symbolFrozen
            case "symbol_missing": self = .symbolMissing
            case "symbol_returned": self = .symbolReturned
            case "rules_changed": self = .rulesChanged
            case "store_failed": self = .storeFailed
            case "store_recovered": self = .storeRecovered
            case "receiver_failed": self = .receiverFailed
            case "receiver_recovered": self = .receiverRecovered
            case "diverged": self = .diverged
            case "converged": self = .converged
            case "test": self = .test
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .fired: "fired"
            case .resolved: "resolved"
            case .repeated: "repeated"
            case .touched: "touched"
            case .feedStale: "feed_stale"
            case .feedRecovered: "feed_recovered"
            case .symbolFrozen: "symbol_frozen"
            case .symbolMissing: "symbol_missing"
            case .symbolReturned: "symbol_returned"
            case .rulesChanged: "rules_changed"
            case .storeFailed: "store_failed"
            case .storeRecovered: "store_recovered"
            case .receiverFailed: "receiver_failed"
            case .receiverRecovered: "receiver_recovered"
            case .diverged: "diverged"
            case .converged: "converged"
            case .test: "test"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// What is special about an event.
    package enum Reason: WireWord {
        /// The first usable price that the alert saw was already beyond the limit.
        case alreadyBreached
        /// There is a gap before the deciding price, so it is not known when the limit was reached.
        case afterGap
        /// Like `after_gap`, but the machine was suspended during the gap.
        case afterSuspend
        /// Known only from candles that were fetched after a gap.
        case caughtUp
        /// A reload changed the rule of a firing alert.
        case ruleChanged
        /// A reload removed the rule of a firing alert.
        case ruleRemoved
        /// The rule of a firing alert expired.
        case ruleExpired
        /// The symbol of a firing alert had vanished, and its slot was needed for other symbols.
        case symbolGone
        /// Suppressed because the alert notified a firing recently; or notified late for that reason.
        case cooldown
        /// Suppressed by a silence; or notified late for that reason.
        case silenced
        /// Suppressed because the firing that it ends was suppressed.
        case firedSuppressed
        /// Suppressed because a one-shot rule has already notified; or notified late, after the alert was re-armed.
        case disarmed
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "already_breached": self = .alreadyBreached
            case "after_gap": self = .afterGap
            case "after_suspend": self = .afterSuspend
            case "caught_up": self = .caughtUp
            case "rule_changed": self = .ruleChanged
            case "rule_removed": self = .ruleRemoved
            case "rule_expired": self = .ruleExpired
            case "symbol_gone": self = .symbolGone
            case "cooldown": self = .cooldown
            case "silenced": self = .silenced
            case "fired_suppressed": self = .firedSuppressed
            case "disarmed": self = .disarmed
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .alreadyBreached: "already_breached"
            case .afterGap: "after_gap"
            case .afterSuspend: "after_suspend"
            case .caughtUp: "caught_up"
            case .ruleChanged: "rule_changed"
            case .ruleRemoved: "rule_removed"
            case .ruleExpired: "rule_expired"
            case .symbolGone: "symbol_gone"
            case .cooldown: "cooldown"
            case .silenced: "silenced"
            case .firedSuppressed: "fired_suppressed"
            case .disarmed: "disarmed"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// The bound of a rule that an alert watches.
    package enum Bound: WireWord {
        /// The price is at or below the lower limit.
        case min
        /// The price is at or above the upper limit.
        case max
        /// The price is in a zone between two limits.
        case within
        /// The price is far enough above the lowest price in the window.
        case rise
        /// The price is far enough below the highest price in the window.
        case fall
        /// The price rose to or above the limit.
        case crossUp
        /// The price fell to or below the limit.
        case crossDown
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "min": self = .min
            case "max": self = .max
            case "within": self = .within
            case "rise": self = .rise
            case "fall": self = .fall
            case "cross_up": self = .crossUp
            case "cross_down": self = .crossDown
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .min: "min"
            case .max: "max"
            case .within: "within"
            case .rise: "rise"
            case .fall: "fall"
            case .crossUp: "cross_up"
            case .crossDown: "cross_down"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// How important an event is.
    package enum Severity: WireWord {
        case info
        case warning
        case critical
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "info": self = .info
            case "warning": self = .warning
            case "critical": self = .critical
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .info: "info"
            case .warning: "warning"
            case .critical: "critical"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// The state of an alert, or why it cannot be evaluated now.
    package enum AlertState: WireWord {
        case firing
        /// The limit is breached, but not yet for as long as `for` requires.
        case pending
        case inactive
        /// There is no baseline yet: no usable price, or fewer than two in a window.
        case waiting
        case frozen
        /// The symbol is not in the last response.
        case missing
        /// The last response has no positive price of the kind that the rule names.
        case unusable
        /// There is no conversion path from the market's currency to the rule's.
        case unconvertible
        /// The reference rates are too old to rely on.
        case staleRate
        /// The rule has expired.
        case expired
        /// A one-shot rule has notified and is not re-armed.
        case disarmed
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "firing": self = .firing
            case "pending": self = .pending
            case "inactive": self = .inactive
            case "waiting": self = .waiting
            case "frozen": self = .frozen
            case "missing": self = .missing
            case "unusable": self = .unusable
            case "unconvertible": self = .unconvertible
            case "stale_rate": self = .staleRate
            case "expired": self = .expired
            case "disarmed": self = .disarmed
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .firing: "firing"
            case .pending: "pending"
            case .inactive: "inactive"
            case .waiting: "waiting"
            case .frozen: "frozen"
            case .missing: "missing"
            case .unusable: "unusable"
            case .unconvertible: "unconvertible"
            case .staleRate: "stale_rate"
            case .expired: "expired"
            case .disarmed: "disarmed"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// The state of a symbol.
    package enum SymbolState: WireWord {
        case ok
        case frozen
        /// Not in the last response.
        case missing
        /// Without a positive price.
        case unusable
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "ok": self = .ok
            case "frozen": self = .frozen
            case "missing": self = .missing
            case "unusable": self = .unusable
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .ok: "ok"
            case .frozen: "frozen"
            case .missing: "missing"
            case .unusable: "unusable"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// The state of requests to an exchange or to a source of rates: `ok`, or how the last request failed.
    package enum FetchState: WireWord {
        case ok
        /// There has been no response yet.
        case starting
        /// Turned off in the settings.
        case disabled
        /// Given up because the daemon was stopped or the source replaced.
        case cancelled
        /// The host name could not be resolved.
        case resolution
        case refused
        case unreachable
        case tls
        case timeout
        case truncated
        case tooLarge
        case redirect
        case rateLimited
        /// The exchange has banned this address for a while.
        case banned
        case forbidden
        /// A key is missing or not accepted.
        case unauthorized
        case rejected
        case serverError
        case notJson
        case empty
        /// A response without a single usable element.
        case unusable
        /// The request cannot be made with these settings.
        case settings
        case other
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "ok": self = .ok
            case "starting": self = .starting
            case "disabled": self = .disabled
            case "cancelled": self = .cancelled
            case "resolution": self = .resolution
            case "refused": self = .refused
            case "unreachable": self = .unreachable
            case "tls": self = .tls
            case "timeout": self = .timeout
            case "truncated": self = .truncated
            case "too_large": self = .tooLarge
            case "redirect": self = .redirect
            case "rate_limited": self = .rateLimited
            case "banned": self = .banned
            case "forbidden": self = .forbidden
            case "unauthorized": self = .unauthorized
            case "rejected": self = .rejected
            case "server_error": self = .serverError
            case "not_json": self = .notJson
            case "empty": self = .empty
            case "unusable": self = .unusable
            case "settings": self = .settings
            case "other": self = .other
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .ok: "ok"
            case .starting: "starting"
            case .disabled: "disabled"
            case .cancelled: "cancelled"
            case .resolution: "resolution"
            case .refused: "refused"
            case .unreachable: "unreachable"
            case .tls: "tls"
            case .timeout: "timeout"
            case .truncated: "truncated"
            case .tooLarge: "too_large"
            case .redirect: "redirect"
            case .rateLimited: "rate_limited"
            case .banned: "banned"
            case .forbidden: "forbidden"
            case .unauthorized: "unauthorized"
            case .rejected: "rejected"
            case .serverError: "server_error"
            case .notJson: "not_json"
            case .empty: "empty"
            case .unusable: "unusable"
            case .settings: "settings"
            case .other: "other"
            case .unknown(let word): word
            }
        }
    }
}
