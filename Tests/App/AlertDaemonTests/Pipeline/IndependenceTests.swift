import Configuration
import Engine
import EventLoop
import Events
import Foundation
import Market
import Replay
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

private let wazirx = SourceName(unchecked: "wazirx")
private let binance = SourceName(unchecked: "binance")

/// Responses of a source, with the second in which each is received.
private typealias Night = [(second: Int64, tickers: [Ticker])]

/// What happens to one source is the same with and without another one, also across restarts.
@Suite(.timeLimit(.minutes(10)))
struct IndependenceTests {
    private static let recordings = ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"]

    private static let settings = """
        [[source]]
        name = "wazirx"
        type = "wazirx"
        interval = "2m"
        [[source]]
        name = "binance"
        type = "binance"
        interval = "1m"
        [rates]
        enabled = false
        [[rule]]
        name = "btc band"
        symbol = "btcinr"
        min = "4_360_000"
        max = "4_480_000"
        hysteresis = "0.5%"
        cooldown = "10m"
        [[rule]]
        name = "moves"
        symbol = "*inr"
        move = "3%"
        window = "1h"
        [[rule]]
        name = "doge zone"
        symbol = ["dogeinr", "nosuchinr"]
        within = ["42", "43"]
        hysteresis = "0.1"
        repeat = "1h"
        [[rule]]
        name = "eth cross"
        symbol = "ethinr"
        cross = "275000"
        [[rule]]
        name = "eth held"
        symbol = "ethinr"
        max = "270000"
        for = "10m"
        [[rule]]
        name = "other band"
        symbol = "binance:btcinr"
        min = "4_400_000"
        max = "4_500_000"
        [[rule]]
        name = "other moves"
        source = "binance"
        symbol = "*"
        move = "2%"
        window = "20m"
        [[rule]]
        name = "other cross"
        symbol = "binance:dogeinr"
        cross = "42.5"
        """

    @Test(.enabled(if: recordings != nil, "ALERTD_RECORDED_DATA is not set"))
    func aRecordedNightIsTheSameBesideAnotherSource() async throws {
        let night = try Self.recorded(try #require(Self.recordings))
        #expect(night.count == 290)
        try await Self.check(night, leastEvents: 100)
    }

    @Test(arguments: 1...5) func aMadeUpNightIsTheSameBesideAnotherSource(seed: UInt64) async throws {
        try await Self.check(try Self.madeUp(seed: seed + 100, every: 120), leastEvents: 10, seed: seed)
    }

    private static func check(_ first: Night, leastEvents: Int, seed: UInt64 = 1) async throws {
        let second = try madeUp(seed: seed, every: 60)
        try await onLoop {
            let together = try run([(wazirx, first), (binance, second)], restarts: true)
            for (source, night) in [(wazirx, first), (binance, second)] {
                let alone = try run([(source, night)], restarts: false)
                #expect(alone.events.count >= leastEvents, "\(source): \(alone.events.count)")
                let found = together.events.filter { $0.source == source }
                #expect(found.count == alone.events.count, "\(source)")
                for (one, other) in zip(found, alone.events) { #expect(one == other) }
                #expect(together.alerts[source] == alone.alerts[source])
            }
            #expect(together.numbers == Array(1...Int64(together.numbers.count)))
        }
    }

    /// Polls the sources in the order of time, and kills and starts the daemon now and then.
    @LoopActor
    private static func run(
        _ nights: [(source: SourceName, night: Night)], restarts: Bool
    ) throws -> (events: [Occurrence], numbers: [Int64], alerts: [SourceName: [String]]) {
        let folder = StateFolderForTest()
        let sink = RecordingSink()
        let clock = ReplayClock(SmallDaemon.start)
        var pipeline = try start(nights.map(\.source), folder, sink, clock)
        let polls = nights.flatMap { source, night in night.map { (second: $0.second, source, tickers: $0.tickers) } }
            .sorted { ($0.second, $0.1) < ($1.second, $1.1) }
        for (index, poll) in polls.enumerated() {
            clock.set(SmallDaemon.start.advanced(bySeconds: poll.second))
            let lane = try #require(pipeline.lane(poll.1))
            _ = pipeline.accept(TickerBatch(tickers: poll.tickers, received: clock.now()), of: lane)
            guard restarts, index % 97 == 96 else { continue }
            // As if it were killed: nothing more is saved.
            pipeline.stateStore.close()
            pipeline = try start(nights.map(\.source), folder, sink, clock)
        }
        var alerts: [SourceName: [String]] = [:]
        for lane in pipeline.lanes {
            alerts[lane.name] = lane.engine.snapshot().alerts.map { "\($0.rule) \($0.symbol) \($0.encodedState)" }
        }
        pipeline.stop()
        return (sink.occurrences.map(withoutSource), sink.numbers, alerts)
    }

    @LoopActor
    private static func start(
        _ sources: [SourceName], _ folder: StateFolderForTest, _ sink: RecordingSink, _ clock: ReplayClock
    ) throws -> Pipeline {
        let loaded = try SettingsLoader(files: OneFile(bytes: Array(settings.utf8))).load("alertd.toml")
        var chosen = loaded.settings
        let feeds = chosen.sources.filter { sources.contains($0.name) }
        chosen.rules = feeds.flatMap { loaded.settings.rules(of: $0.name) }
        chosen.feed = try #require(feeds.first)
        chosen.otherSources = Array(feeds.dropFirst())
        let store = StateStore(Store(folder: folder.path), bootID: "boot", now: clock.now())
        let pipeline = Pipeline(chosen, sinks: [sink], isSimulated: false, stateStore: store, clock: clock)
        try pipeline.start()
        return pipeline
    }

    /// The source is before the text only if there are several.
    private static func withoutSource(_ event: Occurrence) -> Occurrence {
        var event = event
        if let source = event.source, event.text.hasPrefix("\(source): ") {
            event.text.removeFirst("\(source): ".count)
        }
        return event
    }

    /// A random walk of the symbols that the other source has, with markets that freeze and vanish, and outages.
    private static func madeUp(seed: UInt64, every interval: Int64) throws -> Night {
        var random = SplitMix(seed: seed)
        var prices: [(name: String, price: Int64)] = [
            ("btcinr", 44_500_000), ("ethinr", 2_700_000), ("dogeinr", 424), ("xrpinr", 1_315),
        ]
        var night: Night = []
        var second: Int64 = 0
        while second < 36_000 {
            second += interval
            if Int.random(in: 0..<80, using: &random) == 0 { second += 20 * interval }
            var tickers: [Ticker] = []
            for place in prices.indices {
                let step = prices[place].price / 100
                prices[place].price += Int64.random(in: -step...step, using: &random)
                guard Int.random(in: 0..<60, using: &random) > 0 else { continue }
                let price = try #require(Price(mantissa: prices[place].price, scale: 1))
                let volume = try Price(Int.random(in: 0..<40, using: &random) == 0 ? "0" : "\(second)")
                tickers.append(
                    Ticker(
                        symbol: try #require(Symbol(prices[place].name)), quote: Asset("inr"), last: price,
                        volume: volume, bid: volume.isPositive ? price : .zero, ask: volume.isPositive ? price : .zero))
            }
            night.append((second + Int64.random(in: 0..<10, using: &random), tickers))
        }
        return night
    }

    /// The rupee markets of 290 polls of WazirX in the night to 2021-05-07.
    private static func recorded(_ folder: String) throws -> Night {
        let file = "\(folder)/wazirx/api-v2-polls_2021-05-06_inr.csv.gz"
        let output = try ChildProcess.run("/bin/zcat", [file]).output
        var night: Night = []
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let digits = fields[0].compactMap(\.wholeNumberValue).map(Int64.init)
            let part = { (start: Int) in digits[start] * 10 + digits[start + 1] }
            let second = part(6) * 86_400 + part(8) * 3_600 + part(10) * 60 + part(12) - 6 * 86_400 - 21 * 3_600
            let ticker = Ticker(
                symbol: try #require(Symbol(fields[1] + fields[2])), base: Asset(fields[1]), quote: Asset(fields[2]),
                last: try? Price(fields[5]), volume: try? Price(fields[8]), bid: try? Price(fields[10]),
                ask: try? Price(fields[9]))
            if night.last?.second == second {
                night[night.count - 1].tickers.append(ticker)
            } else {
                night.append((second, [ticker]))
            }
        }
        return night
    }
}

private struct OneFile: SettingsFiles {
    let bytes: [UInt8]

    func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> { .found(bytes) }
    func names(in folder: String) -> FileAnswer<[String]> { .missing }
}
