internal import Market
package import Time

/// A filter that decides which failures of a feed are reported, so that an outage is neither silent nor noisy. It has
/// no clock.
///
/// A kind of failure is reported immediately. While it lasts or repeats, it is reported at most once every
/// ``repeatInterval``, with the number of times it was seen. A recovery is reported once, if a failure before it was
/// reported.
package struct FailureReporter: Sendable {
    /// The content of a report.
    package enum Report: Equatable, Sendable {
        /// A failure. `count` is the number of times this kind was seen since its last report, including this one.
        /// `over` is the time since that report, or zero for a new kind.
        case failed(FeedFailure, count: Int, over: Milliseconds)
        /// Polls succeed again. `failures` is the number of failed polls, and `after` is the time since the first of
        /// them.
        case recovered(failures: Int, after: Milliseconds)
    }

    /// The minimum time between two reports of one kind.
    package static let repeatInterval = Milliseconds.seconds(15 * 60)

    private struct Seen {
        var reported: BootTime
        var count = 0
    }

    /// The last report of each kind. An entry outlives a recovery, so that a feed that fails every other time is not
    /// noisy.
    private var seen: [FeedFailure.Kind: Seen] = [:]
    private var failureCount = 0
    private var firstFailure: BootTime?
    /// True if a failure of this outage was reported.
    private var isRecoveryDue = false

    /// Creates a reporter for a feed that works.
    package init() {}

    /// Starts over for another server, whose failures and recovery are then reported immediately.
    package mutating func forgetReports() { seen = [:] }

    /// Records a failed poll.
    ///
    /// - Returns: The report, or nil if this kind was reported recently.
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

    /// Records a successful poll.
    ///
    /// - Returns: The report, or nil if the previous poll succeeded too, or if no failure since the last success was
    ///   reported.
    package mutating func succeeded(at now: BootTime) -> Report? {
        guard let begin = firstFailure else { return nil }
        let report = Report.recovered(failures: failureCount, after: now.since(begin))
        defer { (failureCount, firstFailure, isRecoveryDue) = (0, nil, false) }
        return isRecoveryDue ? report : nil
    }
}
