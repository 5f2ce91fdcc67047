import Configuration
import Control
import Delivery
import Engine
import EventLoop
import Events
import ExchangeRates
import Market
import Notifications
import PriceSources
import Replay
import Rules
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

/// Rates that never change.
@LoopActor
private final class FixedRates: RuleRates {
    let ratesForRules: ReferenceRates?

    init(_ rates: ReferenceRates?) {
        ratesForRules = rates
    }

    var stored: [StoredRate] { ratesForRules?.table.stored(fetched: SmallDaemon.start.wall) ?? [] }

    func restore(_ rates: ExchangeRates.RateTable, former: ExchangeRates.RateTable?, fetched: WallTime) {}
}

/// The daemon's pipeline with rules of a test, one symbol, and a clock that is set.
@LoopActor
final class SmallDaemon {
    static let start = ReplaySeries.time(of: 0)
    static let anna = UserIdentity(id: 1_000, name: "anna")

    let pipeline: Pipeline
    let sink: RecordingSink
    let other: RecordingSink
    private let clock: ReplayClock

    /// Continues where the one before ended, whether or not it was stopped.
    init(
        _ folder: StateFolderForTest, rules: [Rule]? = nil, at time: Instant = SmallDaemon.start, boot: String = "boot",
        sink: RecordingSink? = nil, other: RecordingSink? = nil, rates: ReferenceRates? = nil,
        receivers: NotificationService? = nil, isSimulated: Bool = false
    ) throws {
        clock = ReplayClock(time)
        self.sink = sink ?? RecordingSink()
        self.other = other ?? RecordingSink("journal")
        var settings = Settings()
        settings.rules = try rules ?? [SmallDaemon.rule()]
        let stateStore = StateStore(Store(folder: folder.path), bootID: boot, now: time)
        pipeline = Pipeline(
            settings, sinks: [self.sink, self.other], isSimulated: isSimulated, stateStore: stateStore,
            rates: rates.map(FixedRates.init), receivers: receivers, clock: clock)
        try pipeline.start()
    }

    nonisolated static func rule(
        _ name: String = "band", of symbol: String = "btcinr", repeatAfter: Milliseconds? = nil, once: Bool = false
    ) throws -> Rule {
        Rule(
            name: name, symbols: [symbol].compactMap(SymbolPattern.init),
            condition: .band(try Band(min: nil, max: Price("100"))), currency: nil, price: .last, hold: .zero,
            notification: NotificationPolicy(repeatAfter: repeatAfter, cooldown: .zero, once: once), expires: nil,
            severity: .warning, message: nil)
    }

    var now: Instant { clock.now() }
    var query: PipelineQuery { PipelineQuery(pipeline) }
    /// What receivers ask.
    var host: ReceiverHost { ReceiverHost(query, rates: FixedRates(nil), settings: Settings()) }

    /// Polls once for each price, 30 s apart.
    func poll(_ prices: String) throws {
        for price in prices.split(separator: " ") { try poll(String(price), of: ["btcinr"]) }
    }

    /// Polls once, 30 s later; all symbols have the same price.
    func poll(_ price: String, of symbols: [String]) throws {
        clock.set(
            Instant(
                boot: now.boot.advanced(by: .seconds(30)),
                wall: WallTime(milliseconds: now.wall.milliseconds + 30_000)))
        let tickers = try symbols.map { symbol in
            var ticker = Ticker(symbol: try #require(Symbol(symbol)), quote: Asset("inr"), volume: try Price("5"))
            (ticker.last, ticker.bid, ticker.ask) = (try Price(price), try Price("1"), try Price("1"))
            return ticker
        }
        _ = pipeline.accept(TickerBatch(tickers: tickers, received: now))
    }

    /// Lets time pass without a poll.
    func wait(_ seconds: Int64) { clock.set(now.advanced(bySeconds: seconds)) }

    /// Silences all symbols for a number of seconds.
    @discardableResult
    func silence(_ length: Int64, _ pattern: String = "*") throws -> SilenceRecord {
        try pipeline.addSilence(
            SilenceRequest(symbols: SymbolPattern(pattern), length: .lasting(.seconds(length)), comment: "why"),
            by: Self.anna)
    }

    /// What was notified and what was not, but for what happened to the store.
    var story: [String] {
        sink.occurrences.map { event in
            let parts = [
                event.kind.rawValue, event.reason?.rawValue, event.notified ? nil : "suppressed",
                event.silence.map { "\($0)" },
            ]
            return parts.compactMap(\.self).joined(separator: ":")
        }
    }
}

extension PipelineQuery {
    /// Every symbol, without pages.
    func allSymbols() async throws -> [SymbolStatus] {
        var slices = WorkSlices()
        return try await symbols(&slices, match: nil, quote: nil).symbols
    }

    /// The rules of the first page.
    func allRules() async throws -> [RuleStatus] {
        var slices = WorkSlices()
        return try await rules(&slices, from: 0).rules
    }

    /// The alerts of the first page.
    func allAlerts(of symbol: Symbol? = nil, firingOnly: Bool = false) async throws -> [AlertStatus] {
        var slices = WorkSlices()
        return try await alerts(&slices, of: symbol, firingOnly: firingOnly).alerts
    }
}
