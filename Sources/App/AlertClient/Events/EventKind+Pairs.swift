internal import Control

// A lasting condition begins with an event of one kind and ends with one of another.
extension ControlInterface.EventKind {
    private static let pairs: [(start: Self, end: Self)] = [
        (.feedStale, .feedRecovered), (.storeFailed, .storeRecovered), (.symbolFrozen, .symbolReturned),
        (.symbolMissing, .symbolReturned), (.receiverFailed, .receiverRecovered), (.diverged, .converged),
    ]

    /// True if the event reports the start of a failure. Firings are not included.
    var isStart: Bool { Self.pairs.contains { $0.start == self } }

    /// True if the event reports the end of a failure or firing.
    var isEnd: Bool { self == .resolved || Self.pairs.contains { $0.end == self } }

    /// The kinds of events that may belong to the same firing or failure.
    var counterparts: [Self] {
        switch self {
        case .fired, .resolved, .repeated: [.fired, .resolved, .repeated]
        default: Self.pairs.compactMap { $0.start == self ? $0.end : $0.end == self ? $0.start : nil }
        }
    }
}
