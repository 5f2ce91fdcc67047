internal import Configuration
internal import Control
internal import Delivery
internal import Engine
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import HTTP
internal import Journal
internal import Market
internal import Time

/// Asks for reference rates on their schedule, and holds those in force.
@LoopActor
final class ExchangeRateService {
    private(set) var state = RateState()
    /// Nil while fetching is turned off.
    private(set) var feed: (any RateFeed)?
    /// Called with rates that came into force and when they were fetched, so that they outlive the process.
    var onRates: @LoopActor (RateTable, WallTime) -> Void = { _, _ in }

    private let log: Log
    private let clock: any TimeSource
    private var schedule = RateSchedule()
    private var reporter = FailureReporter()
    private var random = SystemRandomNumberGenerator()
    private let pause = Pause(accuracy: .seconds(1))

    init(_ feed: (any RateFeed)?, log: Log, clock: any TimeSource) {
        self.feed = feed
        self.log = log
        self.clock = clock
    }

    /// Takes up rates that were kept from an earlier run; before ``run()``.
    func restore(_ rates: RateTable, fetched: WallTime) {
        state.restore(rates, fetched: fetched)
    }

    /// Fetches until the task is cancelled.
    func run() async {
        var delay: Milliseconds? = RateSchedule.firstWait(lastFetched: state.fetched, now: clock.now().wall)
        while !Task.isCancelled {
            state.nextDue = feed == nil ? nil : delay.map { clock.now().boot.advanced(by: $0) }
            guard await pause.wait(feed == nil ? nil : delay) else { return }
            delay = await fetch()
        }
    }

    /// Goes on with another source, at once; with none when nil.
    func replace(feed: (any RateFeed)?) {
        self.feed = feed
        schedule = RateSchedule()
        state.forgetFailure()
        pause.end()
    }

    /// Asks once.
    ///
    /// - Returns: how long to wait until the next time; nil without a feed.
    func fetch() async -> Milliseconds? {
        guard let feed else { return nil }
        state.nextDue = nil
        do throws(FeedFailure) {
            let new = try await feed.fetch()
            let isNew = try state.take(new, at: clock.now().wall)
            say(reporter.succeeded(at: clock.now().boot))
            if isNew, let rates = state.rates, let fetched = state.fetched { use(rates, fetched: fetched) }
            return wait(after: .success, from: feed)
        } catch {
            // A request that ended because the daemon does is no failure.
            guard !Task.isCancelled else { return nil }
            // Nor is that of a source that was replaced meanwhile.
            guard feed === self.feed else { return .zero }
            state.fail(error, at: clock.now().wall)
            say(reporter.failed(error, at: clock.now().boot))
            return wait(after: .failure(error.kind, retryAfter: error.retryAfter), from: feed)
        }
    }

    /// How long to wait after a request; not at all when the feed was replaced meanwhile.
    private func wait(after outcome: PollSchedule.Outcome, from asked: any RateFeed) -> Milliseconds? {
        asked === feed ? schedule.next(after: outcome, random: &random) : .zero
    }

    private func use(_ rates: RateTable, fetched: WallTime) {
        let count = rates.currencies.count
        log.info("exchange rates of \(rates.date) from \(rates.source): \(count) currencies", id: .ratesTaken)
        onRates(rates, fetched)
    }

    private func say(_ report: FailureReporter.Report?) {
        switch report {
        case .failed(let failure, let count, let over):
            let again = count > 1 ? " (seen \(count) times in \(over.approximate))" : ""
            log.warning(
                "exchange rates: \(failure.message); \(failure.advice)\(again)", id: .ratesFailed,
                [.failure: failure.kind.rawValue, .count: String(count)])
        case .recovered(let failures, let after):
            let failed = failures == 1 ? "1 failure" : "\(failures) failures"
            log.notice(
                "exchange rates: well again after \(failed) in \(after.approximate)", id: .ratesWork,
                [.count: String(failures)])
        case nil: break
        }
    }
}

extension ExchangeRateService {
    /// The rates in force as rules take them; nil while there are none.
    var ratesForRules: ReferenceRates? {
        state.rates.map { ReferenceRates($0, isStale: $0.isStale(on: clock.now().wall.date)) }
    }
}

/// The feed that the settings ask for; nil when fetching is turned off.
@LoopActor
func makeRateFeed(_ settings: RateSettings, proxy: ProxyAddress?, clock: any TimeSource) -> (any RateFeed)? {
    guard settings.isEnabled else { return nil }
    var configuration = HTTPConfiguration(userAgent: "alertd/\(Version.current)")
    configuration.authorityFile = settings.authorityFile
    configuration.proxy = proxy
    // A day's rates are 2 kB.
    configuration.bodyLimitBytes = 64 << 10
    return ReferenceRateFeed(url: settings.url, client: HTTPClient(configuration), time: clock)
}
