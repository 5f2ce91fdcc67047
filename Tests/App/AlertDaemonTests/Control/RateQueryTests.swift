import Configuration
import Control
import Delivery
import Engine
import EventLoop
import ExchangeRates
import Feeds
import Market
import PriceSources
import Replay
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// Gives one answer and no other.
@LoopActor
private final class OneRateFeed: RateFeed {
    let url: String? = "https://example.org/r.xml"
    private let answer: Result<RateTable?, FeedFailure>
    var ignored: [String]

    init(_ answer: Result<RateTable?, FeedFailure>, ignored: [String] = []) {
        self.answer = answer
        self.ignored = ignored
    }

    func fetch() async throws(FeedFailure) -> RateTable? { try answer.get() }
}

/// Noon of the 20th, with a price of bitcoin in rupees.
@LoopActor
private final class RateScene {
    static let noon = Instant(boot: BootTime(milliseconds: 9_000), wall: WallTime(milliseconds: 1_795_176_000_000))
    let service: ExchangeRateService
    let query: RateQuery
    private let daemon: SmallDaemon

    init(
        _ folder: StateFolderForTest, _ feed: (any RateFeed)? = nil, source: PriceSource = .wazirx,
        shown: Currency? = nil
    ) throws {
        daemon = try SmallDaemon(folder, at: Self.noon, isSimulated: source == .simulator)
        service = ExchangeRateService(
            feed, log: Log(isJournal: false, least: .error), clock: ReplayClock(Self.noon), onRates: { _, _ in })
        query = RateQuery(service, PipelineQuery(daemon.pipeline)) { shown }
    }

    func poll() throws { try daemon.poll("80") }

    /// A response with a market of the pegged coin.
    func pollTether(isFrozen: Bool = false) throws {
        var ticker = Ticker(symbol: try required(Symbol("usdtinr")), quote: Asset("inr"), volume: try Price("5"))
        (ticker.last, ticker.bid, ticker.ask) = (try Price("85"), try Price("84"), try Price("86"))
        // A market without an order book is frozen.
        if isFrozen { (ticker.bid, ticker.ask, ticker.volume) = (.zero, .zero, .zero) }
        _ = daemon.pipeline.accept(TickerBatch(tickers: [ticker], received: daemon.now))
    }

    func stop() { daemon.pipeline.stop() }

    func convert(_ amount: String, _ from: String, _ to: String) throws -> ConvertReply {
        try query.convert(
            Money(try Price(amount), try required(Currency(from))), to: try required(Currency(to)))
    }
}

@Suite(.timeLimit(.minutes(10)))
struct RateQueryTests {
    private let folder = StateFolderForTest()

    /// A frozen market is not the same as none at all.
    @Test func aCoinWithoutAUsablePriceIsNamedWithItsMarket() async throws {
        try await onLoop { [folder] in
            let scene = try RateScene(folder)
            try scene.pollTether(isFrozen: true)
            let way = { (coin: String) throws in
                ConversionError.noWay(
                    from: try required(Currency(coin)), to: try required(Currency("SEK")),
                    missing: try required(Currency(coin)))
            }
            #expect(
                scene.query.reason(try way("USDT"))
                    == "USDT cannot be converted to SEK: the market wazirx:usdtinr is frozen, and there is no other "
                    + "exchange rate for USDT")
            #expect(
                scene.query.reason(try way("NOPE"))
                    == "NOPE cannot be converted to SEK: there is no exchange rate for NOPE")
            scene.stop()
        }
    }

    @Test func withoutRatesTheReplySaysWhy() async throws {
        try await onLoop { [folder] in
            let scene = try RateScene(folder)
            let disabled = scene.query.reply()
            #expect(disabled.state == .disabled && disabled.url == nil && disabled.stale)
            #expect(disabled.date == nil && disabled.ageDays == nil && disabled.rates.isEmpty)
            #expect(disabled.base == "EUR" && disabled.staleAfterDays == 6)
            #expect(disabled.pegs == [CurrencyPeg(currency: "USDT", countsAs: "USD")])
            scene.service.replace(feed: OneRateFeed(.success(nil)))
            let starting = scene.query.reply()
            #expect(starting.state == .starting && starting.url == "https://example.org/r.xml")
            scene.stop()
        }
    }

    @Test(arguments: [(20, 0, false), (19, 1, false), (14, 6, false), (13, 7, true)] as [(Int64, Int, Bool)])
    func ratesHaveAnAge(day: Int64, age: Int, isStale: Bool) async throws {
        try await onLoop { [folder] in
            let scene = try RateScene(
                folder, OneRateFeed(.success(try rates(day))), shown: Currency("SEK"))
            _ = await scene.service.fetch()
            let reply = scene.query.reply()
            #expect(reply.state == .ok && reply.message == nil && reply.source == "made up")
            #expect(reply.date == "2026-11-\(day)" && reply.ageDays == age && reply.stale == isStale)
            #expect(reply.rates.map { "\($0.currency) \($0.rate)" }.sorted() == ["SEK 10.8920", "USD 1.1684"])
            #expect(reply.fetched == RateScene.noon.wall.description && reply.lastAttempt == reply.fetched)
            #expect(reply.displayCurrency == "SEK" && reply.markets.isEmpty)
            #expect(try scene.convert("1", "EUR", "USD").stale == isStale)
            scene.stop()
        }
    }

    /// A failure keeps the rates that were restored.
    @Test func aFailureIsNamed() async throws {
        try await onLoop { [folder] in
            let scene = try RateScene(
                folder, OneRateFeed(.failure(FeedFailure(.timeout, "no answer", advice: "wait"))))
            scene.service.restore(try rates(19), former: nil, fetched: WallTime(milliseconds: 1_795_100_000_000))
            _ = await scene.service.fetch()
            let reply = scene.query.reply()
            #expect(reply.state == .timeout && reply.message == "no answer; wait")
            #expect(reply.date == "2026-11-19" && reply.lastAttempt == RateScene.noon.wall.description)
            #expect(reply.fetched == WallTime(milliseconds: 1_795_100_000_000).description)
            scene.stop()
        }
    }

    /// A currency without a usable rate keeps its last one, which is stale; the others are not.
    @Test func aMissingCurrencyKeepsItsLastRate() async throws {
        try await onLoop { [folder] in
            let (dollar, krona) = (try required(Currency("USD")), try required(Currency("SEK")))
            let partial = try required(
                RateTable(
                    date: try rates(20).date, source: try rates(20).source, rates: [(krona, try Price("11"))]))
            let feed = OneRateFeed(.success(partial), ignored: ["the rate of USD is N/A"])
            let scene = try RateScene(folder, feed)
            scene.service.restore(try rates(19), former: nil, fetched: RateScene.noon.wall)
            for _ in 0..<2 {
                _ = await scene.service.fetch()
                let old = try scene.convert("2", "EUR", "USD")
                #expect(old.result == "2.3368" && old.stale && old.date == "2026-11-19")
                let new = try scene.convert("2", "EUR", "SEK")
                #expect(new.result == "22" && !new.stale && new.date == "2026-11-20")
            }
            #expect(
                scene.query.reply().ignored == [
                    "the rate of USD is N/A", "USD has its last rate, 1.1684 of 2026-11-19, which is stale",
                ])
            #expect(scene.service.ratesForRules?.table[dollar] == nil, "no rule is evaluated with it")
            // As after a restart.
            let stored = try [rates(19), partial].flatMap { $0.stored(fetched: RateScene.noon.wall) }
            #expect(stored.former(lackingIn: partial) == (try rates(19)) && stored.latest?.rates == partial)
            feed.ignored = []
            _ = await scene.service.fetch()
            #expect(throws: ConversionError.self) { try scene.convert("2", "EUR", "USD") }
            scene.stop()
        }
    }

    /// Coins have the price of their market; currencies with a reference rate or a peg have none.
    @Test func coinsHaveTheirMarketPrice() async throws {
        try await onLoop { [folder] in
            let scene = try RateScene(folder)
            scene.service.restore(try rates(19), former: nil, fetched: RateScene.noon.wall)
            #expect(scene.query.reply(with: Currency("BTC")).markets.isEmpty, "there was no response yet")
            try scene.poll()
            #expect(
                scene.query.reply(with: Currency("BTC")).markets == [
                    RateStep(base: "BTC", quote: "INR", rate: "80", basis: .market, date: nil, source: "btcinr")
                ])
            for other in [nil, "USD", "USDT", "ETH"] {
                #expect(scene.query.reply(with: other.flatMap { Currency($0) }).markets.isEmpty)
            }
            try scene.pollTether()
            #expect(scene.query.reply(with: Currency("USDT")).markets.isEmpty, "it has a peg")
            scene.stop()
        }
    }

    @Test(arguments: [PriceSource.wazirx, .simulator]) func aConversionNamesItsSteps(source: PriceSource) async throws {
        try await onLoop { [folder] in
            let scene = try RateScene(folder, source: source)
            scene.service.restore(try rates(19), former: nil, fetched: RateScene.noon.wall)
            try scene.poll()
            let market = try scene.convert("2", "BTC", "INR")
            #expect(market.amount == "2" && market.from == "BTC" && market.to == "INR" && market.result == "160")
            #expect(market.exact && !market.pegged && !market.stale && market.date == nil)
            #expect(market.simulated == (source == .simulator))
            #expect(market.steps.map(\.basis) == [.market])
            let reference = try scene.convert("2", "EUR", "USD")
            #expect(reference.result == "2.3368" && reference.date == "2026-11-19" && !reference.simulated)
            #expect(reference.steps.map(\.basis) == [.reference])
            #expect(reference.steps.map(\.date) == ["2026-11-19"] && reference.steps.map(\.source) == ["made up"])
            let pegged = try scene.convert("2", "USDT", "USD")
            #expect(pegged.pegged && pegged.result == "2" && pegged.date == nil && !pegged.stale)
            #expect(pegged.steps.map(\.basis) == [.peg] && pegged.steps.map(\.source) == [nil])
            #expect(try scene.convert("5", "SEK", "SEK").steps.isEmpty)
            scene.service.restore(try rates(9), former: nil, fetched: RateScene.noon.wall)
            #expect(try scene.convert("2", "EUR", "USD").stale)
            #expect(try !scene.convert("2", "BTC", "INR").stale, "it does not use reference rates")
            #expect(throws: ConversionError.self) { try scene.convert("1", "EUR", "INR") }
            scene.stop()
        }
    }
}
