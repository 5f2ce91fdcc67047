internal import Control
internal import Text

/// A word of the control interface with a separate text for people.
protocol ReadableWord: WireWord {
    /// The text for people; by default the word with spaces for underscores, even if only a later version of the
    /// daemon knows it.
    var text: String { get }
}

extension ReadableWord {
    var text: String { spaced }

    /// The word with spaces instead of underscores.
    fileprivate var spaced: String { rawValue.replacingAll("_", with: " ") }
}

extension Cell {
    /// A cell with the word for programs and its text for people.
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

extension ControlInterface.EventKind: ReadableWord {}

extension ControlInterface.AlertState: ReadableWord {}

extension ControlInterface.Bound: ReadableWord {}

extension ControlInterface.Reason: ReadableWord {
    var text: String {
        switch self {
        case .alreadyBreached: "already beyond the limit"
        case .afterSuspend: "after a suspend"
        case .afterGap: "after a gap"
        case .caughtUp: "caught up after a gap"
        case .firedSuppressed: "firing was suppressed"
        default: spaced
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
        case .banned: "banned by the source"
        case .unauthorized: "a valid key is needed"
        case .rejected: "request rejected"
        case .notJson: "response is not JSON"
        case .empty: "empty response"
        case .unusable: "nothing usable in the response"
        case .settings: "not possible with these settings"
        case .other: "failed"
        default: spaced
        }
    }
}
