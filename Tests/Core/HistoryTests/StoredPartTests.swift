import Market
import Testing
import Time

@testable import History

struct StoredPartTests {
    private func history(polls: Int) throws -> History {
        var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 8 << 20))
        let symbol = try #require(Symbol("btcinr"))
        for poll in 0..<polls {
            let price = Price(mantissa: Int64(poll + 1), scale: 0)
            history.append([Ticker(symbol: symbol, last: price)], at: WallTime(milliseconds: Int64(poll) * 30_000))
        }
        return history
    }

    @Test func theySayWhichRowsTheyAre() throws {
        let history = try history(polls: 20)
        let rows = try #require(history.encodeOpenRows(fromRow: 17))
        let part = try OpenRows(bytes: rows.bytes)
        #expect((part.id, part.firstRow, part.rowCount) == (history.open.id, 17, 3))
        #expect(part.description == "rows from 17 of block \(history.open.id)")
    }

    @Test func thereIsNoPartWithoutRows() throws {
        let history = try history(polls: 3)
        #expect(history.encodeOpenRows(fromRow: 3) == nil)
        #expect(history.encodeOpen(fromRow: 3) == nil)
        #expect(throws: BlockError.self) { try OpenRows(bytes: []) }
        #expect(throws: BlockError.self) { try OpenRows(bytes: OpenRows.magic) }
    }

    /// Each bit is protected: a part with any one of them changed is refused.
    @Test func aChangedBitIsNoticed() throws {
        let rows = try #require(try history(polls: 5).encodeOpenRows(fromRow: 0))
        for place in rows.bytes.indices {
            var bytes = rows.bytes
            bytes[place] ^= 1 << (place % 8)
            #expect(throws: BlockError.self, "byte \(place)") { try OpenRows(bytes: bytes) }
        }
    }

    @Test func checksumsAreAtTheEnd() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.appendChecksum()
        #expect(bytes.count == 7)
        #expect(ByteReader.checked(bytes.span) == 3)
        bytes[0] = 9
        #expect(ByteReader.checked(bytes.span) == nil)
        #expect(ByteReader.checked(Array(bytes.prefix(3)).span) == nil)
        var empty: [UInt8] = []
        empty.appendChecksum()
        #expect(ByteReader.checked(empty.span) == 0)
    }
}
