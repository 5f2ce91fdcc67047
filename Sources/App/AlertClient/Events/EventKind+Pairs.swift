internal import Control

// What lasts begins with an event of one kind and ends with one of another.
extension ControlInterface.EventKind {
    private static let pairs: [(start: Self, end: Self)] = [
        (.feedStale, .feedRecovered), (.storeFailed, .storeRecovered), (.symbolFrozen, .symbolReturned),
        (.symbolMissing, .symbolReturned), (.receiverFailed, .receiverRecovered), (.diverged, .converged),
    ]

    /// Whether something begins to be wrong; firings apart.
    var isStart: Bool { Self.pairs.contains { $0.start == self } }

    /// Whether something is no longer wrong.
    var isEnd: Bool { self == .resolved || Self.pairs.contains { $0.end == self } }

    /// The kinds of events that may belong to the same firing or failure.
    var counterparts: [Self] {
        switch self {
        case .fired, .resolved, .repeated: [.fired, .resolved, .repeated]
        default: Self.pairs.compactMap { $0.start == self ? $0.end : $0.end == self ? $0.start : nil }
        }
    }
}
