// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// Whether a receiver accepts notifications.
    package enum ReceiverState: WireWord {
        /// It does, or nothing has been sent since the start.
        case ok
        /// The last attempt failed and will be repeated.
        case failing
        /// Nothing is sent until its credential or the settings change.
        case stopped
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "ok": self = .ok
            case "failing": self = .failing
            case "stopped": self = .stopped
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .ok: "ok"
            case .failing: "failing"
            case .stopped: "stopped"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// What happened to an event at a receiver.
    package enum DeliveryState: WireWord {
        case queued
        case delivered
        /// The receiver permanently refused it.
        case refused
        /// It could not be delivered within `max_age`.
        case expired
        /// A user dropped it, the queue was full, or the receiver was removed.
        case dropped
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "queued": self = .queued
            case "delivered": self = .delivered
            case "refused": self = .refused
            case "expired": self = .expired
            case "dropped": self = .dropped
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .queued: "queued"
            case .delivered: "delivered"
            case .refused: "refused"
            case .expired: "expired"
            case .dropped: "dropped"
            case .unknown(let word): word
            }
        }
    }
}
