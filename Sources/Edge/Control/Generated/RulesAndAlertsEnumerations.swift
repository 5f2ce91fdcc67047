// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// Whether a rule works.
    package enum RuleState: WireWord {
        case ok
        /// There has been no usable response yet.
        case waiting
        /// The exchange lists no symbol that the rule matches.
        case matchesNothing
        /// Some symbols have a problem.
        case impaired
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "ok": self = .ok
            case "waiting": self = .waiting
            case "matches_nothing": self = .matchesNothing
            case "impaired": self = .impaired
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .ok: "ok"
            case .waiting: "waiting"
            case .matchesNothing: "matches_nothing"
            case .impaired: "impaired"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// The kind of a condition.
    package enum ConditionKind: WireWord {
        /// A limit below, above, or both: `min`, `max`.
        case band
        /// A zone between two limits.
        case within
        /// A rise or fall within a window.
        case move
        /// A limit that is crossed.
        case cross
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "band": self = .band
            case "within": self = .within
            case "move": self = .move
            case "cross": self = .cross
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .band: "band"
            case .within: "within"
            case .move: "move"
            case .cross: "cross"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// Which price decides.
    package enum PriceKind: WireWord {
        case last
        case bid
        case ask
        /// Halfway between bid and ask.
        case mid
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "last": self = .last
            case "bid": self = .bid
            case "ask": self = .ask
            case "mid": self = .mid
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .last: "last"
            case .bid: "bid"
            case .ask: "ask"
            case .mid: "mid"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// What a distance is measured in.
    package enum DistanceUnit: WireWord {
        /// In the currency of the rule.
        case amount
        /// Of the limit, or of the price that a move starts from.
        case percent
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "amount": self = .amount
            case "percent": self = .percent
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .amount: "amount"
            case .percent: "percent"
            case .unknown(let word): word
            }
        }
    }
}
