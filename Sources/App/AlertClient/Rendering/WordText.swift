internal import Control

/// A word of the interface that people read as a text of its own. A word that a later version of the daemon sends is
/// shown as it is.
protocol ReadableWord: WireWord {
    var text: String { get }
}

extension Cell {
    /// A word that programs get as it is and people as a text.
    init(_ word: some ReadableWord, _ emphasis: Emphasis = .none) {
        self.init(.text(word), human: word.text, emphasis)
    }

    init(_ word: (some ReadableWord)?, _ emphasis: Emphasis = .none) {
        self.init(.text(word), human: word?.text, emphasis)
    }
}

extension Field {
    init(_ key: String, _ title: String?, _ word: some ReadableWord, _ emphasis: Emphasis = .none) {
        self.init(key, title, Cell(word, emphasis))
    }
}

extension ControlInterface.EventKind: ReadableWord {
    var text: String {
        switch self {
        case .feedStale: "feed stale"
        case .feedRecovered: "feed recovered"
        case .symbolFrozen: "symbol frozen"
        case .symbolMissing: "symbol missing"
        case .symbolReturned: "symbol returned"
        case .rulesChanged: "rules changed"
        case .storeFailed: "store failed"
        case .storeRecovered: "store recovered"
        case .receiverFailed: "receiver failed"
        case .receiverRecovered: "receiver recovered"
        case .fired, .resolved, .repeated, .touched, .diverged, .converged, .test, .unknown: rawValue
        }
    }
}

extension ControlInterface.Reason: ReadableWord {
    var text: String {
        switch self {
        case .alreadyBreached: "already beyond the limit"
        case .afterGap: "after a gap"
        case .afterSuspend: "after a suspend"
        case .caughtUp: "caught up after a gap"
        case .ruleChanged: "rule changed"
        case .ruleRemoved: "rule removed"
        case .ruleExpired: "rule expired"
        case .symbolGone: "symbol gone"
        case .firedSuppressed: "firing was suppressed"
        case .cooldown, .silenced, .disarmed, .unknown: rawValue
        }
    }
}

extension ControlInterface.AlertState: ReadableWord {
    var text: String {
        switch self {
        case .staleRate: "stale rate"
        case .firing, .pending, .inactive, .waiting, .frozen, .missing, .unusable, .unconvertible, .expired,
            .disarmed, .unknown:
            rawValue
        }
    }
}

extension ControlInterface.Bound: ReadableWord {
    var text: String {
        switch self {
        case .crossUp: "cross up"
        case .crossDown: "cross down"
        case .min, .max, .within, .rise, .fall, .unknown: rawValue
        }
    }
}

extension ControlInterface.FetchState: ReadableWord {
    var text: String {
        switch self {
        case .starting: "waiting for the first response"
        case .disabled: "turned off"
        case .resolution: "host name not resolved"
        case .refused: "connection refused"
        case .unreachable: "host unreachable"
        case .tls: "TLS failed"
        case .timeout: "timed out"
        case .truncated: "response cut off"
        case .tooLarge: "response too large"
        case .redirect: "redirect refused"
        case .rateLimited: "rate limited"
        case .banned: "banned by the exchange"
        case .unauthorized: "a valid key is needed"
        case .rejected: "request rejected"
        case .serverError: "server error"
        case .notJson: "response is not JSON"
        case .empty: "empty response"
        case .unusable: "nothing usable in the response"
        case .settings: "not possible with these settings"
        case .other: "failed"
        case .ok, .cancelled, .forbidden, .unknown: rawValue
        }
    }
}
