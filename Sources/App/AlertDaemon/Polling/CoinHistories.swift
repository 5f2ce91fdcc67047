internal import Control
internal import EventLoop
internal import Feeds
internal import Market
internal import Storage
internal import Time

/// A coin of a source.
struct CoinKey: Hashable, Sendable {
    var source: SourceName
    /// The source's own identifier of the coin.
    var identity: String
}

/// The answer to a request for the past prices of a coin.
enum CoinHistoryAnswer: Equatable, Sendable {
    /// The prices, with the reason why there are no newer ones; nil if they are recent.
    case found(CoinHistory, String?)
    /// The prices were requested, but have not arrived yet.
    case pending
    /// There are no prices, with the reason.
    case failed(String)
}

/// The past prices of coins, which are requested once and then kept in the state file. Requests never delay a poll:
/// they wait until it ends, only one is sent at a time, and each counts as one request of the key's plan.
@LoopActor
final class CoinHistories {
    /// The maximum number of waiting requests; further requests are refused. The last places are reserved for users
    /// who may change something.
    static let queueLimit = (all: 8, readers: 6)
    /// The time between two requests.
    static let pace = Milliseconds.seconds(2)
    /// The maximum number of requests per day and source. In 31 days, 1,860 requests and 2,976 polls at the usual
    /// interval make 4,836 of the 5,000 requests of a free plan. A third is reserved for users who may change
    /// something.
    static let dailyLimit = (all: 60, readers: 40)
    private static let day = Milliseconds.seconds(86_400)
    /// The time that a call waits for an answer. After that, clients repeat the call.
    static let patience = Milliseconds.seconds(2)
    /// The time for which a failed request is not repeated, unless the server asks for a longer wait.
    private static let failurePause = Milliseconds.seconds(60)
    private static let failureLimit = 100

    private struct Request: Hashable {
        var coin: CoinKey
        var period: PricePeriod
        /// True if the user of the request may only read.
        var isReaders: Bool
    }

    private let pollers: Pollers
    private let pipeline: Pipeline
    private let clock: any TimeSource
    private var queue: [Request] = []
    private var waiters: [(request: Request, pause: Pause)] = []
    private var failures: [Request: (message: String, until: BootTime)] = [:]
    /// The times of the requests of the last 24 hours, by source.
    private var requests: [SourceName: [WallTime]] = [:]
    private var lastRequest: BootTime?
    private var worker: Task<Void, Never>?
    private let pause = Pause(accuracy: .milliseconds(100))

    private let pace: Milliseconds
    private let patience: Milliseconds

    init(
        _ pollers: Pollers, _ pipeline: Pipeline, clock: any TimeSource, pace: Milliseconds = CoinHistories.pace,
        patience: Milliseconds = CoinHistories.patience
    ) {
        (self.pollers, self.pipeline, self.clock) = (pollers, pipeline, clock)
        (self.pace, self.patience) = (pace, patience)
    }

    func history(of coin: CoinKey, over period: PricePeriod, for rank: PeerRank) async -> CoinHistoryAnswer {
        let request = Request(coin: coin, period: period, isReaders: rank == .reader)
        if let answer = answer(to: request) { return answer }
        guard enqueue(request) else {
            return known(request, "\(queue.count) requests for past prices are waiting; try again later")
        }
        let pause = Pause(accuracy: .milliseconds(100))
        waiters.append((request, pause))
        _ = await pause.wait(patience)
        waiters.removeAll { $0.pause === pause }
        return answer(to: request) ?? .pending
    }

    /// Ends all requests.
    func stop() async {
        worker?.cancel()
        await worker?.value
        worker = nil
        for waiter in waiters { waiter.pause.end() }
    }

    /// Returns an answer without a request: stored prices or a recent failure; nil if a request must be made.
    private func answer(to request: Request) -> CoinHistoryAnswer? {
        if let stored = stored(request), stored.isRecent(at: clock.now().wall) { return .found(stored, nil) }
        guard let failure = failures[request] else { return nil }
        guard failure.until > clock.now().boot else {
            failures[request] = nil
            return nil
        }
        return known(request, failure.message)
    }

    /// Returns stored prices with the message, even if they are old, or a failure if there are none.
    private func known(_ request: Request, _ message: String) -> CoinHistoryAnswer {
        stored(request).map { .found($0, message) } ?? .failed(message)
    }

    private func stored(_ request: Request) -> CoinHistory? {
        let store = pipeline.stateStore
        let staged = store.coinHistories.last {
            $0.source == request.coin.source && $0.history.identity == request.coin.identity
                && $0.history.period == request.period
        }
        if let staged { return staged.history }
        guard store.store.isOpen else { return nil }
        let found = try? store.store.coinHistories(
            of: request.coin.identity, in: request.coin.source, over: request.period)
        return found?.first
    }

    private func enqueue(_ request: Request) -> Bool {
        guard !queue.contains(request) else { return true }
        guard queue.count < (request.isReaders ? Self.queueLimit.readers : Self.queueLimit.all) else { return false }
        queue.append(request)
        if worker == nil { worker = Loop.shared.start { [weak self] in await self?.work() } }
        return true
    }

    private func work() async {
        while let request = queue.first {
            guard await untilFree(request), !Task.isCancelled else { break }
            await perform(request)
            queue.removeAll { $0 == request }
            for waiter in waiters where waiter.request == request { waiter.pause.end() }
        }
        worker = nil
    }

    /// Waits until the source is not being polled, and the next request is due.
    ///
    /// - Returns: false if the daemon is shutting down.
    private func untilFree(_ request: Request) async -> Bool {
        while true {
            let passed = lastRequest.map { clock.now().boot.since($0) } ?? pace
            let rest = pace.count - passed.count
            if rest > 0 {
                guard await pause.wait(Milliseconds(rest)) else { return false }
            } else if pollers[request.coin.source]?.state.isPolling ?? false {
                guard await pause.wait(.seconds(1)) else { return false }
            } else {
                return true
            }
        }
    }

    private func perform(_ request: Request) async {
        guard let poller = pollers[request.coin.source] else {
            return fail(request, "\(request.coin.source) is no longer a source", for: .zero)
        }
        let now = clock.now()
        if let until = poller.state.notBefore, until > now.boot {
            let message = poller.state.failure?.message ?? "the source asked to wait"
            return fail(request, message, for: until.since(now.boot))
        }
        // Another request may have fetched the same prices in the meantime.
        if let stored = stored(request), stored.isRecent(at: now.wall) { return }
        let limit = request.isReaders ? Self.dailyLimit.readers : Self.dailyLimit.all
        guard countRequest(of: request.coin.source, at: now.wall, limit: limit) else {
            return fail(
                request, "\(limit) requests for past prices were made in a day, which is the limit",
                for: Self.failurePause)
        }
        lastRequest = now.boot
        do {
            let history = try await poller.feed.history(of: request.coin.identity, over: request.period)
            pipeline.commit(coinHistories: [StoredCoinHistory(history, of: request.coin.source)])
        } catch {
            fail(request, error.sentence, for: max(Self.failurePause, error.retryAfter ?? .zero))
        }
        lastRequest = clock.now().boot
    }

    private func fail(_ request: Request, _ message: String, for length: Milliseconds) {
        if failures.count >= Self.failureLimit { failures = [:] }
        failures[request] = (message, clock.now().boot.advanced(by: length))
    }

    /// Counts a request.
    ///
    /// - Returns: false if there were too many in the last day.
    private func countRequest(of source: SourceName, at now: WallTime, limit: Int) -> Bool {
        let start = WallTime(milliseconds: now.milliseconds - Self.day.count)
        let store = pipeline.stateStore.store
        var times = requests[source] ?? (store.isOpen ? (try? store.coinFetches(in: source, since: start)) ?? [] : [])
        times.removeAll { $0 < start || $0 > now }
        defer { requests[source] = times }
        guard times.count < limit else { return false }
        times.append(now)
        return true
    }
}
