import History
import Market
import TestSupport
import Testing
import Time

/// Samples come back unchanged: the number, its digits, and its time to the millisecond.
@Suite("Lossless")
struct LosslessTests {
    private static let roomy = HistoryCapacity(keep: .seconds(1 << 32), interval: .seconds(30), bytes: 256 << 20)

    @Test(arguments: Style.allCases, [1, 2, 63, 64, 65, 511, 512, 513, 1_024, 1_500])
    func everyStyleAndLength(_ style: Style, _ count: Int) throws {
        let seed = UInt64(count)
        var random = SplitMix(seed: seed)
        let symbol = try #require(Symbol("btcinr"))
        var history = History(Self.roomy)
        var model = Model()
        var time: Int64 = 1_700_000_000_000
        for price in style.prices(count, &random) {
            time +=
                Int64.random(in: 0...20, using: &random) == 0 ? Int64.random(in: 0...1 << 33, using: &random) : 30_000
            let tickers = [Ticker(symbol: symbol, last: price)]
            history.append(tickers, at: WallTime(milliseconds: time))
            model.append(tickers, at: WallTime(milliseconds: time))
        }
        #expect(history.sealed.count == count / 512)
        #expect(areIdentical(history.all(symbol), model.sorted(symbol)), "seed \(seed)")
    }

    /// A million samples of forty symbols of every style, that come and go, at times that jump.
    @Test func aMillionSamples() throws {
        let seed: UInt64 = 1
        var random = SplitMix(seed: seed)
        var market = try MadeUpMarket(symbols: 40, polls: 28_200, jumps: true, &random)
        for _ in 0..<28_200 { market.poll(&random) }
        #expect(market.model.samples.values.reduce(0) { $0 + $1.count } > 1_000_000)
        for symbol in market.symbols {
            #expect(areIdentical(market.history.all(symbol), market.model.sorted(symbol)), "seed \(seed), \(symbol)")
        }
    }
}
