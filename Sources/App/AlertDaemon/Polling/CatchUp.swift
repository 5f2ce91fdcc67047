internal import Delivery
internal import Engine
internal import EventLoop
internal import Feeds
internal import HTTP
internal import Journal
internal import Market
internal import PriceSources
internal import Time

/// A fetcher of candles for gaps in the prices. It makes one request at a time, as often as the source tolerates, and
/// begins with the symbol that is nearest to a limit.
///
/// It runs in parallel with polling, and never delays it. Failed requests are repeated later. If the server reports
/// too many requests, the rate is halved; a ban stops polling as well. While there is nothing to look up, it has
/// neither a timer nor a connection.
@LoopActor
final class CatchUp {
    /// Creates the feed of candles when it is needed; returns nil for a source without candles.
    typealias FeedFactory = @LoopActor () -> CandleFeed?

    /// The shortest time between two requests, whatever the server.
    nonisolated static let shortestSpacing = Milliseconds.seconds(1)
    /// The upper limit of the spacing, which doubles each time that the server reports too many requests.
    static let longestSpacing = Milliseconds.seconds(60)
    /// A gap is given up this long after its end, because an alert would then be too late to be of use.
    static let patience = Milliseconds.seconds(86_400)
    /// The maximum number of attempts if the responses cannot be used.
    static let attemptLimit = 3

    /// The reason why the last request failed; nil if it succeeded.
    private(set) var failure: FeedFailure?

    private let lane: Lane
    private let pipeline: Pipeline
    private let log: Log
    private let clock: any TimeSource
    private let polling: Polling
    private var source: CandleSource
    private var pace: RequestPace
    private var reporter = FailureReporter()
    private var tally = Tally()
    private let pause = Pause(accuracy: .milliseconds(100))
    private var isIdle = false

    /// The link to the poller of the source.
    struct Polling {
        /// True while the source is being polled.
        var isBusy: @LoopActor () -> Bool
        var isFailing: @LoopActor () -> Bool
        /// Called when the server has banned this address.
        var onBan: @LoopActor (Milliseconds) -> Void
    }

    /// The feed of candles, and the gap that it is used for.
    private struct CandleSource {
        let makeFeed: FeedFactory
        var feed: CandleFeed?
        var current: Lookup?
    }

    /// The pace of requests.
    private struct RequestPace {
        /// The time between two requests, unless the server has reported too many.
        private var leastSpacing: Milliseconds
        var spacing: Milliseconds
        private var schedule: RetrySchedule
        private var random: any RandomNumberGenerator
        /// The wait after the last failure; nil once it has been used.
        private var retryWait: Milliseconds?

        init(spacing: Milliseconds, _ policy: RetryPolicy, _ random: any RandomNumberGenerator) {
            (leastSpacing, self.spacing, self.random) = (spacing, spacing, random)
            schedule = RetrySchedule(policy)
        }

        /// Returns the same pace without its record of failures.
        func restarted() -> RequestPace { RequestPace(spacing: leastSpacing, schedule.policy, random) }

        /// Returns the same pace with the spacing of another server.
        func respaced(_ new: Milliseconds) -> RequestPace {
            var other = self
            (other.leastSpacing, other.spacing) = (new, new)
            return other
        }

        mutating func consumeWait() -> Milliseconds {
            defer { retryWait = nil }
            return max(spacing, retryWait ?? .zero)
        }

        mutating func succeed() { _ = schedule.next(after: .success, random: &random) }

        mutating func fail(_ failure: FeedFailure) -> Milliseconds {
            let wait = schedule.next(after: failure.outcome, random: &random)
            retryWait = wait
            return wait
        }
    }

    /// Counts of lookups since the last time that nothing was left to look up. ``reportedLoss`` counts since the
    /// start.
    private struct Tally {
        var done = 0
        var found = 0
        /// Gaps that began before the oldest candle of the source.
        var partial = 0
        var reportedLoss = 0
    }

    /// A gap that is being looked up.
    private struct Lookup {
        let id: PriceGap.ID
        /// The remaining requests, the next one first.
        var requests: ArraySlice<CandleRequest>
        var candles: [Candle] = []
        var attempts = 0
    }

    init(
        _ lane: Lane, pipeline: Pipeline, log: Log, clock: any TimeSource, random: any RandomNumberGenerator,
        spacing: Milliseconds, policy: RetryPolicy = .candles,
        polling: Polling, makeFeed: @escaping FeedFactory
    ) {
        (self.lane, self.pipeline, self.log, self.clock, self.polling) = (lane, pipeline, log, clock, polling)
        pace = RequestPace(spacing: spacing, policy, random)
        source = CandleSource(makeFeed: makeFeed)
    }

    /// The time between two requests.
    var spacing: Milliseconds { pace.spacing }

    /// Uses another feed from now on.
    func replace(_ makeFeed: @escaping FeedFactory, spacing: Milliseconds) {
        (source, pace) = (CandleSource(makeFeed: makeFeed), pace.respaced(spacing))
        reporter.forgetReports()
    }

    /// Resumes ``run()`` if there is something to look up. Call this after each poll.
    func wake() {
        if isIdle, lane.hasGaps { pause.end() }
    }

    /// Looks up gaps until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            guard let wait = nextWait() else {
                isIdle = true
                guard await pause.wait(nil) else { return }
                isIdle = false
                continue
            }
            guard await pause.wait(wait) else { return }
            // A poll comes first, and the gaps may have changed during the wait.
            guard !polling.isBusy(), !polling.isFailing(), let request = nextRequest() else { continue }
            await fetch(request)
        }
    }

    /// Returns the wait before the next request; nil while there is none.
    private func nextWait() -> Milliseconds? {
        guard !polling.isFailing(), !lane.engine.gaps.isEmpty else {
            if lane.engine.gaps.isEmpty { finish() }
            return nil
        }
        return pace.consumeWait()
    }

    /// Returns the next request of the gap that is being looked up, or else of the most urgent gap.
    private func nextRequest() -> CandleRequest? {
        giveUpOld()
        if let current = source.current, lane.engine.hasGap(current.id) { return current.requests.first }
        source.current = nil
        guard let gap = lane.engine.mostUrgentGap else { return nil }
        source.feed = source.feed ?? source.makeFeed()
        guard let feed = source.feed, let minutes = gap.minutes else {
            let obstacle = lane.engine.settings.ignoresCandles ? "catch_up is false" : "the source has no candles"
            giveUp(lane.engine.gaps.map(\.id), because: obstacle)
            return nil
        }
        let whole = CandleRequest(
            symbol: gap.symbol, quote: lane.engine.quote(of: gap.symbol), minutes: minutes)
        source.current = Lookup(id: gap.id, requests: feed.requests(whole)[...])
        return source.current?.requests.first
    }

    private func fetch(_ request: CandleRequest) async {
        guard let feed = source.feed else { return }
        do throws(FeedFailure) {
            let answer = try await feed.candles(request)
            // In the meantime, the feed may have been replaced, or the gap dropped.
            guard !Task.isCancelled, feed === source.feed, var lookup = source.current else { return }
            failure = nil
            pace.succeed()
            lookup.requests.removeFirst()
            lookup.candles += answer.candles
            lookup.attempts = 0
            source.current = lookup
            if lookup.requests.isEmpty { ingest(lookup) }
        } catch {
            guard !Task.isCancelled, feed === source.feed else { return }
            fail(error, request)
        }
    }

    /// Passes on the candles of a gap when all of them have arrived.
    private func ingest(_ lookup: Lookup) {
        source.current = nil
        guard let gap = lane.engine.gap(lookup.id) else { return }
        tally.done += 1
        if let profile = source.feed?.profile, profile.isNewestOnly, let start = gap.minutes?.lowerBound,
            clock.now().wall.since(start) > Candle.length.times(Int64(profile.limit))
        {
            tally.partial += 1
        }
        tally.found += pipeline.accept(lookup.candles, of: gap, in: lane)
    }

    private func fail(_ failure: FeedFailure, _ request: CandleRequest) {
        self.failure = failure
        let wait = pace.fail(failure)
        switch failure.kind {
        case .banned: polling.onBan(wait)
        case .rateLimited: pace.spacing = min(spacing.times(2), Self.longestSpacing)
        case .forbidden, .rejected, .notJSON, .unusable, .emptyResponse, .tooLarge, .redirect, .unauthorized:
            source.current?.attempts += 1
            if let current = source.current, current.attempts >= Self.attemptLimit {
                giveUp([current.id], because: failure.message)
            }
        default: break
        }
        if case .failed? = reporter.failed(failure, at: clock.now().boot) {
            log.warning(
                "\(name): no candles of \(request.symbol): \(failure.message); retrying in \(wait.approximate)",
                id: .candlesFailed, [.source: "\(lane.name)", .failure: failure.kind.rawValue])
        }
    }

    private func giveUpOld() {
        let lost = lane.engine.lostGapCount
        if lost > tally.reportedLoss {
            log.warning(
                "\(name): too many gaps to look up; the oldest \(lost - tally.reportedLoss) were dropped",
                id: .candlesFailed,
                [.source: "\(lane.name)"])
            tally.reportedLoss = lost
        }
        let now = clock.now().wall
        let old = lane.engine.gaps.filter { now.since($0.until) > Self.patience }.map(\.id)
        if !old.isEmpty { giveUp(old, because: "there were no candles for \(Self.patience.approximate)") }
    }

    private func giveUp(_ gaps: [PriceGap.ID], because reason: String) {
        lane.engine.dropGaps(Set(gaps))
        source.current = nil
        pipeline.commit()
        let place = gaps.count == 1 ? "the gap of \(gaps[0].symbol) since \(gaps[0].since)" : "\(gaps.count) gaps"
        log.warning(
            "\(name): cannot tell whether limits were reached in \(place): \(reason)",
            id: .candlesFailed, [.source: "\(lane.name)"])
    }

    /// Reports the results when nothing is left to look up.
    private func finish() {
        let done = tally.done
        if done > 0 {
            let gaps = done == 1 ? "1 gap" : "\(done) gaps"
            let limits = tally.found == 1 ? "1 limit was" : "\(tally.found) limits were"
            log.notice(
                "\(name): caught up on \(gaps) in the prices; \(limits) reached\(restText)", id: .caughtUp,
                [.source: "\(lane.name)", .count: "\(done)"])
        }
        _ = reporter.succeeded(at: clock.now().boot)
        tally = Tally(reportedLoss: tally.reportedLoss)
        failure = nil
        (source, pace) = (CandleSource(makeFeed: source.makeFeed), pace.restarted())
    }

    /// The text about gaps that the candles do not cover.
    private var restText: String {
        guard tally.partial > 0, let limit = source.feed?.profile.limit else { return "" }
        let before = tally.partial < tally.done ? " for \(tally.partial) of them," : ""
        return ";\(before) the source has candles of the last \(limit) minutes only"
    }

    private var name: String { lane.isAmongSeveral ? "candles of \(lane.name)" : "candles" }
}
