// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// Whether the two prices of a check agree.
    package enum CheckState: WireWord {
        /// They differ by `within_percent` or less.
        case together
        /// They have differed by more for at least `for_ms`.
        case diverged
        /// They have not been compared yet, or cannot be.
        case waiting
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "together": self = .together
            case "diverged": self = .diverged
            case "waiting": self = .waiting
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .together: "together"
            case .diverged: "diverged"
            case .waiting: "waiting"
            case .unknown(let word): word
            }
        }
    }
}
