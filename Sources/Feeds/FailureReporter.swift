package import Market

/// Decides which failures of a feed are said, so that an outage is neither silent nor noisy. It has no clock.
///
/// A kind of failure that is new in an outage is said at once, one that goes on at most every ``repeatInterval`` with
/// how often it was seen, and the recovery once.
package struct FailureReporter: Sendable {
    /// What is to be said.
    package enum Report: Equatable, Sendable {
        /// The failure, and how often this kind was seen since it was last said, this one included.
        case failed(FeedFailure, count: Int)
        /// Polls succeed again: how many failed, and how long after the first of them.
        case recovered(failures: Int, after: Milliseconds)
    }

    /// The shortest time between two reports of one kind.
    package static let repeatInterval = Milliseconds.seconds(15 * 60)

    private struct Seen {
        var reported: BootTime
        var count = 0
    }

    /// At most one entry a kind.
    private var seen: [FeedFailure.Kind: Seen] = [:]
    private var failureCount = 0
    private var firstFailure: BootTime?

    package init() {}

    /// Whether the last poll failed.
    package var isFailing: Bool { firstFailure != nil }

    /// A poll failed.
    ///
    /// - Returns: what to say, or nil when it was said not long ago.
    package mutating func failed(_ failure: FeedFailure, at now: BootTime) -> Report? {
        failureCount += 1
        firstFailure = firstFailure ?? now
        guard var entry = seen[failure.kind] else {
            seen[failure.kind] = Seen(reported: now)
            return .failed(failure, count: 1)
        }
        entry.count += 1
        defer { seen[failure.kind] = entry }
        guard now.since(entry.reported) >= Self.repeatInterval else { return nil }
        let count = entry.count
        entry = Seen(reported: now)
        return .failed(failure, count: count)
    }

    /// A poll succeeded.
    ///
    /// - Returns: what to say, or nil when the one before did too.
    package mutating func succeeded(at now: BootTime) -> Report? {
        guard let firstFailure else { return nil }
        let report = Report.recovered(failures: failureCount, after: now.since(firstFailure))
        self = FailureReporter()
        return report
    }
}
