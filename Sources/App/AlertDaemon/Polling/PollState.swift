internal import Feeds
internal import Market
internal import Time

/// The poller's record of its polls.
struct PollState {
    private(set) var isPolling = false
    private(set) var polls = 0
    private(set) var failures = 0
    private(set) var consecutiveFailures = 0
    private(set) var lastAttempt: Instant?
    private(set) var lastSuccess: Instant?
    /// The results of the last eight polls, newest last; true for a usable response.
    private var successes: [Bool] = []
    /// The last eight polls, newest last: `1` for a usable response, `0` for a failure.
    var reach: String { successes.map { $0 ? "1" : "0" }.joined() }
    /// The failure of the last poll; nil if it succeeded.
    var failure: FeedFailure?
    /// The time when the next poll begins; nil while one is in progress.
    var nextDue: BootTime?
    /// The time until which the server asked not to be polled.
    var notBefore: BootTime?

    mutating func begin(at time: Instant) {
        isPolling = true
        nextDue = nil
        lastAttempt = time
    }

    mutating func succeed(_ batch: TickerBatch) {
        finish(isUsable: true)
        consecutiveFailures = 0
        lastSuccess = batch.received
        failure = nil
        notBefore = batch.pause.map { batch.received.boot.advanced(by: $0) }
    }

    mutating func fail(_ failure: FeedFailure, at time: Instant) {
        finish(isUsable: false)
        failures += 1
        consecutiveFailures += 1
        self.failure = failure
        notBefore = failure.retryAfter.map { time.boot.advanced(by: $0) }
    }

    private mutating func finish(isUsable: Bool) {
        isPolling = false
        polls += 1
        if successes.count == 8 { successes.removeFirst() }
        successes.append(isUsable)
    }
}

/// The result of a poll, for the caller that requested it.
struct PollSummary: Sendable {
    /// Nil if the response was usable.
    var failure: FeedFailure?
    var symbols = 0
    var badElements = 0
    /// The number of bad elements with an example, as text; nil if there were none.
    var badElementsMessage: String?
    var duration: Milliseconds
    /// The number of events that the response caused.
    var events = 0
    /// The time for which the source should not be polled.
    var pause: Milliseconds?
}

/// The reason why a requested poll did not happen.
enum PollRequestError: Error {
    /// The daemon's own limit allows the next poll only after this time.
    case tooSoon(Milliseconds)
    /// The server asked not to be polled before this time.
    case notBefore(BootTime)
    /// The daemon is shutting down.
    case stopping
}

extension Instant {
    /// Converts a time of the boot clock to wall time, using the current difference of the two clocks. A time beyond
    /// the range becomes the latest possible time.
    func wall(at time: BootTime) -> WallTime {
        let (sum, overflow) = wall.milliseconds.addingReportingOverflow(time.since(boot).count)
        return WallTime(milliseconds: overflow ? .max : sum)
    }
}
