import Control
import History
import Market
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// Windows of one symbol with a price every ten seconds: 1 at 0 s, 2 at 10 s and so on.
@Suite struct PriceWindowTests {
    private let btc = Symbol("btcinr")

    private func history(_ times: some Sequence<Int64>) throws -> History {
        var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(1), bytes: 8 << 20))
        let symbol = try #require(btc)
        for (number, time) in times.enumerated() {
            history.append(
                [Ticker(symbol: symbol, last: Price(mantissa: Int64(number) + 1, scale: 0))], at: seconds(time))
        }
        return history
    }

    private func seconds(_ seconds: Int64) -> WallTime { WallTime(milliseconds: seconds * 1_000) }

    private let ten = stride(from: Int64(0), to: 100, by: 10)

    /// The end of a window is not in it, and the last prices are those before it.
    @Test(
        arguments: [
            (0, nil, 3, ["8", "9", "10"]), (0, 90, 3, ["7", "8", "9"]), (0, 91, 3, ["8", "9", "10"]),
            (0, 1_000, 3, ["8", "9", "10"]), (85, nil, 3, ["10"]), (90, nil, 3, ["10"]), (91, nil, 3, []),
            (0, 25, 5, ["1", "2", "3"]), (10, 25, 5, ["2", "3"]), (0, 25, 2, ["2", "3"]), (0, nil, 0, []),
            (0, 0, 5, []),
        ] as [(Int64, Int64?, Int, [String])])
    func theLastPrices(since: Int64, until: Int64?, count: Int, expected: [String]) throws {
        let found = try history(ten).lastPrices(
            of: try #require(btc), since: seconds(since), until: until.map(seconds), count: count)
        #expect(found.map(\.price) == expected)
    }

    /// Pages of steps, joined, are all the steps, wherever these begin.
    @Test(arguments: [1, 2, 3, 100], [0, 5, -7, 30])
    func stepsInPages(limit: Int, offset: Int64) throws {
        let history = try history(stride(from: Int64(-45), to: 200, by: 10))
        let symbol = try #require(btc)
        let whole = history.bars(
            of: symbol, since: seconds(-1_000), until: seconds(190), step: .seconds(20), offset: .seconds(offset))
        var found: [PriceBar] = []
        var next: WallTime? = seconds(-1_000)
        var pages = 0
        while let start = next, pages < 50 {
            let page = history.barPage(
                of: symbol, since: start, until: seconds(190), step: .seconds(20), offset: .seconds(offset),
                limit: limit)
            #expect(page.bars.count <= limit)
            found += page.bars
            next = page.next
            pages += 1
        }
        #expect(found.map(\.time) == whole.map(\.start.description))
        #expect(found.map(\.samples) == whole.map(\.count))
        #expect(found.map(\.close) == whole.map(\.close.description))
        #expect(limit == 100 ? pages == 1 : pages > 3)
    }

    @Test func farLimitsDoNotOverflow() throws {
        let page = try history(ten).barPage(
            of: try #require(btc), since: seconds(50), until: WallTime(milliseconds: .max), step: Milliseconds(.max),
            offset: .zero, limit: 10)
        #expect(page.bars.map(\.samples) == [5])
        #expect(page.next == nil)
        let empty = try history([]).barPage(
            of: try #require(btc), since: seconds(0), until: seconds(9), step: .seconds(1), offset: .zero, limit: 1)
        #expect(empty.bars.isEmpty && empty.next == nil)
    }

    /// Prices of the same instant are never separated.
    @Test func pricesOfOneInstantStayTogether() throws {
        let history = try history([1, 1, 1, 2, 3])
        let symbol = try #require(btc)
        let page = history.prices(of: symbol, since: seconds(0), until: nil, limit: 1)
        #expect(page.prices.map(\.price) == ["1", "2", "3"])
        #expect(page.next == seconds(2))
        let rest = history.prices(of: symbol, since: seconds(2), until: nil, limit: 2)
        #expect(rest.prices.map(\.price) == ["4", "5"])
        #expect(rest.next == nil)
        #expect(history.prices(of: symbol, since: seconds(0), until: seconds(2), limit: 9).prices.count == 3)
    }
}

struct LocalTimeTests {
    /// Seconds do not depend on the zone, and each part has two digits.
    @Test(arguments: [(0, "00"), (1, "01"), (9, "09"), (10, "10"), (59, "59"), (60, "00")] as [(Int64, String)])
    func partsHaveTwoDigits(seconds: Int64, shown: String) {
        let text = localTime(WallTime(milliseconds: 1_790_000_040_000 + seconds * 1_000))
        #expect(text.split(separator: ":").map(\.count) == [2, 2, 2], "\(text)")
        #expect(text.hasSuffix(":" + shown), "\(text)")
    }

    /// Of the day before the instant, and of nothing older.
    @Test func changesSinceAnInstant() async throws {
        let folder = StateFolderForTest()
        let daemon = try await onLoop { try SmallDaemon(folder) }
        let found = try await onLoop { () async throws -> [String?] in
            try daemon.poll("80 100")
            let then = daemon.now.wall
            daemon.wait(7 * 86_400)
            try daemon.poll("90")
            let symbols = try await daemon.query.allSymbols()
            var changes: [String?] = symbols.map(\.pastChangePercent)
            for seconds in [0, 86_399, 86_400, -31] as [Int64] {
                let past = WallTime(milliseconds: then.milliseconds + seconds * 1_000)
                var slices = WorkSlices()
                let changed = try await daemon.query.withChanges(symbols, from: past, &slices)
                changes += changed.map(\.pastChangePercent)
            }
            return changes
        }
        #expect(found == [nil, "-10.00", "-10.00", nil, nil])
    }
}
