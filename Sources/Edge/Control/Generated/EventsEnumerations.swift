// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The delivery of an event at a sink.
    package enum DeliveryResult: WireWord {
        case delivered
        /// Queued until there is room.
        case waiting
        case failed
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "delivered": self = .delivered
            case "waiting": self = .waiting
            case "failed": self = .failed
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .delivered: "delivered"
            case .waiting: "waiting"
            case .failed: "failed"
            case .unknown(let word): word
            }
        }
    }
}
