import History
import Market
import TestSupport
import Testing
import Time

/// Queries of random windows give the same results as a scan of a plain array.
@Suite("Queries")
struct QueryTests {
    private func market(_ seed: UInt64, polls: Int, jumps: Bool, _ random: inout SplitMix) throws -> MadeUpMarket {
        // From before 1970 on: times below zero are times as well.
        var market = try MadeUpMarket(symbols: 9, polls: polls, start: -20_000_000, jumps: jumps, &random)
        for _ in 0..<polls { market.poll(&random) }
        return market
    }

    private func window(_ market: MadeUpMarket, _ random: inout SplitMix) -> (start: WallTime, end: WallTime) {
        let span = -21_000_000...market.time + 1_000_000
        let length =
            Int64.random(in: 0...1, using: &random)
            * Int64.random(in: 0...(span.upperBound - span.lowerBound), using: &random)
        let start = Int64.random(in: span, using: &random)
        return (
            WallTime(milliseconds: start),
            WallTime(milliseconds: start + length + Int64.random(in: 0...90_000, using: &random))
        )
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func windows(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let polls = [3, 511, 512, 1_400, 2_048, 2_500][Int(seed) - 1]
        let market = try market(seed, polls: polls, jumps: seed % 2 == 0, &random)
        for _ in 0..<60 {
            let (start, end) = window(market, &random)
            let symbol = market.symbols[Int.random(in: 0..<9, using: &random)]
            let samples = market.history.all(symbol, since: start, until: end)
            #expect(areIdentical(samples, market.model.sorted(symbol, since: start, until: end)), "seed \(seed)")
            let statistics = market.history.statistics(of: symbol, since: start, until: end)
            #expect(statistics == market.model.statistics(symbol, since: start, until: end), "seed \(seed)")
            let step = [1, 30_000, 60_000, 3_600_000, 86_400_000][Int.random(in: 0..<5, using: &random)]
            let bars = market.history.bars(of: symbol, since: start, until: end, step: Milliseconds(Int64(step)))
            #expect(bars == market.model.bars(symbol, since: start, until: end, step: Int64(step)), "seed \(seed)")
        }
    }

    @Test(arguments: [7, 8] as [UInt64])
    func momentsAndTheLast(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let market = try market(seed, polls: 1_300, jumps: seed % 2 == 0, &random)
        for _ in 0..<60 {
            let (time, _) = window(market, &random)
            let symbol = market.symbols[Int.random(in: 0..<9, using: &random)]
            let all = market.model.sorted(symbol)
            #expect(market.history.sample(of: symbol, at: time) == all.last { $0.time <= time }, "seed \(seed)")
            let count = [0, 1, 50, 600, 5_000][Int.random(in: 0..<5, using: &random)]
            #expect(market.history.lastSamples(of: symbol, count: count) == all.suffix(count), "seed \(seed)")
        }
        let newest = try #require(market.model.sorted(market.symbols[0]).last)
        #expect(market.history.sample(of: market.symbols[0], at: newest.time) == newest)
        #expect(market.history.lastSamples(of: market.symbols[0], count: -1).isEmpty)
    }

    /// Windows that end exactly at a sample, or have no length.
    @Test func theEndOfAWindowIsNotInIt() throws {
        var random = SplitMix(seed: 9)
        let market = try market(9, polls: 1_030, jumps: false, &random)
        let symbol = market.symbols[0]
        let all = market.model.sorted(symbol)
        for place in [0, 1, 63, 64, 511, 512, 513, 1_023, 1_024] {
            let window = (all[place].time, all[place + 5].time)
            let found = market.history.statistics(of: symbol, since: window.0, until: window.1)
            #expect(found?.count == 5)
            #expect(found?.first == all[place])
            #expect(market.history.statistics(of: symbol, since: window.0, until: window.0) == nil)
            #expect(market.history.statistics(of: symbol, since: window.1, until: window.0) == nil)
        }
    }

    @Test func nothingIsKnownOfAStranger() throws {
        var random = SplitMix(seed: 10)
        let market = try market(10, polls: 600, jumps: false, &random)
        let stranger = try #require(Symbol("nosuch"))
        #expect(market.history.all(stranger).isEmpty)
        #expect(market.history.statistics(of: stranger, since: .distantPast) == nil)
        #expect(market.history.bars(of: stranger, since: .distantPast, step: .seconds(60)).isEmpty)
        #expect(market.history.sample(of: stranger, at: .distantFuture) == nil)
        #expect(market.history.lastSamples(of: stranger, count: 3).isEmpty)
    }
}
