import Configuration
import Delivery
import EventLoop
import Feeds
import Market
import PriceSources
import Replay
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// A price service that has past prices of all coins, or holds its answers back.
@LoopActor
private final class PastService: Feed {
    let source = PriceSource.coinranking
    let url: String? = nil
    private let clock: ReplayClock
    private(set) var requests: [String] = []
    /// What the answers wait for; nil when they do not.
    var gate: OneShot<Void, Never>?
    var failure: FeedFailure?

    init(_ clock: ReplayClock) { self.clock = clock }

    func poll() async throws(FeedFailure) -> TickerBatch { throw FeedFailure(.other, "no polls here") }

    func history(of identity: String, over period: PricePeriod) async throws(FeedFailure) -> CoinHistory {
        requests.append("\(identity) \(period.rawValue)")
        await gate?.wait()
        if let failure { throw failure }
        let now = clock.now().wall
        return CoinHistory(
            identity: identity, period: period, fetched: now,
            points: [CoinPoint(time: now, price: Price(mantissa: 5, scale: 0) ?? .zero)])
    }
}

@LoopActor
private final class PastScene {
    let clock = ReplayClock(SmallDaemon.start)
    let service: PastService
    let histories: CoinHistories
    private let daemon: SmallDaemon

    init(_ folder: StateFolderForTest) throws {
        daemon = try SmallDaemon(folder)
        service = PastService(clock)
        let poller = Poller(
            service, FeedSettings(), lane: daemon.pipeline.first, pipeline: daemon.pipeline,
            log: Log(isJournal: false, least: .error), clock: clock)
        // Other tests may keep the loop busy for longer than the usual patience.
        histories = CoinHistories(
            Pollers([poller]), daemon.pipeline, clock: clock, pace: .zero, patience: .seconds(3_600))
    }

    func ask(_ coin: Int, _ period: PricePeriod = .day, for rank: PeerRank = .reader) async -> CoinHistoryAnswer {
        let key = CoinKey(source: daemon.pipeline.first.name, identity: "c\(coin)")
        return await histories.history(of: key, over: period, for: rank)
    }

    func stop() async {
        await histories.stop()
        daemon.pipeline.stop()
    }
}

extension CoinHistoryAnswer {
    fileprivate var message: String? {
        switch self {
        case .found(_, let message): message
        case .pending: nil
        case .failed(let message): message
        }
    }

    fileprivate var isFound: Bool {
        if case .found = self { true } else { false }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct CoinHistoriesTests {
    private let folder = StateFolderForTest()

    /// Users who may only read can use up 40 of the 60 requests of a day; the rest is for administrators.
    @Test func aDayHasALimit() async throws {
        try await onLoop { [folder] in
            let scene = try PastScene(folder)
            for coin in 0..<40 { #expect(await scene.ask(coin).isFound) }
            #expect(await scene.ask(40).message == "40 requests for past prices were made in a day, which is the limit")
            for coin in 40..<60 { #expect(await scene.ask(coin, for: .administrator).isFound) }
            #expect(await scene.ask(60, for: .owner).message?.hasPrefix("60 requests") == true)
            #expect(scene.service.requests.count == 60)
            // What is known costs nothing, whoever asks.
            #expect(await scene.ask(3).isFound && scene.service.requests.count == 60)
            // The first requests are more than a day ago.
            scene.clock.set(scene.clock.now().advanced(bySeconds: 86_401))
            #expect(await scene.ask(61).isFound && scene.service.requests.count == 61)
            await scene.stop()
        }
    }

    /// The requests of the last day are counted across restarts.
    @Test func aRestartChangesNothing() async throws {
        try await onLoop { [folder] in
            let first = try PastScene(folder)
            for coin in 0..<40 { #expect(await first.ask(coin).isFound) }
            await first.stop()
            let second = try PastScene(folder)
            #expect(await second.ask(40).message?.hasPrefix("40 requests") == true)
            #expect(await second.ask(5).isFound && second.service.requests.isEmpty)
            await second.stop()
        }
    }

    /// Failed requests count as well: each of them costs the plan one.
    @Test func failuresCount() async throws {
        try await onLoop { [folder] in
            let scene = try PastScene(folder)
            scene.service.failure = FeedFailure(.unusable, "nothing there")
            for coin in 0..<40 { #expect(await scene.ask(coin).message == "nothing there") }
            #expect(await scene.ask(41).message?.hasPrefix("40 requests") == true)
            #expect(scene.service.requests.count == 40)
            // A failure is remembered for a minute, and costs nothing then.
            #expect(await scene.ask(3).message == "nothing there" && scene.service.requests.count == 40)
            await scene.stop()
        }
    }

    /// Six requests of readers wait at most, and eight in all; the same request waits once.
    @Test func theQueueHasALimit() async throws {
        try await onLoop { [folder] in
            let scene = try PastScene(folder)
            let gate = OneShot<Void, Never>()
            scene.service.gate = gate
            var asked: [Task<CoinHistoryAnswer, Never>] = []
            for coin in 0..<6 { asked.append(Loop.shared.start { await scene.ask(coin) }) }
            asked.append(Loop.shared.start { await scene.ask(5) })
            while scene.service.requests.isEmpty { await Task.yield() }
            #expect(await scene.ask(6).message == "6 requests for past prices are waiting; try again later")
            for coin in 6..<8 { asked.append(Loop.shared.start { await scene.ask(coin, for: .administrator) }) }
            for _ in 0..<10 { await Task.yield() }
            #expect(await scene.ask(8, for: .owner).message?.hasPrefix("8 requests") == true)
            gate.finish(.success(()))
            for task in asked { #expect(await task.value.isFound) }
            #expect(scene.service.requests == (0..<8).map { "c\($0) 24h" })
            await scene.stop()
        }
    }

    /// A reader and an administrator want the same: one request does for both.
    @Test func oneRequestAnswersAll() async throws {
        try await onLoop { [folder] in
            let scene = try PastScene(folder)
            let gate = OneShot<Void, Never>()
            scene.service.gate = gate
            let reader = Loop.shared.start { await scene.ask(1) }
            while scene.service.requests.isEmpty { await Task.yield() }
            let owner = Loop.shared.start { await scene.ask(1, for: .owner) }
            for _ in 0..<10 { await Task.yield() }
            gate.finish(.success(()))
            #expect(await reader.value.isFound)
            #expect(await owner.value.isFound && scene.service.requests.count == 1)
            await scene.stop()
        }
    }

}
