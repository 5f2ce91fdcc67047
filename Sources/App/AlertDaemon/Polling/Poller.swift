internal import Configuration
internal import Control
internal import Delivery
internal import EventLoop
internal import Feeds
internal import Journal
internal import Market
internal import Time

/// Asks the feed on its schedule, one request at a time.
@LoopActor
final class Poller {
    private(set) var feed: any Feed
    private(set) var state = PollState()

    private let pipeline: Pipeline
    private let log: Log
    private let clock: any TimeSource
    private var schedule: PollSchedule
    private var minimumInterval: Milliseconds
    private var reporter = FailureReporter()
    private var random = SystemRandomNumberGenerator()

    private let pause = Pause(accuracy: .milliseconds(10))
    private var waiters: [OneShot<PollResult, CancellationError>] = []
    /// Called after each poll.
    var onPoll: @LoopActor () -> Void = {}

    init(_ feed: any Feed, _ settings: FeedSettings, pipeline: Pipeline, log: Log, clock: any TimeSource) {
        self.feed = feed
        schedule = PollSchedule(interval: settings.interval)
        minimumInterval = settings.minimumInterval
        self.pipeline = pipeline
        self.log = log
        self.clock = clock
    }

    /// Polls until the task is cancelled. The first poll is at once.
    func run() async {
        while !Task.isCancelled {
            let (outcome, result) = await poll()
            guard !Task.isCancelled else { break }
            let delay = schedule.next(after: outcome, random: &random)
            state.nextDue = clock.now().boot.advanced(by: delay)
            for waiter in waiters { waiter.finish(.success(result)) }
            waiters.removeAll()
            onPoll()
            guard await pause.wait(delay) else { break }
        }
        for waiter in waiters { waiter.finish(.failure(CancellationError())) }
    }

    /// Polls now, or waits for the poll that is under way.
    ///
    /// - Throws: `tooSoon` when the last poll was less than the shortest interval ago; `stopping` when the daemon ends.
    func pollNow() async throws(PollRequestError) -> PollResult {
        if let last = state.lastAttempt, !state.isPolling {
            let rest = minimumInterval.count - clock.now().boot.since(last.boot).count
            if rest > 0 { throw .tooSoon(Milliseconds(rest)) }
        }
        // A server that asked for patience gets it, also from an impatient person.
        if let until = state.notBefore, until > clock.now().boot { throw .tooSoon(until.since(clock.now().boot)) }
        let waiter = OneShot<PollResult, CancellationError>()
        waiters.append(waiter)
        pause.end()
        do {
            return try await waiter.value(onCancel: CancellationError())
        } catch {
            throw .stopping
        }
    }

    /// Goes on with another feed or another schedule, from the next poll on.
    func replace(feed: any Feed, _ settings: FeedSettings) {
        self.feed = feed
        schedule = PollSchedule(interval: settings.interval)
        minimumInterval = settings.minimumInterval
        state.failure = nil
        state.notBefore = nil
        pause.end()
    }

    private func poll() async -> (PollSchedule.Outcome, PollResult) {
        pipeline.lookAtClocks()
        let begin = clock.now()
        state.begin(at: begin)
        let feed = feed
        do {
            let batch = try await feed.poll()
            let events = pipeline.accept(batch)
            state.succeed(batch)
            say(reporter.succeeded(at: clock.now().boot))
            let result = PollResult(
                state: .ok, message: nil, symbols: batch.tickers.count, badElements: batch.badElementCount,
                durationMilliseconds: length(since: begin), events: events)
            return (.success, result)
        } catch {
            guard !Task.isCancelled else { return (.success, .cancelled) }
            state.fail(error, at: clock.now())
            say(reporter.failed(error, at: clock.now().boot))
            let result = PollResult(
                state: .init(rawValue: error.kind.rawValue), message: "\(error.message); \(error.advice)", symbols: 0,
                badElements: 0,
                durationMilliseconds: length(since: begin), events: 0)
            return (.failure(error.kind, retryAfter: error.retryAfter), result)
        }
    }

    private func say(_ report: FailureReporter.Report?) {
        switch report {
        case .failed(let failure, let count, let over):
            let again = count > 1 ? " (seen \(count) times in \(over.approximate))" : ""
            log.warning(
                "feed: \(failure.message); \(failure.advice)\(again)", id: .feedFailed,
                [.failure: failure.kind.rawValue, .count: String(count)])
        case .recovered(let failures, let after):
            let failed = failures == 1 ? "1 failure" : "\(failures) failures"
            log.notice(
                "feed: well again after \(failed) in \(after.approximate)", id: .feedWorks,
                [.count: String(failures)])
        case nil: break
        }
    }

    private func length(since begin: Instant) -> Int {
        Int(clamping: clock.now().boot.since(begin.boot).count)
    }
}

/// Why a poll on request did not happen.
enum PollRequestError: Error {
    case tooSoon(Milliseconds)
    case stopping
}

extension PollResult {
    fileprivate static var cancelled: PollResult {
        PollResult(state: .cancelled, message: nil, symbols: 0, badElements: 0, durationMilliseconds: 0, events: 0)
    }
}

/// How polling went so far.
struct PollState {
    private(set) var isPolling = false
    private(set) var polls = 0
    private(set) var failures = 0
    private(set) var consecutiveFailures = 0
    private(set) var lastAttempt: Instant?
    private(set) var lastSuccess: Instant?
    /// The last eight polls, newest last: `1` for a usable response.
    private(set) var reach = ""
    /// What went wrong last; nil while all is well.
    var failure: FeedFailure?
    var nextDue: BootTime?
    /// When the server's own wish for patience ends.
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
        notBefore = nil
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
        reach = String((reach + (isUsable ? "1" : "0")).suffix(8))
    }
}
