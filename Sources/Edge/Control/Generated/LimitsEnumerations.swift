// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// Whether a limit set at run time is in effect, or why not.
    package enum OverrideState: WireWord {
        case inEffect
        /// The settings have no such rule.
        case noRule
        /// The rule does not match the symbol.
        case otherSymbols
        /// The rule has no such limit.
        case noLimit
        /// The rule has another currency.
        case otherCurrency
        /// The limit contradicts the other settings of the rule.
        case faulty
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "in_effect": self = .inEffect
            case "no_rule": self = .noRule
            case "other_symbols": self = .otherSymbols
            case "no_limit": self = .noLimit
            case "other_currency": self = .otherCurrency
            case "faulty": self = .faulty
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .inEffect: "in_effect"
            case .noRule: "no_rule"
            case .otherSymbols: "other_symbols"
            case .noLimit: "no_limit"
            case .otherCurrency: "other_currency"
            case .faulty: "faulty"
            case .unknown(let word): word
            }
        }
    }
}
