internal import Delivery
internal import Engine
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import HTTP
internal import Journal
internal import Market
internal import Storage
internal import Time

/// The service that fetches reference rates on their schedule and keeps the rates in effect.
@LoopActor
final class ExchangeRateService: RuleRates {
    private(set) var state = RateState()
    /// Nil while fetching is disabled.
    private(set) var feed: (any RateFeed)?

    /// The parts of the last file that cannot be used.
    private(set) var ignored: [String] = []

    private let log: Log
    private let clock: any TimeSource
    /// Called with new rates and the time when they were fetched, to save them.
    var onRates: @LoopActor (RateTable, WallTime) -> Void
    private var schedule = RetrySchedule(.referenceRates)
    private var reporter = FailureReporter()
    private var random: any RandomNumberGenerator
    private let pause = Pause(accuracy: .seconds(1))
    /// The shortest time between two requests, however often users ask for a refresh.
    static let shortestInterval = Milliseconds.seconds(10)
    private var isFetching = false
    private var lastRequest: BootTime?
    /// The time until which the server asked not to be polled.
    private var notBefore: BootTime?
    /// Calls that wait for the next fetch to end.
    private var waiters: [OneShot<Void, CancellationError>] = []

    /// - Parameters:
    ///   - feed: the feed of rates; nil to fetch nothing.
    ///   - log: gets failures and new rates.
    ///   - clock: the source of the current time.
    ///   - random: the source of the jitter of requests.
    ///   - onRates: called with new rates and the time when they were fetched.
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

    var stored: [StoredRate] {
        guard let rates = state.rates, let fetched = state.fetched else { return [] }
        return rates.stored(fetched: fetched)
    }

    func restore(_ rates: RateTable, former: RateTable?, fetched: WallTime) {
        state.restore(rates, former: former, fetched: fetched)
    }

    /// Fetches until the task is cancelled.
    func run() async {
        var delay: Milliseconds? = schedule.firstWait(lastSuccess: state.fetched, now: clock.now().wall)
        while !Task.isCancelled {
            state.nextDue = feed == nil ? nil : delay.map { clock.now().boot.advanced(by: $0) }
            let wait = waiters.isEmpty ? delay : .zero
            guard await pause.wait(feed == nil ? nil : wait) else { break }
            delay = await fetch()
            guard !Task.isCancelled else { break }
            // If the feed was replaced in the meantime, the new feed is asked first, and the callers keep waiting.
            if delay != .zero || feed == nil { finishWaiters(.success(())) }
        }
        finishWaiters(.failure(CancellationError()))
    }

    private func finishWaiters(_ result: Result<Void, CancellationError>) {
        for waiter in waiters { waiter.finish(result) }
        waiters.removeAll()
    }

    /// Continues with another feed immediately; nil disables fetching.
    func replace(feed: (any RateFeed)?) {
        self.feed = feed
        schedule = RetrySchedule(.referenceRates)
        (lastRequest, notBefore) = (nil, nil)
        // Failures of another address are reported immediately.
        reporter.forgetReports()
        ignored = []
        state.forgetFailure()
        pause.end()
    }

    /// Fetches once.
    ///
    /// - Returns: the wait before the next fetch; nil without a feed.
    func fetch() async -> Milliseconds? {
        guard let feed else { return nil }
        state.nextDue = nil
        (isFetching, lastRequest, notBefore) = (true, clock.now().boot, nil)
        defer { isFetching = false }
        do throws(FeedFailure) {
            let new = try await feed.fetch()
            let isNew = try state.apply(new, isPartial: !feed.ignored.isEmpty, at: clock.now().wall)
            let delay = wait(after: .success, from: feed)
            log.write(reporter.succeeded(at: clock.now().boot), of: .rates, retryingIn: delay)
            reportIgnored(by: feed)
            if isNew, let rates = state.rates, let fetched = state.fetched { use(rates, fetched: fetched) }
            return delay
        } catch {
            // A request that was cancelled because the daemon is shutting down is not a failure.
            guard !Task.isCancelled else { return nil }
            // The failure of a feed that was replaced in the meantime does not count either.
            guard feed === self.feed else { return .zero }
            // At the first start, there are no rates that could stay in effect.
            var error = error
            if state.rates != nil, error.kind == .unusable {
                error.advice = "the previous rates stay in effect\(error.advice.map { "; \($0)" } ?? "")"
            }
            state.fail(error, at: clock.now().wall)
            notBefore = error.retryAfter.map { clock.now().boot.advanced(by: $0) }
            let delay = wait(after: error.outcome, from: feed)
            log.write(reporter.failed(error, at: clock.now().boot), of: .rates, retryingIn: delay)
            return delay
        }
    }

    /// Returns the wait after a request; zero if the feed was replaced in the meantime.
    private func wait(after outcome: RetrySchedule.Outcome, from used: any RateFeed) -> Milliseconds {
        used === feed ? schedule.next(after: outcome, random: &random) : .zero
    }

    /// Logs the currencies that cannot be used, once.
    private func reportIgnored(by feed: any RateFeed) {
        guard feed.ignored != ignored else { return }
        ignored = feed.ignored
        guard !ignored.isEmpty else { return }
        log.warning("exchange rates: ignored: \(ignored.joined(separator: "; "))", id: .ratesIgnored)
    }

    private func use(_ rates: RateTable, fetched: WallTime) {
        let count = rates.currencies.count { rates[$0] != nil }
        let currencies = count == 1 ? "1 currency" : "\(count) currencies"
        log.info("exchange rates of \(rates.date) from \(rates.source): \(currencies)", id: .ratesTaken)
        onRates(rates, fetched)
    }
}

extension ExchangeRateService: RateRefresher {
    func refresh() async throws(RateRefreshError) {
        guard feed != nil else { throw .disabled }
        if !isFetching {
            let now = clock.now().boot
            let soonest = max(
                lastRequest?.advanced(by: Self.shortestInterval) ?? now, notBefore ?? now)
            guard soonest <= now else { throw .tooSoon(soonest.since(now)) }
        }
        let waiter = OneShot<Void, CancellationError>()
        waiters.append(waiter)
        pause.end()
        do {
            try await waiter.value(onCancel: CancellationError())
        } catch {
            throw .stopping
        }
    }
}

/// The reason why rates are not fetched although a user requested it.
enum RateRefreshError: Error, Equatable {
    /// Fetching is disabled in the settings.
    case disabled
    /// The rates may be fetched again after this time.
    case tooSoon(Milliseconds)
    /// The daemon is shutting down.
    case stopping
}

extension RateRefreshError: CustomStringConvertible {
    var description: String {
        switch self {
        case .disabled: "exchange rates are not fetched; set `enabled = true` in [rates] of the settings"
        case .tooSoon(let rest): "the exchange rates were requested just now; try again in \(rest.approximate)"
        case .stopping: "the daemon is shutting down"
        }
    }
}
