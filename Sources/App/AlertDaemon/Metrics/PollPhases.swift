internal import EventLoop
internal import Time

/// How long the parts of polls took, in nanoseconds since the start.
@LoopActor
final class PollPhases {
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

    private var totals: [Phase: Int64] = [:]

    /// By phase, in their order.
    var all: [(phase: Phase, nanoseconds: Int64)] { Phase.allCases.map { ($0, totals[$0] ?? 0) } }

    func add(_ phase: Phase, _ length: Milliseconds) { totals[phase, default: 0] += max(0, length.count) * 1_000_000 }

    /// Measures how long the body takes.
    func measure<Result>(_ phase: Phase, by clock: any TimeSource, _ body: () -> Result) -> Result {
        let begin = clock.nanoseconds()
        defer { totals[phase, default: 0] += max(0, clock.nanoseconds() - begin) }
        return body()
    }
}
