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
    private var random: any RandomNumberGenerator
    /// Whether the source is polled at the moment, or fails.
    private let isBusy: @LoopActor () -> Bool
    private let isFailing: @LoopActor () -> Bool
    /// Called when the server has banned this address.
    private let onBan: @LoopActor (Milliseconds) -> Void
    private var makeFeed: FeedFactory
    private var feed: CandleFeed?
    private var current: Lookup?
    /// The time between two requests while the server does not refuse any.
    private var leastSpacing: Milliseconds
    private(set) var spacing: Milliseconds
    private var schedule: RetrySchedule
    private var reporter = FailureReporter()
    private var doneCount = 0
    private var foundCount = 0
    /// How many gaps began before the oldest candle that the source has.
    private var partialCount = 0
    private var reportedLoss = 0
    private let pause = Pause(accuracy: .milliseconds(100))
    private var isIdle = false

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
        isBusy: @escaping @LoopActor () -> Bool, isFailing: @escaping @LoopActor () -> Bool,
        onBan: @escaping @LoopActor (Milliseconds) -> Void, makeFeed: @escaping FeedFactory
    ) {
        (self.lane, self.pipeline, self.log, self.clock, self.random) = (lane, pipeline, log, clock, random)
        (leastSpacing, self.spacing) = (spacing, spacing)
        schedule = RetrySchedule(policy)
        (self.isBusy, self.isFailing, self.onBan, self.makeFeed) = (isBusy, isFailing, onBan, makeFeed)
    }

    /// Asks another server, or in another way, from now on.
    func replace(_ makeFeed: @escaping FeedFactory, spacing: Milliseconds) {
        (self.makeFeed, feed, current) = (makeFeed, nil, nil)
        (leastSpacing, self.spacing) = (spacing, spacing)
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
            guard !isBusy(), !isFailing(), let request = nextRequest() else { continue }
            await fetch(request)
        }
    }

    /// How long to wait before the next request; nil while there is none.
    private func nextWait() -> Milliseconds? {
        guard !isFailing(), !lane.engine.gaps.isEmpty else {
            if lane.engine.gaps.isEmpty { finish() }
            return nil
        }
        defer { retryWait = nil }
        return max(spacing, retryWait ?? .zero)
    }

    /// What the last failure demands.
    private var retryWait: Milliseconds?

    /// The next request of the gap that is being looked up, or of the most urgent one.
    private func nextRequest() -> CandleRequest? {
        giveUpOld()
        if let current, lane.engine.hasGap(current.id) { return current.requests.first }
        current = nil
        guard let gap = lane.engine.mostUrgentGap else { return nil }
        feed = feed ?? makeFeed()
        guard let feed, let minutes = gap.minutes else {
            let obstacle = lane.engine.settings.ignoresCandles ? "catch_up is false" : "the source has no candles"
            giveUp(lane.engine.gaps.map(\.id), because: obstacle)
            return nil
        }
        let whole = CandleRequest(
            symbol: gap.symbol, quote: lane.engine.quote(of: gap.symbol), minutes: minutes)
        current = Lookup(id: gap.id, requests: feed.requests(whole)[...])
        return current?.requests.first
    }

    private func fetch(_ request: CandleRequest) async {
        guard let feed else { return }
        do throws(FeedFailure) {
            let answer = try await feed.candles(request)
            // It may have been replaced, and the gap forgotten.
            guard !Task.isCancelled, feed === self.feed, var lookup = current else { return }
            failure = nil
            _ = schedule.next(after: .success, random: &random)
            lookup.requests.removeFirst()
            lookup.candles += answer.candles
            lookup.attempts = 0
            current = lookup
            if lookup.requests.isEmpty { take(lookup) }
        } catch {
            guard !Task.isCancelled, feed === self.feed else { return }
            fail(error, request)
        }
    }

    /// All candles of a gap are there.
    private func take(_ lookup: Lookup) {
        current = nil
        guard let gap = lane.engine.gap(lookup.id) else { return }
        doneCount += 1
        if let profile = feed?.profile, profile.isNewestOnly, let start = gap.minutes?.lowerBound,
            clock.now().wall.since(start) > Candle.length.times(Int64(profile.limit))
        {
            partialCount += 1
        }
        foundCount += pipeline.accept(lookup.candles, of: gap, in: lane)
    }

    private func fail(_ failure: FeedFailure, _ request: CandleRequest) {
        self.failure = failure
        let wait = schedule.next(after: failure.outcome, random: &random)
        retryWait = wait
        switch failure.kind {
        case .banned: onBan(wait)
        case .rateLimited: spacing = min(spacing.times(2), Self.longestSpacing)
        case .forbidden, .rejected, .notJSON, .unusable, .emptyResponse, .tooLarge, .redirect, .unauthorized:
            current?.attempts += 1
            if let current, current.attempts >= Self.attemptLimit {
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
        if lost > reportedLoss {
            log.warning(
                "\(name): too many gaps to look up; the oldest \(lost - reportedLoss) were dropped", id: .candlesFailed,
                [.source: "\(lane.name)"])
            reportedLoss = lost
        }
        let now = clock.now().wall
        let old = lane.engine.gaps.filter { now.since($0.until) > Self.patience }.map(\.id)
        if !old.isEmpty { giveUp(old, because: "there were no candles for \(Self.patience.approximate)") }
    }

    private func giveUp(_ gaps: [PriceGap.ID], because reason: String) {
        lane.engine.dropGaps(Set(gaps))
        current = nil
        pipeline.commit()
        let place = gaps.count == 1 ? "the gap of \(gaps[0].symbol) since \(gaps[0].since)" : "\(gaps.count) gaps"
        log.warning(
            "\(name): cannot tell whether limits were reached in \(place): \(reason)",
            id: .candlesFailed, [.source: "\(lane.name)"])
    }

    /// Nothing is left to look up.
    private func finish() {
        if doneCount > 0 {
            let gaps = doneCount == 1 ? "1 gap" : "\(doneCount) gaps"
            let limits = foundCount == 1 ? "1 limit was" : "\(foundCount) limits were"
            log.notice(
                "\(name): caught up on \(gaps) in the prices; \(limits) reached\(restText)", id: .caughtUp,
                [.source: "\(lane.name)", .count: "\(doneCount)"])
        }
        _ = reporter.succeeded(at: clock.now().boot)
        (doneCount, foundCount, partialCount) = (0, 0, 0)
        (spacing, failure, feed, current) = (leastSpacing, nil, nil, nil)
        schedule = RetrySchedule(schedule.policy)
    }

    /// What candles could not show.
    private var restText: String {
        guard partialCount > 0, let limit = feed?.profile.limit else { return "" }
        let before = partialCount < doneCount ? " for \(partialCount) of them," : ""
        return ";\(before) the source has candles of the last \(limit) minutes only"
    }

    private var name: String { lane.isAmongSeveral ? "candles of \(lane.name)" : "candles" }
}
