import Market
import TestSupport
import Testing
import Time

@testable import History

/// The stored rows of the block that is being filled.
@Suite("Open rows")
struct OpenRowsTests {
    private let capacity = HistoryCapacity(
        keep: Milliseconds(86_400_000_000), interval: .seconds(30), bytes: 256 << 20)

    private func market(polls: Int, seed: UInt64, jumps: Bool = true) throws -> MadeUpMarket {
        var random = SplitMix(seed: seed)
        var market = try MadeUpMarket(symbols: 19, polls: polls, jumps: jumps, &random)
        for _ in 0..<polls { market.poll(&random) }
        return market
    }

    /// Encodes the open block as a store gets it: each part follows some polls.
    private func parts(polls: Int, seed: UInt64) throws -> (market: MadeUpMarket, parts: [OpenRows]) {
        var random = SplitMix(seed: seed)
        var market = try MadeUpMarket(symbols: 19, polls: polls, jumps: true, &random)
        var parts: [OpenRows] = []
        for poll in 1...polls {
            market.poll(&random)
            let stored = parts.reduce(0) { $0 + $1.rowCount }
            guard poll == polls || Int.random(in: 0..<4, using: &random) > 0 else { continue }
            parts.append(try #require(market.history.encodeOpenRows(fromRow: stored)))
        }
        return (market, parts)
    }

    private func expectSame(_ restored: History, _ history: History, _ comment: Comment) {
        let (left, right) = (restored.openBlock, history.openBlock)
        #expect(restored.open == history.open, comment)
        #expect(left.symbols.symbols == right.symbols.symbols, comment)
        #expect(left.times == right.times, comment)
        for number in right.symbols.symbols.indices {
            for row in right.times.indices {
                let (price, expected) = (left.price(symbol: number, row: row), right.price(symbol: number, row: row))
                let isSame = price?.mantissa == expected?.mantissa && price?.scale == expected?.scale
                if !isSame { Issue.record("row \(row) of symbol \(number): \(comment)") }
            }
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func anyPartsMakeTheSameBlock(seed: UInt64) throws {
        let polls = Int(seed * 97 % 510) + 1
        let (market, parts) = try parts(polls: polls, seed: seed)
        var history = History(capacity)
        let result = history.restore(sealed: [], parts: parts.reversed())
        #expect(result == RestoredParts())
        expectSame(history, market.history, "seed \(seed)")
        // And the next rows follow what is stored.
        var (longer, restored) = (market.history, history)
        let tickers = market.symbols.reversed().map { Ticker(symbol: $0, last: Price(mantissa: 7, scale: 3)) }
        for row in 0..<2 {
            longer.append(tickers, at: WallTime(milliseconds: Int64(row)))
            restored.append(tickers, at: WallTime(milliseconds: Int64(row)))
        }
        let rows = restored.encodeOpenRows(fromRow: polls)
        #expect(rows?.bytes == longer.encodeOpenRows(fromRow: polls)?.bytes)
    }

    /// The format is documented; a store may have been written by an earlier program.
    @Test func theFormatStaysTheSame() throws {
        var history = History(capacity)
        let first = try #require(Symbol("btcinr"))
        let second = try #require(Symbol("x"))
        let polls: [[Int64?]] = [[732_160, nil], [732_165, 8], [nil, 8]]
        for (row, prices) in polls.enumerated() {
            let tickers = zip([first, second], prices).map { symbol, price in
                Ticker(symbol: symbol, last: price.flatMap { Price(mantissa: $0, scale: 1) })
            }
            history.append(tickers, at: WallTime(milliseconds: 1_000 + Int64(row) * 30_000))
        }
        let bytes = try #require(history.encodeOpenRows(fromRow: 0)?.bytes)
        let rows: [[UInt8]] = [
            [0xD0, 0x0F, 1, 6] + Array("btcinr".utf8) + [1, 1, 1, 0x80, 0xB0, 0x59],
            [0xE0, 0xD4, 0x03, 1, 1] + Array("x".utf8) + [2, 0, 10, 1, 1, 16],
            [0xE0, 0xD4, 0x03, 0, 1, 2],
        ]
        let header: [UInt8] = Array("aRow".utf8) + [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0]
        #expect(Array(bytes.dropLast(4)) == header + rows.joined())
    }

    /// A poll in which few prices change is small.
    @Test func aRowTakesOnlyWhatChanged() throws {
        var history = History(capacity)
        let symbols = try (0..<450).map { try #require(Symbol("symbol\($0)")) }
        for row in 0..<2 as Range<Int64> {
            let tickers = symbols.enumerated().map { place, symbol in
                Ticker(symbol: symbol, last: Price(mantissa: 7_321_600 + (place % 45 == 0 ? row : 0), scale: 2))
            }
            history.append(tickers, at: WallTime(milliseconds: row * 30_000))
        }
        let rows = try #require(history.encodeOpenRows(fromRow: 1))
        // Frame 21, time 3, two counts, ten changes of at most three bytes.
        #expect(rows.bytes.count <= 21 + 3 + 2 + 10 * 3)
    }

    @Test func damageOfAnyByteIsFound() throws {
        let market = try market(polls: 5, seed: 1)
        let bytes = try #require(market.history.encodeOpenRows(fromRow: 0)?.bytes)
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 1 << UInt8(place % 8)
            let read = try? OpenRows(bytes: damaged)
            #expect(read == nil, "byte \(place)")
            let short = try? OpenRows(bytes: Array(bytes[..<place]))
            #expect(short == nil, "length \(place)")
        }
    }

    /// After the greatest number there would be none for the next block.
    @Test(arguments: [false, true]) func aNumberWithoutANextOneIsRefused(isBlock: Bool) throws {
        let history = try market(polls: 5, seed: 1).history
        let whole = isBlock ? history.encodeOpen(fromRow: 0)?.bytes : history.encodeOpenRows(fromRow: 0)?.bytes
        var bytes = Array(try #require(whole).dropLast(4))
        let place = isBlock ? 16 : 5
        bytes.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 0xFF, count: 7) + [0x7F])
        bytes.appendChecksum()
        #expect(throws: BlockError.content) {
            if isBlock { _ = try HistoryBlock(bytes: bytes) } else { _ = try OpenRows(bytes: bytes) }
        }
    }

    /// With a right checksum, whatever the content is: nothing crashes, and what is read can be encoded again.
    @Test(arguments: 1...30 as ClosedRange<UInt64>) func senselessRowsAreLeftOut(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let market = try market(polls: 12, seed: seed)
        let bytes = try #require(market.history.encodeOpenRows(fromRow: 0)?.bytes)
        for _ in 0..<LongRun.count(200, otherwise: 40) {
            var damaged = Array(bytes.dropLast(4))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 13..<damaged.count, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            let cut = Int.random(in: 0..<damaged.count - 17, using: &random)
            if Bool.random(using: &random) { damaged.removeLast(cut) }
            damaged.appendChecksum()
            guard let part = try? OpenRows(bytes: damaged) else { continue }
            var history = History(capacity)
            let result = history.restore(sealed: [], parts: [part])
            #expect(result.isComplete || !result.unreadable.isEmpty || history.open.rowCount < part.rowCount)
            guard let again = history.encodeOpenRows(fromRow: 0) else { continue }
            var other = History(capacity)
            other.restore(sealed: [], parts: [again])
            expectSame(other, history, "seed \(seed)")
        }
    }

    /// Whether a row without an earlier one is read, when only its content may be wrong.
    private func isRead(_ row: [UInt8]) throws -> Bool {
        var bytes: [UInt8] = Array("aRow".utf8) + [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0] + row
        bytes.appendChecksum()
        var history = History(capacity)
        return history.restore(sealed: [], parts: [try OpenRows(bytes: bytes)]).unreadable.isEmpty
    }

    /// A row has the time, new names, and changes: here that of one symbol, whose scale is 1 and whose price is 0.8.
    @Test func eachNumberOfARowHasABound() throws {
        let name: [UInt8] = [1, 1] + Array("x".utf8)
        #expect(try isRead([0] + name + [1, 1, 1, 16]))
        #expect(try !isRead([0] + name + [1, 1 << 2 | 1, 1, 16]), "a change of the symbol after the last one")
        #expect(try !isRead([0] + name + [2, 1, 1, 16, 1, 1, 16]), "more changes than symbols")
        #expect(try isRead([0] + name + [1, 1, Price.maximumScale, 16]))
        #expect(try !isRead([0] + name + [1, 1, Price.maximumScale + 1, 16]))
        #expect(try !isRead([0] + name + [1, 1, 1, 0]), "a price of zero")
        #expect(try !isRead([0] + name + [1, 2]), "no price after no price")
        #expect(try !isRead([0] + name + [1, 3]), "a change of no kind")
        #expect(try !isRead([0] + name + [0]), "a symbol without a price")
        #expect(try !isRead([0, 2, 1, 0x78, 1, 0x78, 2, 1, 1, 16, 1, 1, 16]), "the same symbol twice")
    }

    @Test(arguments: [0, 1]) func aHistoryKnowsOnlySoManySymbols(excess: Int) throws {
        let count = SymbolTable.capacity + excess
        var number: [UInt8] = []
        number.appendVariable(UInt64(count))
        var row: [UInt8] = [0] + number
        for place in 0..<count { row += [6] + Array("s\(10_000 + place)".utf8) }
        row += number
        for _ in 0..<count { row += [1, 1, 16] }
        #expect(try isRead(row) == (excess == 0))
    }

    /// The rows before the damage are kept, those after it are not, and the report names all that is lost.
    @Test func rowsAfterMissingOnesAreLeftOut() throws {
        let (market, all) = try parts(polls: 60, seed: 3)
        let lost = all.count / 2
        var parts = all
        parts.remove(at: lost)
        var history = History(capacity)
        let result = history.restore(sealed: [], parts: parts)
        #expect(!result.isComplete)
        #expect(result.unreadable == parts[lost...].map { "\($0): the rows before it are missing" })
        #expect(history.open == (market.history.open.id, all[lost].firstRow))
        let rest = try #require(all.last)
        var empty = History(capacity)
        #expect(empty.restore(sealed: [], parts: [rest]).unreadable.count == 1)
        #expect(empty.pollCount == 0)
    }

    /// A memory limit that has become smaller divides the block, so that the stored rows are not those in memory.
    @Test func rowsThatDoNotFitAreStoredAgain() throws {
        var random = SplitMix(seed: 5)
        var market = try MadeUpMarket(symbols: 2_000, polls: 100, jumps: false, &random)
        for _ in 0..<100 { market.poll(&random) }
        let part = try #require(market.history.encodeOpenRows(fromRow: 0))
        var history = History(
            HistoryCapacity(keep: Milliseconds(86_400_000_000), interval: .seconds(30), bytes: 4 << 20))
        #expect(!history.restore(sealed: [], parts: [part]).isComplete)
        #expect(!history.sealed.isEmpty)
    }
}
