import History
import Market
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

/// A store in memory that applies changes as the real one does.
private struct HistoryStore {
    struct Part: Hashable {
        var block: Int64
        var row: Int
    }

    var blocks: [Int64: StoredBlock] = [:]
    var parts: [Part: StoredOpenRows] = [:]

    mutating func apply(_ changes: HistoryChanges) {
        if let kept = changes.kept { blocks = blocks.filter { kept.contains($0.key) } }
        if changes.replacesParts { parts = [:] }
        for id in changes.removed { blocks[id] = nil }
        for block in changes.sealed { blocks[block.id] = block }
        for part in changes.parts { parts[Part(block: part.block, row: part.firstRow)] = part }
    }

    var rows: Int {
        blocks.values.reduce(0) { $0 + $1.rowCount } + parts.values.reduce(0) { $0 + $1.rowCount }
    }

    var state: StoredSource {
        var state = StoredSource(SourceName(unchecked: "wazirx"))
        state.blocks = blocks.values.sorted { $0.id < $1.id }
        state.parts = parts.values.sorted { ($0.block, $0.firstRow) < ($1.block, $1.firstRow) }
        return state
    }
}

struct StoredHistoryTests {
    private static func capacity(_ seconds: Int64 = 86_400) -> HistoryCapacity {
        HistoryCapacity(keep: .seconds(seconds), interval: .seconds(1), bytes: 8 << 20)
    }

    /// One poll a second, with one price each.
    private static func append(_ numbers: ClosedRange<Int64>, to history: inout History) throws {
        let symbol = try #require(Symbol("btcinr"))
        for number in numbers {
            history.append(
                [Ticker(symbol: symbol, last: Price(mantissa: number, scale: 0))],
                at: WallTime(milliseconds: number * 1_000))
        }
    }

    private static func history(_ polls: Int64) throws -> History {
        var history = History(capacity())
        try append(1...polls, to: &history)
        return history
    }

    @Test func eachPollAddsItsRow() throws {
        var history = History(Self.capacity())
        var stored = StoredHistory()
        for number in Int64(1)...50 {
            try Self.append(number...number, to: &history)
            let (changes, after) = stored.changes(to: history)
            stored = after
            let part = try #require(changes.parts.first)
            #expect(part.firstRow == Int(number - 1) && part.rowCount == 1, "poll \(number)")
            #expect(changes.parts.count == 1 && changes.sealed.isEmpty && changes.removed.isEmpty)
            #expect(!changes.replacesParts)
            #expect(stored.changes(to: history).changes == HistoryChanges(), "nothing is stored twice")
        }
    }

    @Test func theRowsOfAnOutageAreOnePart() throws {
        let missed: Int64 = 40
        var history = try Self.history(missed)
        let (changes, after) = StoredHistory().changes(to: history)
        #expect(changes.parts.map(\.firstRow) == [0])
        #expect(changes.parts.map(\.rowCount) == [Int(missed)])
        try Self.append((missed + 1)...(missed + 1), to: &history)
        let next = after.changes(to: history).changes
        #expect(next.parts.map(\.firstRow) == [40])
        #expect(next.parts.map(\.rowCount) == [1])
    }

    /// Over several blocks, of which the first ones become too old.
    @Test func theStoreAlwaysHasEveryRowOnce() throws {
        var history = History(Self.capacity(1_200))
        var (stored, store) = (StoredHistory(), HistoryStore())
        var (sealed, removed) = (0, 0)
        for number in Int64(1)...2_700 {
            try Self.append(number...number, to: &history)
            let (changes, after) = stored.changes(to: history)
            stored = after
            store.apply(changes)
            sealed += changes.sealed.count
            removed += changes.removed.count
            let isComplete = store.rows == history.pollCount
            #expect(isComplete, "poll \(number): \(store.rows) of \(history.pollCount)")
            let areKept = Set(store.blocks.keys) == Set(history.sealed.map(\.id))
            #expect(areKept, "poll \(number)")
        }
        #expect(sealed >= 5 && removed >= 2)
        let readable = ReadableHistory(store.state)
        #expect(readable.damaged.isEmpty)
        #expect(readable.sealed.map(\.id) == history.sealed.map(\.id))
        #expect(readable.parts.map(\.firstRow) == store.state.parts.map(\.firstRow))
    }

    @Test func afterARestartOnlyNewRowsAreStored() throws {
        var history = try Self.history(600)
        let ids = Set(history.sealed.map(\.id))
        let rows = history.open.rowCount
        try #require(ids.count == 1 && rows > 16)
        let stored = StoredHistory(blocks: ids, of: history)
        #expect(stored.changes(to: history).changes == HistoryChanges())
        try Self.append(601...601, to: &history)
        let changes = stored.changes(to: history).changes
        #expect(changes.parts.map(\.firstRow) == [rows])
        #expect(changes.parts.map(\.rowCount) == [1])
        #expect(changes.sealed.isEmpty)
    }

    /// After damage, and with the parts of a former version.
    @Test func partsThatAreNotTheOpenBlockAreReplacedOnce() throws {
        let history = try Self.history(600)
        let ids = Set(history.sealed.map(\.id))
        let (changes, after) = StoredHistory(blocks: ids, of: history, hasOpen: false).changes(to: history)
        #expect(changes.replacesParts)
        #expect(changes.parts.map(\.firstRow) == [0])
        #expect(changes.parts.map(\.rowCount) == [history.open.rowCount])
        #expect(after.changes(to: history).changes == HistoryChanges())
        let empty = History(Self.capacity())
        let (cleared, last) = StoredHistory(blocks: [], of: empty, hasOpen: false).changes(to: empty)
        #expect(cleared == HistoryChanges(replacesParts: true))
        #expect(last.changes(to: empty).changes == HistoryChanges())
    }

    @Test func blocksAreAddedAndRemovedToMatchTheHistory() throws {
        let history = try Self.history(600)
        let id = try #require(history.sealed.first?.id)
        let (changes, after) = StoredHistory(blocks: [99, 77], of: history).changes(to: history)
        #expect(changes.sealed.map(\.id) == [id])
        #expect(changes.removed == [77, 99])
        #expect(changes.parts.isEmpty)
        #expect(after.changes(to: history).changes == HistoryChanges())
    }

    @Test(arguments: [false, true]) func everythingReplacesWhatIsStored(hasBlock: Bool) throws {
        let history = try Self.history(600)
        let id = try #require(history.sealed.first?.id)
        let (changes, after) = StoredHistory.everything(of: history, stored: hasBlock ? [id, 99] : [99])
        #expect(changes.sealed.map(\.id) == (hasBlock ? [] : [id]))
        #expect(changes.kept == (hasBlock ? [id] : []))
        #expect(changes.replacesParts)
        #expect(changes.parts.map(\.firstRow) == [0])
        #expect(changes.parts.map(\.rowCount) == [history.open.rowCount])
        #expect(after.changes(to: history).changes == HistoryChanges())
    }

    @Test func anEmptyHistoryHasNoParts() {
        let (changes, _) = StoredHistory.everything(of: History(Self.capacity()), stored: [1])
        #expect(changes.parts.isEmpty && changes.sealed.isEmpty)
        #expect(changes.replacesParts && changes.kept == [])
    }

    @Test func aStoredBlockDescribesItsPrices() throws {
        let history = try Self.history(600)
        let block = try #require(history.sealed.first)
        let stored = StoredBlock(block)
        #expect(stored.id == block.id && stored.bytes == block.bytes)
        #expect(stored.oldest == WallTime(milliseconds: 1_000))
        #expect(stored.newest == WallTime(milliseconds: Int64(stored.rowCount) * 1_000))
        let symbol = try #require(stored.blockSymbols.first)
        #expect(stored.blockSymbols.count == 1)
        #expect(symbol.symbol == Symbol("btcinr") && symbol.samples == stored.rowCount)
        #expect(symbol.since == stored.oldest && symbol.until == stored.newest)
        #expect("\(symbol.first) \(symbol.lowest)" == "1 1")
        #expect("\(symbol.highest) \(symbol.last)" == "\(stored.rowCount) \(stored.rowCount)")
    }

    @Test func damagedAndMisplacedBlocksAreIgnoredAndNamed() throws {
        let history = try Self.history(600)
        let block = try #require(history.sealed.first.map(StoredBlock.init))
        let part = try #require(history.encodeOpenRows(fromRow: 16).map(StoredOpenRows.init))
        var state = StoredSource(SourceName(unchecked: "wazirx"))
        state.blocks = [block, block, block]
        state.blocks[1].id = 77
        state.blocks[2].bytes.removeLast()
        state.parts = [part, part, part]
        state.parts[1].firstRow = 17
        state.parts[2].block = 78
        let readable = ReadableHistory(state)
        #expect(readable.sealed.map(\.id) == [block.id])
        #expect(readable.parts.map(\.firstRow) == [16])
        #expect(readable.damaged.count == 4)
        #expect(readable.damaged.first == "block 77: it belongs to another block")
        #expect(readable.damaged[1].hasPrefix("block \(block.id): "))
        #expect(
            readable.damaged.suffix(2) == [
                "rows from 17 of block \(part.block): it belongs to another block",
                "rows from 16 of block 78: it belongs to another block",
            ])
    }
}
