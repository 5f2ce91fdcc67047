// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The state of a silence.
    package enum SilenceState: WireWord {
        case active
        /// It recurs, and now is outside its hours.
        case waiting
        /// It has ended; if it was ended early, `ended_by` says by whom.
        case expired
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "active": self = .active
            case "waiting": self = .waiting
            case "expired": self = .expired
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .active: "active"
            case .waiting: "waiting"
            case .expired: "expired"
            case .unknown(let word): word
            }
        }
    }
}
