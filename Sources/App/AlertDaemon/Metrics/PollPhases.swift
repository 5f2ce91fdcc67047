internal import Time

/// How long the parts of polls took, in nanoseconds since the start.
struct PollPhases {
    enum Phase: String, CaseIterable {
        /// From the request to the last byte of its response.
        case request
        /// From the response to its tickers.
        case decode
        /// History and rules.
        case evaluate
        /// Writing to the state file, whatever the cause.
        case commit
        /// Handing events to the sinks, whatever their cause.
        case deliver
    }

    private var totals = [Int64](repeating: 0, count: Phase.allCases.count)

    /// By phase, in their order.
    var all: [(phase: Phase, nanoseconds: Int64)] { Array(zip(Phase.allCases, totals)) }

    /// Adds a time.
    mutating func add(_ phase: Phase, lasting length: Milliseconds) {
        add(phase, from: 0, to: length.times(1_000_000).count)
    }

    /// Adds the time between two readings of a clock.
    mutating func add(_ phase: Phase, from start: Int64, to end: Int64) {
        for (index, candidate) in Phase.allCases.enumerated() where candidate == phase {
            totals[index] += max(0, end - start)
        }
    }
}
