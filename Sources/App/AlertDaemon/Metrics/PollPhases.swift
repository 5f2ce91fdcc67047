internal import EventLoop
internal import Time

/// How long the parts of polls took, in nanoseconds since the start.
@LoopActor
final class PollPhases {
    enum Phase: Int, CaseIterable {
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

        /// As metrics name it.
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

    /// In the order of the phases.
    private var totals = [Int64](repeating: 0, count: Phase.allCases.count)

    /// By phase, in their order.
    var all: [(phase: Phase, nanoseconds: Int64)] { Phase.allCases.map { ($0, totals[$0.rawValue]) } }

    func add(_ phase: Phase, _ length: Milliseconds) { totals[phase.rawValue] += max(0, length.count) * 1_000_000 }

    /// Measures how long the body takes.
    func measure<Result>(_ phase: Phase, by clock: any TimeSource, _ body: () -> Result) -> Result {
        let begin = clock.nanoseconds()
        defer { totals[phase.rawValue] += max(0, clock.nanoseconds() - begin) }
        return body()
    }
}
