internal import Configuration
internal import Delivery
internal import EventLoop
internal import Feeds
internal import HTTP
internal import Market
internal import PriceSources
internal import Time

/// A poller of a feed on its schedule, with one request at a time.
@LoopActor
final class Poller {
    let lane: Lane
    private(set) var feed: any Feed
    private(set) var state = PollState()
    /// The settings in effect.
    private(set) var settings: FeedSettings

    private let pipeline: Pipeline
    private let log: Log
    private let clock: any TimeSource
    private var schedule: RetrySchedule
    private var reporter = FailureReporter()
    private var badElements = BadElementReporter()
    private var random: any RandomNumberGenerator

    /// The fetcher of candles for gaps in the prices; nil without one.
    private(set) var catchUp: CatchUp?
    /// The time until which the ban of a candle request delays polling.
    private var heldUntil: BootTime?

    private let pause = Pause(accuracy: .milliseconds(10))
    private var waiters: [OneShot<PollSummary, CancellationError>] = []

    init(
        _ feed: any Feed, _ settings: FeedSettings, lane: Lane, pipeline: Pipeline, log: Log, clock: any TimeSource,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.lane = lane
        self.settings = settings
        self.random = random
        self.feed = feed
        schedule = RetrySchedule(.polling(every: settings.interval))
        self.pipeline = pipeline
        self.log = log
        self.clock = clock
    }

    /// Makes ``run(afterPoll:)`` fetch candles for gaps in the prices.
    ///
    /// - Parameter makeFeed: creates the feed of candles.
    func catchUp(_ makeFeed: @escaping CatchUp.FeedFactory) {
        if let catchUp {
            catchUp.replace(makeFeed, spacing: settings.candleSpacing)
            return
        }
        catchUp = CatchUp(
            lane, pipeline: pipeline, log: log, clock: clock, random: random, spacing: settings.candleSpacing,
            polling: CatchUp.Polling(
                isBusy: { [weak self] in self?.state.isPolling ?? true },
                isFailing: { [weak self] in
                    guard let self else { return true }
                    return state.failure != nil || state.lastSuccess == nil
                }, onBan: { [weak self] length in self?.postpone(by: length) }), makeFeed: makeFeed)
    }

    /// Delays polling for this long, unless a user forces a poll.
    private func postpone(by length: Milliseconds) {
        let until = clock.now().boot.advanced(by: length)
        (heldUntil, state.notBefore) = (until, until)
        if let due = state.nextDue, due < until { state.nextDue = until }
    }

    /// Polls until the task is cancelled, beginning immediately.
    ///
    /// - Parameter afterPoll: called after each poll, when the time of the next one is known.
    func run(afterPoll: @LoopActor () -> Void) async {
        let looking = Loop.shared.start { [catchUp] in await catchUp?.run() }
        while !Task.isCancelled {
            let (summary, report) = await poll()
            guard !Task.isCancelled else { break }
            let usual = schedule.next(after: summary.failure?.outcome ?? .success, random: &random)
            let delay = max(usual, summary.pause ?? .zero)
            state.nextDue = clock.now().boot.advanced(by: delay)
            log.write(report, of: .feed(lane.name, isAmongSeveral: lane.isAmongSeveral), retryingIn: delay)
            for waiter in waiters { waiter.finish(.success(summary)) }
            waiters.removeAll()
            afterPoll()
            catchUp?.wake()
            guard await rest(delay) else { break }
        }
        for waiter in waiters { waiter.finish(.failure(CancellationError())) }
        looking.cancel()
        await looking.value
    }

    /// Waits for the next poll, and for the end of a ban that began in the meantime.
    ///
    /// - Returns: false if the task was cancelled.
    private func rest(_ length: Milliseconds) async -> Bool {
        guard await pause.wait(length) else { return false }
        while let until = heldUntil {
            heldUntil = nil
            let left = until.since(clock.now().boot)
            guard left > .zero, waiters.isEmpty else { continue }
            guard await pause.wait(left) else { return false }
        }
        return true
    }

    /// Polls now, or waits for the poll in progress.
    ///
    /// - Parameter force: whether to poll although the server asked to wait.
    /// - Returns: the result of the poll.
    /// - Throws: `tooSoon` if the last poll was less than the shortest interval ago; `notBefore` if the server asked
    ///   to wait; `stopping` if the daemon is shutting down.
    func pollNow(force: Bool = false) async throws(PollRequestError) -> PollSummary {
        if let last = state.lastAttempt, !state.isPolling {
            let rest = settings.minimumInterval.count - clock.now().boot.since(last.boot).count
            if rest > 0 { throw .tooSoon(Milliseconds(rest)) }
        }
        // Respect the delay that a server asked for, unless the user forces a poll.
        if !force, let until = state.notBefore, until > clock.now().boot { throw .notBefore(until) }
        let waiter = OneShot<PollSummary, CancellationError>()
        waiters.append(waiter)
        pause.end()
        do {
            return try await waiter.value(onCancel: CancellationError())
        } catch {
            throw .stopping
        }
    }

    /// Continues with another feed or another schedule, beginning with an immediate poll.
    func replace(feed: any Feed, _ settings: FeedSettings) {
        if feed !== self.feed { reporter.forgetReports() }
        self.feed = feed
        self.settings = settings
        schedule = RetrySchedule(.polling(every: settings.interval))
        badElements = BadElementReporter()
        state.failure = nil
        state.notBefore = nil
        pause.end()
    }

    /// Polls immediately if the server had refused the key, which may have been replaced or accepted since then.
    func retryRefused() {
        feed.forgetRefusal()
        if state.failure?.kind == .unauthorized { pause.end() }
    }

    private func poll() async -> (PollSummary, FailureReporter.Report?) {
        pipeline.checkClocks()
        let begin = clock.now()
        state.begin(at: begin)
        let feed = feed
        do {
            let batch = try await feed.poll()
            let received = batch.received.boot
            lane.phases.add(.request, received.since(begin.boot))
            lane.phases.add(.decode, duration(since: batch.received))
            let events = pipeline.accept(batch, of: lane)
            state.succeed(batch)
            if let text = badElements.report(batch) {
                log.write(text, of: .feed(lane.name, isAmongSeveral: lane.isAmongSeveral), batch.badElementCount)
            }
            let summary = PollSummary(
                symbols: batch.tickers.count, badElements: batch.badElementCount,
                badElementsMessage: batch.badElementsMessage, duration: duration(since: begin), events: events,
                pause: batch.pause)
            return (summary, reporter.succeeded(at: clock.now().boot))
        } catch {
            // A request that was cancelled because the daemon is shutting down is not a failure.
            let summary = PollSummary(failure: error, duration: duration(since: begin))
            guard !Task.isCancelled else { return (summary, nil) }
            state.fail(error, at: clock.now())
            return (summary, reporter.failed(error, at: clock.now().boot))
        }
    }

    private func duration(since begin: Instant) -> Milliseconds {
        clock.now().boot.since(begin.boot)
    }
}

extension FeedSettings {
    /// The time between two requests for candles. It is at most the poll interval, because a server that may be
    /// polled more often than the exchange may also get these requests more often.
    var candleSpacing: Milliseconds {
        max(CatchUp.shortestSpacing, min(source.profile.candles?.spacing ?? .zero, interval))
    }
}
