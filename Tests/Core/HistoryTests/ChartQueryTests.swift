import History
import Market
import Testing
import Time

@Suite("Queries for charts and exports")
struct ChartQueryTests {
    private let btc = Symbol("btcinr")
    private let eth = Symbol("ethinr")

    /// A price a minute from minute 0 on, sealed now and then; the second symbol is listed later.
    private func history(minutes: Int) throws -> History {
        var history = History(HistoryCapacity(keep: .seconds(86_400 * 30), interval: .seconds(60), bytes: 1 << 20))
        let (btc, eth) = (try #require(btc), try #require(eth))
        for minute in 0..<minutes {
            var tickers = [Ticker(symbol: btc, last: try Price("\(minute + 1)"))]
            if minute >= minutes / 2 { tickers.append(Ticker(symbol: eth, last: try Price("7"))) }
            history.append(tickers, at: WallTime(milliseconds: Int64(minute) * 60_000))
        }
        return history
    }

    @Test func stepsMayBeginLater() throws {
        let history = try history(minutes: 180)
        let bars = history.bars(
            of: try #require(btc), since: WallTime(milliseconds: 0), step: .seconds(3_600),
            offset: .seconds(30 * 60))
        #expect(bars.map { $0.start.milliseconds / 60_000 } == [-30, 30, 90, 150])
        #expect(bars.map(\.count) == [30, 60, 60, 30])
        #expect(bars.map(\.close) == [try Price("30"), try Price("90"), try Price("150"), try Price("180")])
        let same = history.bars(
            of: try #require(btc), since: WallTime(milliseconds: 0), step: .seconds(3_600),
            offset: .seconds(-90 * 60))
        #expect(same == bars)
    }

    @Test func theTimesOfPolls() throws {
        let history = try history(minutes: 4_000)
        let minutes = { (since: Int64, until: Int64?, count: Int) in
            history.pollTimes(
                since: WallTime(milliseconds: since), until: until.map { WallTime(milliseconds: $0) }, count: count
            ).map { $0.milliseconds / 60_000 }
        }
        #expect(minutes(0, nil, 3) == [0, 1, 2])
        #expect(minutes(60_001, nil, 2) == [2, 3])
        #expect(minutes(60_000, 180_000, 9) == [1, 2])
        #expect(minutes(3_999 * 60_000, nil, 9) == [3_999])
        #expect(minutes(0, nil, 5_000) == Array(0..<4_000))
        var jumped = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(60), bytes: 1 << 20))
        for time in [5_000, 3_000, 4_000] as [Int64] {
            jumped.append(
                [Ticker(symbol: try #require(btc), last: .init(mantissa: 1, scale: 0))], at: .init(milliseconds: time))
        }
        let times = jumped.pollTimes(since: WallTime(milliseconds: 3_500), count: 9)
        #expect(times.map(\.milliseconds) == [4_000, 5_000])
    }

    @Test func symbolsAreThoseOfTheWindow() throws {
        let history = try history(minutes: 4_000)
        #expect(history.sealed.count > 1)
        #expect(history.symbols(since: WallTime(milliseconds: 0)) == [btc, eth])
        #expect(history.symbols(since: WallTime(milliseconds: 0), until: WallTime(milliseconds: 60_000)) == [btc])
        #expect(history.symbols(since: WallTime(milliseconds: 5_000 * 60_000)).isEmpty)
    }
}
