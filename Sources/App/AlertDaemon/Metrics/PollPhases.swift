internal import EventLoop
internal import Time

/// The total duration of each part of polls since the start, in nanoseconds.
@LoopActor
final class PollPhases {
    enum Phase: Int, CaseIterable {
        /// From the request to the last byte of its response.
        case request
        /// From the response to its decoded tickers.
        case decode
        /// Updating the history and evaluating the rules.
        case evaluate
        /// Writing to the state file, whatever the cause.
        case commit
        /// Passing events to the sinks, whatever their cause.
        case deliver

        /// The name in metrics.
        var name: String {
            switch self {
            case .request: "request"
            case .decode: "decode"
            case .evaluate: "evaluate"
            case .commit: "commit"
            case .deliver: "deliver"
            }
        }
    }

    /// The totals, in the order of the phases.
    private var totals = [Int64](repeating: 0, count: Phase.allCases.count)

    /// Each phase with its total.
    var all: [(phase: Phase, nanoseconds: Int64)] { Phase.allCases.map { ($0, totals[$0.rawValue]) } }

    func add(_ phase: Phase, _ length: Milliseconds) { totals[phase.rawValue] += max(0, length.count) * 1_000_000 }

    /// Adds the duration of the body to a phase.
    func measure<Result>(_ phase: Phase, by clock: any TimeSource, _ body: () -> Result) -> Result {
        let begin = clock.nanoseconds()
        defer { totals[phase.rawValue] += max(0, clock.nanoseconds() - begin) }
        return body()
    }
}
