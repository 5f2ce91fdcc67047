internal import History
internal import Market
internal import Storage

/// A record of the stored parts of the history, which shows what the store lacks.
struct StoredHistory {
    /// The ids of the sealed blocks.
    private var blocks: [Int64] = []
    /// The open block, and the number of its rows that are stored as parts.
    private var open: (id: Int64, rowCount: Int) = (0, 0)
    /// True if the stored parts do not belong to the open block, so that all of them must be replaced.
    private var replacesParts = false

    init() {}

    /// - Parameters:
    ///   - blocks: the ids of the sealed blocks that are stored.
    ///   - history: the restored history.
    ///   - hasOpen: true if the open block is stored completely, in the form that ``History/encodeOpenRows(fromRow:)``
    ///     returns.
    init(blocks: Set<Int64>, of history: History, hasOpen: Bool = true) {
        self.blocks = blocks.sorted()
        open = (history.open.id, hasOpen ? history.open.rowCount : 0)
        replacesParts = !hasOpen
    }

    /// Returns the changes since the last commit, and the record after they are committed.
    func changes(to history: History) -> (changes: HistoryChanges, after: StoredHistory) {
        var (changes, after) = (HistoryChanges(), self)
        // In most polls, no block is sealed or dropped.
        if !blocks.elementsEqual(history.sealed.lazy.map(\.id)) {
            after.blocks = history.sealed.map(\.id)
            let known = Set(blocks)
            changes.sealed = history.sealed.filter { !known.contains($0.id) }.map(StoredBlock.init)
            changes.removed = known.subtracting(after.blocks).sorted()
        }
        changes.replacesParts = replacesParts
        after.replacesParts = false
        if history.open.id != open.id {
            // The content of the stored parts is now in a sealed block.
            changes.replacesParts = replacesParts || open.rowCount > 0
            after.open = (history.open.id, 0)
        }
        if let part = history.encodeOpenRows(fromRow: after.open.rowCount) {
            changes.parts = [StoredOpenRows(part)]
            changes.isUnchanged = part.isUnchanged
            after.open = history.open
        }
        return (changes, after)
    }

    /// Returns everything that the store needs to have the whole history.
    ///
    /// - Parameters:
    ///   - history: the history in memory.
    ///   - stored: the ids of the blocks that are known to be stored.
    /// - Returns: the changes to commit, and the record after they are committed.
    static func everything(
        of history: History, stored: Set<Int64>
    ) -> (changes: HistoryChanges, after: StoredHistory) {
        let missing = history.sealed.filter { !stored.contains($0.id) }
        let part = history.encodeOpenRows(fromRow: 0).map { [StoredOpenRows($0)] } ?? []
        let ids = Set(history.sealed.map(\.id))
        return (
            HistoryChanges(
                sealed: missing.map(StoredBlock.init), parts: part, replacesParts: true,
                kept: ids.intersection(stored)),
            StoredHistory(blocks: ids, of: history)
        )
    }
}

extension StoredBlock {
    init(_ block: HistoryBlock) {
        self.init(
            id: block.id, oldest: block.oldest, newest: block.newest, rowCount: block.rowCount, bytes: block.bytes,
            blockSymbols: block.summaries.map(StoredBlockSymbol.init))
    }
}

extension StoredBlockSymbol {
    init(_ summary: SymbolSummary) {
        self.init(
            symbol: summary.symbol, since: summary.first.time, until: summary.last.time, samples: summary.count,
            first: summary.first.price, lowest: summary.lowest, highest: summary.highest, last: summary.last.price)
    }
}

extension StoredOpenRows {
    init(_ part: OpenRows) {
        self.init(block: part.id, firstRow: part.firstRow, rowCount: part.rowCount, bytes: part.bytes)
    }
}

/// The stored blocks and parts that can be read, and descriptions of those that cannot.
struct ReadableHistory {
    private(set) var sealed: [HistoryBlock] = []
    private(set) var parts: [OpenRows] = []
    /// Descriptions of ignored data: `block 7: a block whose checksum is wrong`.
    private(set) var damaged: [String] = []

    init(_ state: StoredSource) {
        for block in state.blocks {
            let read = read("block \(block.id)", HistoryBlock.init(bytes:), block.bytes) { $0.id == block.id }
            if let read { sealed.append(read) }
        }
        for part in state.parts {
            let name = "rows from \(part.firstRow) of block \(part.block)"
            let read = read(name, OpenRows.init(bytes:), part.bytes) {
                $0.id == part.block && $0.firstRow == part.firstRow
            }
            if let read { parts.append(read) }
        }
    }

    private mutating func read<Value>(
        _ name: String, _ make: ([UInt8]) throws(BlockError) -> Value, _ bytes: [UInt8], isRight: (Value) -> Bool
    ) -> Value? {
        do throws(BlockError) {
            let value = try make(bytes)
            if isRight(value) { return value }
            damaged.append("\(name): it belongs to another block")
        } catch {
            damaged.append("\(name): \(error)")
        }
        return nil
    }
}
