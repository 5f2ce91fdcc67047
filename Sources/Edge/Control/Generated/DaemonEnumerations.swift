// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// Whether state is saved.
    package enum StoreState: WireWord {
        case ok
        /// The daemon polls and notifies, but cannot save its state.
        case degraded
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "ok": self = .ok
            case "degraded": self = .degraded
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .ok: "ok"
            case .degraded: "degraded"
            case .unknown(let word): word
            }
        }
    }
}

extension ControlInterface {
    /// What does not exist.
    package enum ThingKind: WireWord {
        case event
        case silence
        case sink
        case receiver
        case source
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "event": self = .event
            case "silence": self = .silence
            case "sink": self = .sink
            case "receiver": self = .receiver
            case "source": self = .source
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .event: "event"
            case .silence: "silence"
            case .sink: "sink"
            case .receiver: "receiver"
            case .source: "source"
            case .unknown(let word): word
            }
        }
    }
}
