internal import Market
package import Time

/// Decides which failures of a feed are reported, so that an outage is neither silent nor noisy. It has no clock.
///
/// A kind of failure is reported at once, and while it lasts or repeats at most once every ``repeatInterval``, with how
/// often it was seen. A recovery is reported once, if a failure before it was reported.
package struct FailureReporter: Sendable {
    /// What to report.
    package enum Report: Equatable, Sendable {
        /// The failure, how often this kind was seen since it was last reported, this time included, and how long ago
        /// that was; zero for a new kind.
        case failed(FeedFailure, count: Int, over: Milliseconds)
        /// Polls succeed again: how many failed, and how long after the first of them.
        case recovered(failures: Int, after: Milliseconds)
    }

    /// The shortest time between two reports of one kind.
    package static let repeatInterval = Milliseconds.seconds(15 * 60)

    private struct Seen {
        var reported: BootTime
        var count = 0
    }

    /// At most one entry per kind. It outlives a recovery, so that a feed that fails every other time is not noisy.
    private var seen: [FeedFailure.Kind: Seen] = [:]
    private var failureCount = 0
    private var firstFailure: BootTime?
    /// Whether a failure of this outage was reported.
    private var isRecoveryDue = false

    /// Begins with a feed that works.
    package init() {}

    /// Another server is asked from now on: its failures are reported at once, and that polls succeed again as well.
    package mutating func forgetReports() { seen = [:] }

    /// A poll failed.
    ///
    /// - Returns: what to report; nil when this kind was reported not long ago.
    package mutating func failed(_ failure: FeedFailure, at now: BootTime) -> Report? {
        failureCount += 1
        firstFailure = firstFailure ?? now
        let known = seen[failure.kind]
        let count = (known?.count ?? 0) + 1
        let over = known.map { now.since($0.reported) }
        if let known, let over, over < Self.repeatInterval {
            seen[failure.kind] = Seen(reported: known.reported, count: count)
            return nil
        }
        seen[failure.kind] = Seen(reported: now)
        isRecoveryDue = true
        return .failed(failure, count: count, over: over ?? .zero)
    }

    /// A poll succeeded.
    ///
    /// - Returns: what to report; nil when the poll before succeeded too, or when its failure was not reported.
    package mutating func succeeded(at now: BootTime) -> Report? {
        guard let begin = firstFailure else { return nil }
        let report = Report.recovered(failures: failureCount, after: now.since(begin))
        defer { (failureCount, firstFailure, isRecoveryDue) = (0, nil, false) }
        return isRecoveryDue ? report : nil
    }
}
