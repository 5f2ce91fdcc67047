internal import Delivery
internal import Engine
internal import EventLoop
internal import Feeds
internal import HTTP
internal import Journal
internal import Market
internal import PriceSources
internal import Time

/// Looks up in candles what prices did in gaps: one request at a time, as often as the source tolerates, those of the
/// symbol that is nearest to a limit first.
///
/// It works while polling does, and never holds it up. Requests that are refused are repeated later and, if the server
/// finds that there are too many, at half the rate; a ban stops polling as well. It has neither timer nor connection
/// while there is nothing to look up.
@LoopActor
final class CatchUp {
    /// Makes what asks for candles, when it is needed; it gives nil for a source without candles.
    typealias FeedFactory = @LoopActor () -> CandleFeed?

    /// The shortest time between two requests, whatever the server.
    nonisolated static let shortestSpacing = Milliseconds.seconds(1)
    /// The longest that refusals lead to.
    static let longestSpacing = Milliseconds.seconds(60)
    /// A gap is given up this long after its end: by then, an alert that says so late is of no use.
    static let patience = Milliseconds.seconds(86_400)
    /// How often candles that cannot be used are asked for.
    static let attemptLimit = 3

    /// Why the last request failed; nil when it did not.
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

    /// What it has to know of the poller of its source.
    struct Polling {
        /// Whether the source is polled at the moment.
        var isBusy: @LoopActor () -> Bool
        var isFailing: @LoopActor () -> Bool
        /// Called when the server has banned this address.
        var onBan: @LoopActor (Milliseconds) -> Void
    }

    /// Where candles come from, and what they are asked for.
    private struct CandleSource {
        let makeFeed: FeedFactory
        var feed: CandleFeed?
        var current: Lookup?
    }

    /// When the next request may be made.
    private struct RequestPace {
        /// The time between two requests while the server does not refuse any.
        private var leastSpacing: Milliseconds
        var spacing: Milliseconds
        private var schedule: RetrySchedule
        private var random: any RandomNumberGenerator
        /// What the last failure demands.
        private var retryWait: Milliseconds?

        init(spacing: Milliseconds, _ policy: RetryPolicy, _ random: any RandomNumberGenerator) {
            (leastSpacing, self.spacing, self.random) = (spacing, spacing, random)
            schedule = RetrySchedule(policy)
        }

        /// The same without what it knows of failures.
        func restarted() -> RequestPace { RequestPace(spacing: leastSpacing, schedule.policy, random) }

        /// The same for another server.
        func respaced(_ new: Milliseconds) -> RequestPace {
            var other = self
            (other.leastSpacing, other.spacing) = (new, new)
            return other
        }

        mutating func takeWait() -> Milliseconds {
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

    /// What was looked up since there was last nothing left.
    private struct Tally {
        var done = 0
        var found = 0
        /// How many gaps began before the oldest candle that the source has.
        var partial = 0
        var reportedLoss = 0
    }

    /// A gap that is being looked up.
    private struct Lookup {
        let id: PriceGap.ID
        /// Those that are still to be made, the next one first.
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

    /// Asks another server, or in another way, from now on.
    func replace(_ makeFeed: @escaping FeedFactory, spacing: Milliseconds) {
        (source, pace) = (CandleSource(makeFeed: makeFeed), pace.respaced(spacing))
        reporter.forgetReports()
    }

    /// Continues if there is something to look up; to be called after each poll.
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
            // A poll comes first, and what changed in the meantime counts.
            guard !polling.isBusy(), !polling.isFailing(), let request = nextRequest() else { continue }
            await fetch(request)
        }
    }

    /// How long to wait before the next request; nil while there is none.
    private func nextWait() -> Milliseconds? {
        guard !polling.isFailing(), !lane.engine.gaps.isEmpty else {
            if lane.engine.gaps.isEmpty { finish() }
            return nil
        }
        return pace.takeWait()
    }

    /// The next request of the gap that is being looked up, or of the most urgent one.
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
            // It may have been replaced, and the gap forgotten.
            guard !Task.isCancelled, feed === source.feed, var lookup = source.current else { return }
            failure = nil
            pace.succeed()
            lookup.requests.removeFirst()
            lookup.candles += answer.candles
            lookup.attempts = 0
            source.current = lookup
            if lookup.requests.isEmpty { take(lookup) }
        } catch {
            guard !Task.isCancelled, feed === source.feed else { return }
            fail(error, request)
        }
    }

    /// All candles of a gap are there.
    private func take(_ lookup: Lookup) {
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

    /// Nothing is left to look up.
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

    /// What candles could not show.
    private var restText: String {
        guard tally.partial > 0, let limit = source.feed?.profile.limit else { return "" }
        let before = tally.partial < tally.done ? " for \(tally.partial) of them," : ""
        return ";\(before) the source has candles of the last \(limit) minutes only"
    }

    private var name: String { lane.isAmongSeveral ? "candles of \(lane.name)" : "candles" }
}
