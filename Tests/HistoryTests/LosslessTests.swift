import History
import Market
import TestSupport
import Testing

/// What comes out is what went in: the number, its digits, and its time to the millisecond.
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
        #expect(texts(history.all(symbol)) == texts(model.sorted(symbol)), "seed \(seed)")
    }

    /// A million samples of forty symbols of every style, that come and go, at times that jump.
    @Test(arguments: [1, 2] as [UInt64])
    func aMillionSamples(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let polls = 15_000
        let series = try (0..<40).map { number in
            let style = Style.allCases[number % Style.allCases.count]
            return (try #require(Symbol("s\(number)")), style.prices(polls, &random))
        }
        var history = History(Self.roomy)
        var model = Model()
        var time: Int64 = 0
        for poll in 0..<polls {
            time += Int64.random(in: 29_900...30_100, using: &random)
            if Int.random(in: 0..<2_000, using: &random) == 0 {
                time += Int64.random(in: -7_200_000...7_200_000, using: &random)
            }
            let tickers = series.enumerated().compactMap { number, series -> Ticker? in
                let isAway = number % 4 == 0 && poll / 300 % 3 == 1 || number % 7 == 3 && (poll + number) % 5 == 0
                return isAway ? nil : Ticker(symbol: series.0, last: series.1[poll])
            }
            history.append(tickers, at: WallTime(milliseconds: time))
            model.append(tickers, at: WallTime(milliseconds: time))
        }
        for (symbol, _) in series {
            #expect(texts(history.all(symbol)) == texts(model.sorted(symbol)), "seed \(seed), \(symbol)")
        }
    }
}
