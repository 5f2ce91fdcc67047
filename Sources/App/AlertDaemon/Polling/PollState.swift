internal import Feeds
internal import Market
internal import Time

/// What the poller knows about its polls so far.
struct PollState {
    private(set) var isPolling = false
    private(set) var polls = 0
    private(set) var failures = 0
    private(set) var consecutiveFailures = 0
    private(set) var lastAttempt: Instant?
    private(set) var lastSuccess: Instant?
    /// Whether each of the last eight polls had a usable response, newest last.
    private var successes: [Bool] = []
    /// The last eight polls, newest last: `1` for a usable response, `0` for a failure.
    var reach: String { successes.map { $0 ? "1" : "0" }.joined() }
    /// The failure of the last poll; nil when it succeeded.
    var failure: FeedFailure?
    /// When the next poll begins; nil while one is in progress.
    var nextDue: BootTime?
    /// Until when the server asked not to be polled.
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

/// The result of one poll, for whoever requested it.
struct PollSummary: Sendable {
    /// Nil when the response was usable.
    var failure: FeedFailure?
    var symbols = 0
    var badElements = 0
    /// The same with an example; nil when there was none.
    var badElementsMessage: String?
    var duration: Milliseconds
    /// How many events the response caused.
    var events = 0
    /// How long the source should be spared.
    var pause: Milliseconds?
}

/// Why a requested poll did not happen.
enum PollRequestError: Error {
    /// It may be polled again after this time, by the daemon's own limit.
    case tooSoon(Milliseconds)
    /// The server asked not to be polled before that time.
    case notBefore(BootTime)
    /// The daemon is shutting down.
    case stopping
}

extension Instant {
    /// The wall time at another point of the boot clock, as things are now; the greatest time there is where it is too
    /// far away.
    func wall(at time: BootTime) -> WallTime {
        let (sum, overflow) = wall.milliseconds.addingReportingOverflow(time.since(boot).count)
        return WallTime(milliseconds: overflow ? .max : sum)
    }
}
