import EventLoop
import Feeds
import Market
import Synchronization
import TestSupport
import Testing
import Time

/// A clock that is moved by hand.
private final class MovedTime: TimeSource {
    private let elapsed = Mutex<Int64>(0)

    func now() -> Instant {
        let milliseconds = elapsed.withLock { $0 }
        return Instant(
            boot: BootTime(milliseconds: 5_000 + milliseconds),
            wall: WallTime(milliseconds: 1_700_000_000_123 + milliseconds))
    }

    func advance(milliseconds: Int64) {
        elapsed.withLock { $0 += milliseconds }
    }
}

/// Polls this many times, with a pause after each.
private func polls(seed: UInt64, count: Int, every milliseconds: Int64) async throws -> [TickerBatch] {
    try await onLoop {
        let time = MovedTime()
        let feed = SimulatedFeed(seed: seed, time: time)
        var batches: [TickerBatch] = []
        for _ in 0..<count {
            batches.append(try await feed.poll())
            time.advance(milliseconds: milliseconds)
        }
        return batches
    }
}

@Suite(.timeLimit(.minutes(10))) struct SimulatedFeedTests {
    @Test func theShapeIsThatOfTheRealMarket() async throws {
        let tickers = try #require(try await polls(seed: 1, count: 1, every: 0).first).tickers
        #expect(tickers.count == 450)
        #expect(Set(tickers.map(\.symbol)).count == 450)
        #expect(tickers.first?.symbol.description == "btcinr")
        let counts = Dictionary(grouping: tickers) { $0.quote?.description ?? "" }.mapValues(\.count)
        #expect(counts == ["inr": 139, "usdt": 265, "btc": 27, "wrx": 19])
        for ticker in tickers {
            #expect(ticker.symbol.description == "\(ticker.base?.description ?? "")\(ticker.quote?.description ?? "")")
            let low = try #require(ticker.low)
            let high = try #require(ticker.high)
            let last = try #require(ticker.last)
            let open = try #require(ticker.open)
            #expect(low.isPositive && low <= min(last, open) && max(last, open) <= high)
            #expect(try #require(ticker.bid) <= #require(ticker.ask))
            #expect(ticker.exchangeTime == WallTime(milliseconds: 1_699_999_999_000))
        }
    }

    @Test(arguments: [
        ("btcinr", "7000000", "8000000"), ("btcusdt", "60000", "75000"), ("usdtinr", "85", "95"),
        ("shibinr", "0.001", "0.002"), ("ethinr", "250000", "350000"), ("1inchinr", "10", "100"),
    ])
    func pricesAreOfARealisticSize(symbol: String, low: String, high: String) async throws {
        let tickers = try #require(try await polls(seed: 1, count: 1, every: 0).first).tickers
        let last = try #require(tickers.first { $0.symbol.description == symbol }?.last)
        #expect(try last > price(low) && last < price(high))
    }

    @Test func theSameSeedGivesTheSameMarket() async throws {
        let first = try await polls(seed: 42, count: 20, every: 3_000).map(\.tickers)
        let second = try await polls(seed: 42, count: 20, every: 3_000).map(\.tickers)
        let other = try await polls(seed: 43, count: 20, every: 3_000).map(\.tickers)
        #expect(first == second)
        #expect(first != other)
    }

    @Test func howOftenItIsAskedDoesNotMoveThePrices() async throws {
        let often = try #require(try await polls(seed: 9, count: 61, every: 1_000).last)
        let seldom = try #require(try await polls(seed: 9, count: 3, every: 30_000).last)
        #expect(often.tickers.map(\.last) == seldom.tickers.map(\.last))
        #expect(often.tickers.map(\.bid) == seldom.tickers.map(\.bid))
    }

    @Test(arguments: [500, 1_000, 2_000, 5_000] as [Int64])
    func limitsAroundBitcoinAreCrossedWithinHalfAMinute(interval: Int64) async throws {
        for seed in UInt64(0)..<5 {
            let batches = try await polls(seed: seed, count: Int(30_000 / interval) + 1, every: interval)
            let prices = batches.compactMap { $0.tickers.first?.last }
            #expect(prices.first.map { $0 > Price(mantissa: 7_477_500, scale: 0) ?? .zero } == true)
            #expect(try prices.contains { try $0 >= price("7522500") })
            #expect(try prices.contains { try $0 <= price("7477500") })
        }
    }

    @Test func thinMarketsStandStillAndLivelyOnesMove() async throws {
        let batches = try await polls(seed: 3, count: 61, every: 1_000)
        let first = try #require(batches.first).tickers
        let last = try #require(batches.last).tickers
        let unmoved = zip(first, last).filter { $0.last == $1.last }.count
        #expect((150...350).contains(unmoved))
        let outside = last.filter {
            guard let price = $0.last, let bid = $0.bid, let ask = $0.ask else { return false }
            return price < bid || price > ask
        }
        #expect((50...300).contains(outside.count))
    }

    @Test func oneMarketIsFrozen() async throws {
        let batches = try await polls(seed: 3, count: 10, every: 30_000)
        let frozen = batches.map { batch in
            batch.tickers.filter { $0.volume == .zero && $0.bid == .zero && $0.ask == .zero }
        }
        #expect(frozen.allSatisfy { $0.map(\.symbol.description) == [SimulatedFeed.frozenSymbol] })
        #expect(Set(frozen.compactMap(\.first?.last)).count == 1)
    }

    @Test func overDaysPricesStayPossibleAndSomeJump() async throws {
        let batches = try await polls(seed: 5, count: 40, every: 14_400_000)
        var jumps = 0
        for (before, after) in zip(batches, batches.dropFirst()) {
            for (old, new) in zip(before.tickers, after.tickers) {
                let low = try #require(new.low)
                let high = try #require(new.high)
                let last = try #require(new.last)
                #expect(low.isPositive && low <= last && last <= high)
                if let change = try last.percentChange(from: #require(old.last)),
                    change > Price(mantissa: 4, scale: 0) ?? .zero
                {
                    jumps += 1
                }
            }
        }
        #expect(jumps > 0)
    }

    @Test func itSaysThatItIsSimulated() async throws {
        try await onLoop {
            let feed = SimulatedFeed(seed: 1, time: FixedTime())
            #expect(feed.isSimulated)
            #expect(feed.name == "simulator")
            #expect(feed.url == nil)
        }
    }
}
