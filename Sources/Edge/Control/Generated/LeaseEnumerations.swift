// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// Which daemon of a group notifies.
    package enum LeaseState: WireWord {
        /// This one.
        case held
        /// Another one.
        case standby
        /// Not known: the daemon has just started, or the NATS server cannot be asked.
        case waiting
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "held": self = .held
            case "standby": self = .standby
            case "waiting": self = .waiting
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .held: "held"
            case .standby: "standby"
            case .waiting: "waiting"
            case .unknown(let word): word
            }
        }
    }
}
