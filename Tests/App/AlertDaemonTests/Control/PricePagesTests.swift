import Control
import History
import Market
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// Pages, joined, are the whole.
@Suite struct PricePagesTests {
    private let btc = Symbol("btcinr")

    /// Polls at irregular times, some at the same one, with symbols that come and go.
    private func history(seed: UInt64, polls: Int) throws -> (history: History, rows: [PriceRow]) {
        var random = SplitMix(seed: seed)
        var history = History(HistoryCapacity(keep: .seconds(86_400 * 365), interval: .seconds(1), bytes: 8 << 20))
        let symbols = try (0..<40).map { try #require(Symbol($0 == 0 ? "btcinr" : "s\($0)inr")) }.sorted()
        var rows: [PriceRow] = []
        var time: Int64 = 1_000_000
        for _ in 0..<polls {
            time += Int64.random(in: 1...1_000, using: &random)
            if Int.random(in: 0..<50, using: &random) == 0 { time += 86_400_000 }
            let count = Int.random(in: 1...40, using: &random)
            let tickers = try symbols.prefix(count).map { symbol in
                Ticker(symbol: symbol, last: try Price("\(Int.random(in: 1...999_999, using: &random)).50"))
            }
            history.append(tickers, at: WallTime(milliseconds: time))
            rows.append(
                PriceRow(
                    time: WallTime(milliseconds: time).description, symbols: tickers.map(\.symbol.description),
                    prices: tickers.map { $0.last?.description ?? "" }))
        }
        return (history, rows)
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [1, 7, 1_000]) func rowsInPages(seed: UInt64, limit: Int) throws {
        let (history, expected) = try history(seed: seed, polls: 400)
        var rows: [PriceRow] = []
        var next: WallTime? = WallTime(milliseconds: 0)
        var pages = 0
        while let start = next {
            let page = history.rows(since: start, until: nil, limit: limit) { _ in true }
            rows += page.rows
            #expect(page.rows.dropLast().reduce(0) { $0 + $1.prices.count } < limit, "seed \(seed)")
            next = page.next
            pages += 1
        }
        #expect(rows == expected, "seed \(seed)")
        #expect(pages > 1 || limit > 7)
    }

    @Test func rowsOfSomeSymbolsInAWindow() throws {
        let (history, all) = try history(seed: 9, polls: 200)
        let (since, until) = (all[20].time, all[150].time)
        let wanted = all[20..<150].compactMap { row -> PriceRow? in
            guard let place = row.symbols.firstIndex(of: "s39inr") else { return nil }
            return PriceRow(time: row.time, symbols: ["s39inr"], prices: [row.prices[place]])
        }
        var rows: [PriceRow] = []
        var next = WallTime(rfc3339: since)
        while let start = next {
            let page = history.rows(since: start, until: WallTime(rfc3339: until), limit: 5) { "\($0)" == "s39inr" }
            rows += page.rows
            next = page.next
        }
        #expect(rows == wanted)
        #expect(!wanted.isEmpty)
    }

    @Test(arguments: [1, 10, 1_000]) func pricesInPages(limit: Int) throws {
        let (history, rows) = try history(seed: 4, polls: 300)
        let expected = rows.map {
            PricePoint(time: $0.time, price: $0.prices[$0.symbols.firstIndex(of: "btcinr") ?? 0])
        }
        let symbol = try #require(btc)
        var prices: [PricePoint] = []
        var next: WallTime? = WallTime(milliseconds: 0)
        while let start = next {
            let page = history.prices(of: symbol, since: start, until: nil, limit: limit)
            prices += page.prices
            next = page.next
        }
        #expect(prices == expected)
        let end = try #require(WallTime(rfc3339: expected[250].time))
        let begin = try #require(WallTime(rfc3339: expected[248].time))
        let last = { (since: WallTime, until: WallTime?, count: Int) in
            history.lastPrices(of: symbol, since: since, until: until, count: count)
        }
        #expect(last(WallTime(milliseconds: 0), nil, 7) == Array(expected.suffix(7)))
        #expect(last(begin, nil, 100) == Array(expected[248...]))
        #expect(last(WallTime(milliseconds: 0), end, 3) == Array(expected[247..<250]))
        #expect(last(begin, end, 9) == Array(expected[248..<250]))
    }

    @Test func equalTimesStayTogether() throws {
        var history = History(HistoryCapacity(keep: .seconds(3_600), interval: .seconds(1), bytes: 1 << 20))
        let symbol = try #require(btc)
        for (time, price) in [(1, 1), (2, 2), (2, 3), (2, 4), (3, 5)] as [(Int64, Int64)] {
            let ticker = Ticker(symbol: symbol, last: Price(mantissa: price, scale: 0))
            history.append([ticker], at: WallTime(milliseconds: time))
        }
        let page = history.prices(of: symbol, since: WallTime(milliseconds: 2), until: nil, limit: 1)
        #expect(page.prices.map(\.price) == ["2", "3", "4"])
        #expect(page.next == WallTime(milliseconds: 3))
    }

    @Test func barsInPages() throws {
        let (history, _) = try history(seed: 5, polls: 300)
        let symbol = try #require(btc)
        let until = WallTime(milliseconds: (history.newest?.milliseconds ?? 0) + 1)
        let (step, offset) = (Milliseconds(7_000), Milliseconds(1_234))
        let all = history.bars(
            of: symbol, since: WallTime(milliseconds: 0), until: until, step: step, offset: offset)
        var bars: [PriceBar] = []
        var next: WallTime? = WallTime(milliseconds: 0)
        while let start = next {
            let page = history.barPage(
                of: symbol, since: start, until: until, step: step, offset: offset, limit: 10)
            bars += page.bars
            next = page.next
        }
        #expect(bars.map(\.time) == all.map(\.start.description))
        #expect(bars.map(\.samples) == all.map(\.count))
        #expect(bars.map(\.open) == all.map(\.open.description))
    }

    @Test func withoutPricesThereIsOnePage() throws {
        let empty = History(HistoryCapacity(keep: .seconds(3_600), interval: .seconds(1), bytes: 1 << 20))
        let symbol = try #require(btc)
        let begin = WallTime(milliseconds: 0)
        #expect(empty.prices(of: symbol, since: begin, until: nil, limit: 1).next == nil)
        #expect(empty.rows(since: begin, until: nil, limit: 1) { _ in true }.rows.isEmpty)
        #expect(empty.rows(since: begin, until: nil, limit: 1) { _ in true }.next == nil)
        let bars = empty.barPage(of: symbol, since: begin, until: begin, step: .seconds(1), offset: .zero, limit: 1)
        #expect(bars.next == nil)
    }
}
