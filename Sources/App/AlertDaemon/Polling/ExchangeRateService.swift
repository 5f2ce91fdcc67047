internal import Delivery
internal import Engine
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import HTTP
internal import Journal
internal import Market
internal import Time

/// Fetches reference rates on their schedule, and keeps those in effect.
@LoopActor
final class ExchangeRateService: RuleRates {
    private(set) var state = RateState()
    /// Nil while fetching is disabled.
    private(set) var feed: (any RateFeed)?

    private let log: Log
    private let clock: any TimeSource
    /// Called with new rates and when they were fetched, so that they are saved.
    var onRates: @LoopActor (RateTable, WallTime) -> Void
    private var schedule = RetrySchedule(.referenceRates)
    private var reporter = FailureReporter()
    private var random: any RandomNumberGenerator
    private let pause = Pause(accuracy: .seconds(1))

    /// - Parameters:
    ///   - feed: nil to fetch nothing.
    ///   - log: gets failures and new rates.
    ///   - clock: the current time.
    ///   - random: where the jitter of requests comes from.
    ///   - onRates: see ``onRates``.
    init(
        _ feed: (any RateFeed)?, log: Log, clock: any TimeSource,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        onRates: @escaping @LoopActor (RateTable, WallTime) -> Void = { _, _ in }
    ) {
        self.feed = feed
        self.log = log
        self.clock = clock
        self.random = random
        self.onRates = onRates
    }

    var ratesForRules: ReferenceRates? {
        state.rates.map { ReferenceRates($0, isStale: $0.isStale(on: clock.now().wall.date)) }
    }

    func restore(_ rates: RateTable, fetched: WallTime) {
        state.restore(rates, fetched: fetched)
    }

    /// Fetches until the task is cancelled.
    func run() async {
        var delay: Milliseconds? = schedule.firstWait(lastSuccess: state.fetched, now: clock.now().wall)
        while !Task.isCancelled {
            state.nextDue = feed == nil ? nil : delay.map { clock.now().boot.advanced(by: $0) }
            guard await pause.wait(feed == nil ? nil : delay) else { return }
            delay = await fetch()
        }
    }

    /// Continues with another feed at once; nil disables fetching.
    func replace(feed: (any RateFeed)?) {
        self.feed = feed
        schedule = RetrySchedule(.referenceRates)
        state.forgetFailure()
        pause.end()
    }

    /// Fetches once.
    ///
    /// - Returns: how long to wait before the next fetch; nil without a feed.
    func fetch() async -> Milliseconds? {
        guard let feed else { return nil }
        state.nextDue = nil
        do throws(FeedFailure) {
            let new = try await feed.fetch()
            let isNew = try state.take(new, at: clock.now().wall)
            let delay = wait(after: .success, from: feed)
            log.write(reporter.succeeded(at: clock.now().boot), of: .rates, retryingIn: delay)
            if isNew, let rates = state.rates, let fetched = state.fetched { use(rates, fetched: fetched) }
            return delay
        } catch {
            // A request that was cancelled because the daemon is shutting down is not a failure.
            guard !Task.isCancelled else { return nil }
            // Nor is that of a feed that was replaced in the meantime.
            guard feed === self.feed else { return .zero }
            state.fail(error, at: clock.now().wall)
            let delay = wait(after: error.outcome, from: feed)
            log.write(reporter.failed(error, at: clock.now().boot), of: .rates, retryingIn: delay)
            return delay
        }
    }

    /// How long to wait after a request; zero when the feed was replaced in the meantime.
    private func wait(after outcome: RetrySchedule.Outcome, from used: any RateFeed) -> Milliseconds {
        used === feed ? schedule.next(after: outcome, random: &random) : .zero
    }

    private func use(_ rates: RateTable, fetched: WallTime) {
        let count = rates.currencies.count
        log.info("exchange rates of \(rates.date) from \(rates.source): \(count) currencies", id: .ratesTaken)
        onRates(rates, fetched)
    }
}
