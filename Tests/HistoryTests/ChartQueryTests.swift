import History
import Market
import Testing

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

    @Test func symbolsAreThoseOfTheWindow() throws {
        let history = try history(minutes: 4_000)
        #expect(history.sealed.count > 1)
        #expect(history.symbols(since: WallTime(milliseconds: 0)) == [btc, eth])
        #expect(history.symbols(since: WallTime(milliseconds: 0), until: WallTime(milliseconds: 60_000)) == [btc])
        #expect(history.symbols(since: WallTime(milliseconds: 5_000 * 60_000)).isEmpty)
    }
}
