import Configuration
import Delivery
import Engine
import EventLoop
import Events
import Feeds
import HTTP
import Journal
import Market
import PriceSources
import Replay
import Rules
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

/// An exchange that has candles of all markets, which reach 120 in each minute.
@LoopActor
private final class CandleExchange: HTTPFetching {
    /// How the next requests are answered instead; nil for with candles.
    var answers: [HTTPResponse?] = []
    private(set) var addresses: [String] = []
    /// Called with each request.
    var onRequest: (String) -> Void = { _ in }
    /// What has to end before a request is answered.
    var beforeAnswer: @LoopActor () async -> Void = {}
    /// Whether requests are not answered.
    var isHanging = false

    func get(
        _ address: String, headers: [String: String], ifModifiedSince: WallTime?
    ) async throws(HTTPError) -> HTTPResponse {
        addresses.append(address)
        onRequest(address)
        await beforeAnswer()
        if isHanging {
            _ = try? await OneShot<Void, CancellationError>().value(onCancel: CancellationError())
            throw .cancelled
        }
        if !answers.isEmpty, let answer = answers.removeFirst() { return answer }
        return Self.response(200, candles(of: address))
    }

    nonisolated static func response(_ status: Int, _ body: String, retryAfter: String? = nil) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: retryAfter.map { ["retry-after": $0] } ?? [:],
            paddedBody: Array(body.utf8) + [UInt8](repeating: 0, count: HTTPResponse.paddingCount))
    }

    /// One for each minute that is asked for.
    private func candles(of address: String) -> String {
        var (start, end): (Int64, Int64) = (0, 0)
        for field in address.split(whereSeparator: { "?&".contains($0) }) {
            if field.hasPrefix("startTime=") { start = Int64(field.dropFirst(10)) ?? 0 }
            if field.hasPrefix("endTime=") { end = Int64(field.dropFirst(8)) ?? 0 }
        }
        let step: Int64 = start > 1 << 40 ? 60_000 : 60
        var rows: [String] = []
        for time in stride(from: start, to: end, by: Int(step)) {
            rows.append("[" + String(time) + ",\"100\",\"120\",\"99\",\"101\",\"0.5\"]")
        }
        return "[" + rows.joined(separator: ",") + "]"
    }
}

/// A pipeline whose clock is set by hand, and what looks up its gaps.
@LoopActor
private final class CatchUpScene {
    let pipeline: Pipeline
    let exchange = CandleExchange()
    let sink = RecordingSink()
    let clock: ReplayClock
    var isPolling = false
    /// What polls, if it is not the test.
    private(set) var poller: Poller?
    /// How often it looked whether a poll is in progress.
    private(set) var lookCount = 0
    private(set) var bans: [Milliseconds] = []
    private(set) var catchUp: CatchUp?
    private(set) var messages: [String] = []
    private var running: Task<Void, Never>?

    init(
        _ folder: StateFolderForTest, source: PriceSource = .wazirx, symbols: [String] = ["*"], at now: Instant,
        policy: RetryPolicy? = nil, hasCandles: Bool = true
    ) throws {
        clock = ReplayClock(now)
        var settings = Settings()
        settings.feed.source = source
        settings.rules = [
            Rule(
                name: "high", symbols: symbols.compactMap(SymbolPattern.init),
                condition: .band(try Band(min: nil, max: Price("110"))))
        ]
        pipeline = Pipeline(
            settings, sinks: [sink], isSimulated: false,
            stateStore: StateStore(Store(folder: folder.path), bootID: "boot", now: now), clock: clock)
        try pipeline.start()
        let quick = RetryPolicy(
            interval: Milliseconds(1), firstBackoff: Milliseconds(1), longestBackoff: Milliseconds(1),
            jitter: .init(divisor: 1, most: .zero), backoffJitter: .init(divisor: 1, most: .zero))
        catchUp = CatchUp(
            pipeline.first, pipeline: pipeline, log: log(), clock: clock, random: SystemRandomNumberGenerator(),
            spacing: Milliseconds(1), policy: policy ?? quick,
            polling: CatchUp.Polling(
                isBusy: { [weak self] in self?.look() ?? true }, isFailing: { false },
                onBan: { [weak self] in self?.bans.append($0) }),
            makeFeed: { [exchange] in
                hasCandles
                    ? CandleFeed(
                        FeedParameters(source, url: "https://example.org"), client: { exchange }, time: FixedClock())
                    : nil
            })
    }

    private func log() -> Log {
        Log(least: .debug, clock: clock) { [weak self] entry in
            self?.messages += entry.fields.map { text($0) }.filter { $0.hasPrefix("MESSAGE=") }
            return 0
        }
    }

    private struct FixedClock: TimeSource {
        func now() -> Instant { .testStart }
    }

    private func look() -> Bool {
        lookCount += 1
        return isPolling || poller?.state.isPolling ?? false
    }

    var now: Instant { clock.now() }
    var gaps: [PriceGap] { pipeline.first.engine.gaps }

    func advance(_ seconds: Int64) { clock.set(now.advanced(bySeconds: seconds)) }

    /// Polls once, 30 s later.
    func poll(_ prices: [(String, String)]) throws {
        advance(30)
        _ = pipeline.accept(TickerBatch(tickers: try Self.tickers(prices), received: now))
        catchUp?.wake()
    }

    /// Lets the daemon's own poller ask a feed that has these prices.
    func poller(_ prices: [(String, String)]) throws -> (Poller, SteadyFeed) {
        let feed = SteadyFeed(try Self.tickers(prices), clock: clock)
        // It polls on request only: on a slow machine, the time of a test is longer than a usual interval.
        var settings = FeedSettings()
        settings.interval = .seconds(3_600)
        let poller = Poller(
            feed, settings, lane: pipeline.first, pipeline: pipeline, log: log(), clock: clock)
        self.poller = poller
        return (poller, feed)
    }

    private static func tickers(_ prices: [(String, String)]) throws -> [Ticker] {
        try prices.map { name, price in
            Ticker(
                symbol: try #require(Symbol(name)), quote: Asset("usdt"), last: try Price(price),
                volume: try Price("5"), bid: try Price("1"), ask: try Price("1"))
        }
    }

    func start() {
        running = Loop.shared.start { [catchUp] in await catchUp?.run() }
    }

    /// Ends as a killed process does: nothing is saved from then on.
    func kill() async {
        running?.cancel()
        await running?.value
        pipeline.stateStore.close()
    }

    func stop() async {
        running?.cancel()
        await running?.value
        pipeline.stop()
    }

    /// Waits until all gaps are gone.
    func finish() async throws {
        try await until { gaps.isEmpty }
    }

    var touched: [String] {
        sink.occurrences.filter { $0.kind == .touched }.map { "\($0.symbol.map { "\($0)" } ?? "")" }
    }
}

@Suite(.timeLimit(.minutes(10))) struct CatchUpTests {
    private let folder = StateFolderForTest()
    private let start = ReplaySeries.time(of: 0)

    @Test func aLimitThatWasReachedIsNotified() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start)
            try scene.poll([("btcusdt", "100")])
            scene.advance(600)
            try scene.poll([("btcusdt", "100")])
            #expect(scene.gaps.count == 1)
            scene.sink.onEvent = { [weak scene] event in
                // Committed before it is delivered, and the gap with it.
                #expect(scene?.pipeline.stateStore.store.lastNumber == event.number)
            }
            scene.start()
            try await scene.finish()
            #expect(scene.touched == ["btcusdt"] && scene.exchange.addresses.count == 1)
            let event = try #require(scene.sink.occurrences.last)
            #expect(event.source == scene.pipeline.first.name && event.notified && event.reason == .caughtUp)
            let symbol = try #require(Symbol("btcusdt"))
            let minutes = start.wall..<scene.now.wall
            let stored = try scene.pipeline.stateStore.store.candles(
                of: symbol, from: scene.pipeline.first.name, in: minutes, limit: 100)
            #expect(stored.count >= 9 && stored.allSatisfy { $0.high == Price(mantissa: 120, scale: 0) })
            await scene.stop()
        }
    }

    @Test func theMostEndangeredIsAskedForFirst() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start)
            let prices = [("ethusdt", "50"), ("btcusdt", "109"), ("solusdt", "90")]
            try scene.poll(prices)
            scene.advance(600)
            try scene.poll(prices)
            scene.start()
            try await scene.finish()
            let order = scene.exchange.addresses.compactMap { $0.split(separator: "=").dropFirst().first?.prefix(3) }
            #expect(order == ["btc", "sol", "eth"])
            #expect(scene.touched == ["btcusdt", "solusdt", "ethusdt"])
            await scene.stop()
        }
    }

    /// No request begins while a poll is in progress.
    @Test func aPollComesFirst() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start)
            try scene.poll([("btcusdt", "100")])
            scene.advance(600)
            try scene.poll([("btcusdt", "100")])
            scene.isPolling = true
            scene.start()
            try await until { scene.lookCount >= 5 }
            #expect(scene.exchange.addresses.isEmpty && scene.gaps.count == 1)
            scene.isPolling = false
            try await scene.finish()
            #expect(scene.touched == ["btcusdt"])
            await scene.stop()
        }
    }

    /// The process ends before there is an answer, and after it.
    @Test func aKillLosesNothingAndRepeatsNothing() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start)
            try scene.poll([("btcusdt", "100"), ("ethusdt", "100")])
            scene.advance(600)
            try scene.poll([("btcusdt", "100"), ("ethusdt", "100")])
            scene.exchange.isHanging = true
            scene.start()
            try await until { scene.exchange.addresses.count == 1 }
            await scene.kill()
            #expect(scene.touched.isEmpty)

            let second = try CatchUpScene(folder, at: scene.now.advanced(bySeconds: 1))
            #expect(second.gaps == scene.gaps)
            second.exchange.onRequest = { address in second.exchange.isHanging = address.contains("eth") }
            second.start()
            try await until { second.exchange.addresses.count == 2 }
            await second.kill()
            #expect(second.touched == ["btcusdt"])

            let third = try CatchUpScene(folder, at: second.now.advanced(bySeconds: 1))
            #expect(third.gaps.map(\.symbol.description) == ["ethusdt"])
            third.start()
            try await third.finish()
            #expect(third.touched == ["ethusdt"])
            #expect(third.sink.numbers.last == 2, "no number is used twice or left out")
            await third.stop()
        }
    }

    /// Two requests; the second is refused at first. What is there already is not asked for again.
    @Test func aRefusalIsFollowedBySlowerRequests() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, source: .binance, at: start)
            try scene.poll([("btcusdt", "100")])
            scene.advance(86_400)
            scene.exchange.answers = [nil, CandleExchange.response(429, "{}", retryAfter: "0")]
            try scene.poll([("btcusdt", "100")])
            var spacings: [Milliseconds] = []
            scene.exchange.onRequest = { _ in spacings.append(scene.catchUp?.spacing ?? .zero) }
            scene.start()
            try await scene.finish()
            #expect(scene.exchange.addresses.count == 3 && scene.exchange.addresses[1] == scene.exchange.addresses[2])
            #expect(spacings == [Milliseconds(1), Milliseconds(1), Milliseconds(2)])
            #expect(scene.touched == ["btcusdt"] && scene.bans.isEmpty)
            await scene.stop()
        }
    }

    @Test func aBanStopsPollingAsWell() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start, policy: .candles)
            try scene.poll([("btcusdt", "100")])
            scene.advance(600)
            try scene.poll([("btcusdt", "100")])
            scene.exchange.answers = [CandleExchange.response(418, "", retryAfter: "3600")]
            scene.start()
            try await until { !scene.bans.isEmpty }
            #expect(scene.bans.allSatisfy { $0 >= .seconds(3_600) })
            #expect(scene.gaps.count == 1 && scene.catchUp?.failure?.kind == .banned)
            await scene.stop()
        }
    }

    @Test(arguments: ["<html>", #"{"code":-1121,"message":"Invalid symbol."}"#])
    func candlesThatMakeNoSenseAreGivenUp(body: String) async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start)
            try scene.poll([("btcusdt", "100")])
            scene.advance(600)
            scene.exchange.answers = Array(repeating: CandleExchange.response(200, body), count: 9)
            try scene.poll([("btcusdt", "100")])
            scene.start()
            try await scene.finish()
            #expect(scene.exchange.addresses.count == CatchUp.attemptLimit && scene.touched.isEmpty)
            await scene.stop()
        }
    }

    @Test func aGapIsGivenUpAfterADay() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start)
            try scene.poll([("btcusdt", "100")])
            scene.advance(600)
            try scene.poll([("btcusdt", "100")])
            scene.advance(86_401)
            scene.start()
            try await scene.finish()
            #expect(scene.exchange.addresses.isEmpty)
            await scene.stop()
        }
    }

    @Test(arguments: [
        (["btcusdt"], "in the gap of btcusdt since 2026-01-01T00:00:30.000Z: "),
        (["btcusdt", "ethusdt"], "in 2 gaps: "),
    ])
    func aSourceWithoutCandlesIsNotAsked(symbols: [String], place: String) async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, at: start, hasCandles: false)
            try scene.poll(symbols.map { ($0, "100") })
            scene.advance(600)
            try scene.poll(symbols.map { ($0, "100") })
            scene.start()
            try await scene.finish()
            #expect(scene.exchange.addresses.isEmpty && scene.touched.isEmpty)
            #expect(scene.messages.contains { $0.contains("limits were reached " + place) }, "\(scene.messages)")
            await scene.stop()
        }
    }

    /// Of three gaps, one begins before the oldest candle that Kraken has.
    @Test func gapsThatCandlesCannotShowWhollyAreCounted() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, source: .kraken, at: start)
            try scene.poll([("btcusdt", "100")])
            scene.advance(13 * 3_600)
            let others = [("ethusdt", "100"), ("solusdt", "100")]
            try scene.poll(others)
            scene.advance(600)
            try scene.poll([("btcusdt", "100")] + others)
            #expect(scene.gaps.count == 3)
            let minute = scene.now.wall.milliseconds / 60_000 * 60
            let candle = { (time: Int64) in "[\(time),\"100\",\"100\",\"100\",\"100\",\"100\",\"9\",5]" }
            let body = "{\"error\":[],\"result\":{\"X\":[\(candle(minute - 60)),\(candle(minute))],\"last\":0}}"
            scene.exchange.answers = Array(repeating: CandleExchange.response(200, body), count: 3)
            scene.start()
            try await until { scene.messages.contains { $0.contains("caught up") } }
            let rest = "caught up on 3 gaps in the prices; 0 limits were reached; for 1 of them, the source has candles"
            #expect(scene.messages.contains { $0.contains(rest) }, "\(scene.messages)")
            await scene.stop()
        }
    }

    /// WazirX refuses what Kraken does not. A server that may be polled every second is one on this machine.
    @Test(arguments: [(PriceSource.wazirx, 30, 6), (.wazirx, 1, 1), (.wazirx, 3, 3), (.kraken, 30, 1), (.json, 30, 1)])
    @LoopActor func theSourceDecidesHowOftenItIsAsked(source: PriceSource, interval: Int64, seconds: Int64) {
        var settings = FeedSettings()
        (settings.source, settings.interval) = (source, .seconds(interval))
        #expect(settings.candleSpacing == .seconds(seconds))
    }

    /// A day with 100 symbols takes 200 requests. While the exchange works on each of them, a poll becomes due, and
    /// is over before there are candles: no poll is late, whatever the requests take.
    @Test func aDayWithManySymbolsDelaysNoPoll() async throws {
        try await onLoop { [folder, start] in
            let scene = try CatchUpScene(folder, source: .binance, at: start)
            let prices = (0..<100).map { ("coin\($0)usdt", "100") }
            try scene.poll(prices)
            scene.advance(86_400)
            try scene.poll(prices)
            let (poller, feed) = try scene.poller(prices)
            let polling = Loop.shared.start { await poller.run {} }
            try await until { feed.times.count == 1 && !poller.state.isPolling }
            var due: [Instant] = [scene.now]
            scene.exchange.beforeAnswer = {
                scene.advance(30)
                due.append(scene.now)
                _ = try? await poller.pollNow()
                #expect(poller.state.polls == due.count && !poller.state.isPolling)
            }
            scene.start()
            try await scene.finish()
            #expect(scene.exchange.addresses.count == 200 && feed.times.count == 201)
            #expect(feed.times == due)
            #expect(scene.touched.count == 100 && Set(scene.touched).count == 100)
            #expect(scene.sink.numbers == Array(1...100))
            polling.cancel()
            await polling.value
            await scene.stop()
        }
    }
}

/// A feed that has the same prices all the time, and answers at once.
@LoopActor
private final class SteadyFeed: Feed {
    let source = PriceSource.binance
    let url: String? = nil
    private let tickers: [Ticker]
    private let clock: ReplayClock
    /// When it was asked.
    private(set) var times: [Instant] = []

    init(_ tickers: [Ticker], clock: ReplayClock) {
        self.tickers = tickers
        self.clock = clock
    }

    func poll() async throws(FeedFailure) -> TickerBatch {
        times.append(clock.now())
        return TickerBatch(tickers: tickers, received: clock.now())
    }
}
