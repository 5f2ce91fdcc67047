import Market
import TestSupport
import Testing
import Time

@testable import History

@Suite("Summaries")
struct SummaryTests {
    private func digits(_ text: String) throws -> Digits {
        let price = try Price(text)
        return Digits(mantissa: price.mantissa, scale: price.scale)
    }

    /// Against the comparison of prices, at scales that fit and that do not.
    @Test func pricesOfDifferentScalesAreCompared() throws {
        let texts = [
            "1", "1.0", "1.5", "1.50", "0.000000000000000001", "9223372036854775807", "922337203685477580.7", "2", "10",
            "8.999999999999999999", "9223372036854775806", "0.5",
        ]
        for left in texts {
            for right in texts {
                let isBelow = try Price(left) < Price(right)
                #expect(try digits(left).isBelow(digits(right)) == isBelow, "\(left) \(right)")
                #expect(try Price(left).isBelow(Price(right)) == isBelow, "\(left) \(right)")
            }
        }
    }

    private func summary(_ texts: [String?]) throws -> RowSummary? {
        var builder = RowSummaryBuilder()
        for (row, text) in texts.enumerated() {
            if let text { builder.add(try digits(text), row: row) }
        }
        return builder.summary
    }

    @Test func ofEqualPricesTheFirstIsLowestAndHighest() throws {
        let found = try #require(try summary([nil, "5", "5.0", "3", "7", "3.0", "7.00", "7.00", nil, "5"]))
        #expect(found.count == 8)
        #expect([found.first.row, found.last.row, found.lowest.row, found.highest.row] == [1, 9, 3, 4])
        #expect(found.lowest.price.description == "3")
        #expect(found.highest.price.description == "7")
        #expect(try summary([nil, nil]) == nil)
        let one = try #require(try summary([nil, "2"]))
        #expect([one.first.row, one.last.row, one.lowest.row, one.highest.row] == [1, 1, 1, 1])
        #expect(one.count == 1)
    }

    /// A whole group at once gives what its rows give one by one.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func aGroupIsWhatItsRowsAre(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let present = UInt64.random(in: 0 ... .max, using: &random) | (seed % 2 == 0 ? .max : 0)
            let from = Int.random(in: 0...64, using: &random)
            let wanted = UInt64.ones(Int.random(in: from...64, using: &random)) & ~.ones(from)
            var prices = InlineArray<64, Int64>(repeating: 0)
            for place in 0..<64 { prices[place] = Int64.random(in: 1...6, using: &random) }
            var whole = RowSummaryBuilder()
            whole.add(Digits(mantissa: 3, scale: 2), row: 7)
            var single = whole
            whole.add(prices, scale: 2, present: present, wanted: wanted, start: 64)
            var place = 0
            for row in 0..<64 where present >> UInt64(row) & 1 == 1 {
                if wanted >> UInt64(row) & 1 == 1 {
                    single.add(Digits(mantissa: prices[place], scale: 2), row: 64 + row)
                }
                place += 1
            }
            let (one, other) = (whole.summary, single.summary)
            #expect(one?.count == other?.count, "seed \(seed)")
            #expect(one?.first.row == other?.first.row && one?.last.row == other?.last.row, "seed \(seed)")
            #expect(one?.lowest.row == other?.lowest.row && one?.highest.row == other?.highest.row, "seed \(seed)")
            #expect(one?.last.price == other?.last.price, "seed \(seed)")
        }
    }
}

@Suite("Capacity")
struct CapacityTests {
    @Test(
        arguments: [
            (0, 30, 1), (29, 30, 1), (30, 30, 2), (-5, 30, 1), (3_600, 60, 61), (60, 0, 60_001), (60, -1, 60_001),
            (1 << 40, 1, 10_519_200),
        ] as [(Int64, Int64, Int)])
    func polls(keep: Int64, interval: Int64, polls: Int) {
        let capacity = HistoryCapacity(keep: .seconds(keep), interval: .seconds(interval), bytes: 1 << 20)
        #expect(capacity.polls == polls)
        #expect(capacity.keep == .seconds(keep))
    }

    @Test func bytes() {
        let capacity = { HistoryCapacity(keep: .seconds(3_000), interval: .seconds(30), bytes: $0) }
        #expect(capacity(0).bytes == 1_048_576)
        #expect(capacity(1_048_577).bytes == 1_048_577)
        #expect(capacity(0).bytesExpected(symbols: 2) == 202)
        #expect(capacity(0).bytesExpected(symbols: 1_000_000) == 1_048_576)
        #expect(capacity(0).bytesExpected(symbols: .max) == 1_048_576)
    }

    private func history(polls: Int, keep: Int64, bytes: Int = 1 << 20, step: Int64 = 30) throws -> History {
        var history = History(HistoryCapacity(keep: .seconds(keep), interval: .seconds(30), bytes: bytes))
        let symbol = try #require(Symbol("a"))
        for poll in 0..<polls {
            let tickers = [Ticker(symbol: symbol, last: Price(mantissa: 1 + Int64(poll % 7), scale: 0))]
            history.append(tickers, at: WallTime(milliseconds: Int64(poll) * step * 1_000))
        }
        return history
    }

    /// A block goes when it is older than what is kept and there are polls enough without it.
    @Test func aBlockGoesWhenItIsTooOldAndOneTooMany() throws {
        let keep: Int64 = 512 * 30
        #expect(try history(polls: 512 + 511, keep: keep).pollCount == 1_023)
        #expect(try history(polls: 512 + 512, keep: keep).pollCount == 1_024)
        #expect(try history(polls: 512 + 513, keep: keep).pollCount == 513)
        // At longer intervals they are older than that, but there are too few.
        #expect(try history(polls: 1_024, keep: keep, step: 60).pollCount == 1_024)
        #expect(try history(polls: 1_025, keep: keep, step: 60).pollCount == 513)
        // At shorter ones there are more than enough, but they are not old.
        #expect(try history(polls: 2_000, keep: keep, step: 1).pollCount == 2_000)
    }

    @Test func whatIsKeptIsSaid() throws {
        let history = try history(polls: 600, keep: 86_400)
        #expect(history.oldest == WallTime(milliseconds: 0))
        #expect(history.newest == WallTime(milliseconds: 599 * 30_000))
        #expect(history.sealed.count == 1)
        #expect(history.byteCount > history.sealed.reduce(0) { $0 + $1.bytes.count })
        #expect(History(HistoryCapacity(keep: .zero, interval: .seconds(30), bytes: 0)).byteCount < 1_000)
    }

    /// The reported size is that of the blocks that are kept, however often some were dropped.
    @Test func bytesAreCountedInAndOut() throws {
        var history = try history(polls: 3_000, keep: 86_400 * 30)
        history.setCapacity(HistoryCapacity(keep: .seconds(30), interval: .seconds(30), bytes: 1 << 20))
        #expect(history.pollCount == 3_000 % 512)
        let small = try self.history(polls: 3_000, keep: 30)
        #expect(history.pollCount == small.pollCount)
        // How much room an array takes beyond its elements is the allocator's business.
        #expect(abs(history.byteCount - small.byteCount) < 256)
    }

    /// An eighth of the memory is for the block that is filled: a smaller capacity seals it.
    @Test func aSmallerCapacitySealsTheOpenBlock() throws {
        var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 8 << 20))
        let tickers = try (0..<100).map {
            Ticker(symbol: try #require(Symbol("s\($0)")), last: Price(mantissa: 1, scale: 0))
        }
        for poll in 0..<10 { history.append(tickers, at: WallTime(milliseconds: Int64(poll) * 30_000)) }
        let open = history.open
        history.setCapacity(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 8 << 20))
        #expect(history.open == open)
        history.setCapacity(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 1 << 20))
        #expect(history.open.rowCount == 0)
        #expect(history.sealed.count == 1)
        #expect(history.pollCount == 10)
    }

    /// A block takes a little more than its prices. That must not end it early when the settings are read again.
    @Test(arguments: [1, 100, 110, 111, 112, 113, 127, 1_000]) func theSameCapacityChangesNothing(symbols: Int) throws {
        let capacity = HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 1 << 20)
        var history = History(capacity)
        let tickers = try (0..<symbols).map {
            Ticker(symbol: try #require(Symbol("s\($0)")), last: Price(mantissa: 1, scale: 0))
        }
        // New listings take the columns that were reserved for them.
        for poll in 0..<8 {
            let listed = Array(tickers.prefix(symbols * (90 + poll) / 97))
            history.append(listed, at: WallTime(milliseconds: Int64(poll) * 30_000))
        }
        let before = (history.open, history.sealed.count)
        history.setCapacity(capacity)
        #expect(history.open == before.0)
        #expect(history.sealed.count == before.1)
    }

    /// A table full of symbols is no reason to lose others: they begin a block of their own.
    @Test func otherSymbolsBeginABlock() throws {
        var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 8 << 20))
        let tickers = try (0..<SymbolTable.capacity + 3).map {
            Ticker(symbol: try #require(Symbol("s\($0)")), last: Price(mantissa: 1, scale: 0))
        }
        history.append(Array(tickers.prefix(SymbolTable.capacity)), at: WallTime(milliseconds: 0))
        history.append(Array(tickers.suffix(3)), at: WallTime(milliseconds: 30_000))
        #expect(history.all(tickers[SymbolTable.capacity].symbol).map(\.time.milliseconds) == [30_000])
        #expect(history.all(tickers[0].symbol).map(\.time.milliseconds) == [0])
    }

    @Test func symbolsOfTheOpenBlockAreSaid() throws {
        var history = try history(polls: 512, keep: 86_400)
        let other = try #require(Symbol("b"))
        #expect(history.symbols(since: WallTime(milliseconds: 0)).map(\.description) == ["a"])
        history.append(
            [Ticker(symbol: other, last: Price(mantissa: 1, scale: 0))], at: WallTime(milliseconds: 512 * 30_000))
        #expect(history.symbols(since: WallTime(milliseconds: 0)).map(\.description) == ["a", "b"])
        #expect(history.symbols(since: WallTime(milliseconds: 512 * 30_000)) == [other])
    }

    /// Where the clock was set back, a window that begins at the newest time has it.
    @Test func theNewestTimeIsInItsWindowWhateverTheClockDid() throws {
        let symbol = try #require(Symbol("a"))
        var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 1 << 20))
        for time in [5_000, 9_000, 3_000, 4_000] as [Int64] {
            history.append(
                [Ticker(symbol: symbol, last: Price(mantissa: time, scale: 0))], at: WallTime(milliseconds: time))
        }
        let times = { (since: Int64) in
            history.all(symbol, since: WallTime(milliseconds: since)).map(\.time.milliseconds)
        }
        #expect(times(9_000) == [9_000])
        #expect(times(9_001) == [])
        #expect(times(5_000) == [5_000, 9_000])
        #expect(times(0) == [3_000, 4_000, 5_000, 9_000])
        #expect(history.encodeOpen(fromRow: 0)?.bytes[5] == 0)
        #expect(history.encodeOpen(fromRow: 2)?.bytes[5] == 1)
    }

    /// Two polls at one instant are in order.
    @Test func equalTimesAreInOrder() throws {
        let history = try history(polls: 3, keep: 86_400, step: 0)
        #expect(history.encodeOpen(fromRow: 0)?.bytes[5] == 1)
    }

    /// New symbols begin a new block when the open one has no room for their columns.
    @Test func rowsOfABlockDependOnItsColumns() {
        let history = History(HistoryCapacity(keep: .zero, interval: .seconds(30), bytes: 1 << 20))
        #expect(history.rowLimit(columns: 1) == 512)
        #expect(history.rowLimit(columns: 100) == 131_072 / 908)
        #expect(history.rowLimit(columns: 10_000) == 1)
        #expect(history.rowLimit(columns: 1 << 40) == 1)
    }
}
