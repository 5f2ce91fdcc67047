internal import Market
internal import Time

/// The tables `block` and `block_symbol`: sealed blocks of the history of a source, with a summary of each symbol.
/// Rows that are not sealed yet are in `poll`.
struct HistoryTables {
    let database: Database
    let source: Int64

    /// Applies the changes, with the engine's record of the same poll. Runs inside a transaction.
    func write(_ changes: HistoryChanges, record: [UInt8]? = nil) throws(StorageError) {
        for id in changes.removed { try remove(id) }
        if let kept = changes.kept { try removeBlocks(except: kept) }
        for block in changes.sealed { try write(block) }
        if changes.replacesParts { try database.polls(source).dropPrices() }
        try database.polls(source).write(record: record, changes.parts)
    }

    private func removeBlocks(except kept: Set<Int64>) throws(StorageError) {
        for id in try blockIDs() where !kept.contains(id) { try remove(id) }
    }

    private func remove(_ id: Int64) throws(StorageError) {
        try database.run("DELETE FROM block WHERE source = ? AND id = ?", .integer(source), .integer(id))
    }

    private func write(_ block: StoredBlock) throws(StorageError) {
        try database.polls(source).dropPrices(of: block.id)
        try remove(block.id)
        try database.run(
            "INSERT INTO block (source, id, oldest, newest, row_count, bytes) VALUES (?, ?, ?, ?, ?, ?)",
            .integer(source), .integer(block.id), .integer(block.oldest.milliseconds),
            .integer(block.newest.milliseconds), .integer(Int64(block.rowCount)),
            .blob(block.bytes))
        for blockSymbol in block.blockSymbols { try write(blockSymbol, of: block.id) }
    }

    private func write(_ blockSymbol: StoredBlockSymbol, of block: Int64) throws(StorageError) {
        try database.run(
            """
            INSERT OR REPLACE INTO block_symbol
                (source, block, symbol, since, until, samples, first, lowest, highest, last)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(source), .integer(block), .text("\(blockSymbol.symbol)"),
            .integer(blockSymbol.since.milliseconds), .integer(blockSymbol.until.milliseconds),
            .integer(Int64(blockSymbol.samples)), .text("\(blockSymbol.first)"), .text("\(blockSymbol.lowest)"),
            .text("\(blockSymbol.highest)"), .text("\(blockSymbol.last)"))
    }
}

extension HistoryTables {
    /// Returns the ids of the sealed blocks, in order.
    func blockIDs() throws(StorageError) -> [Int64] {
        var ids: [Int64] = []
        try database.read("SELECT id FROM block WHERE source = ? ORDER BY id", .integer(source)) {
            row throws(StorageError) in
            ids.append(try row.integer())
            return true
        }
        return ids
    }

    /// Returns all blocks, without their symbols.
    func blocks() throws(StorageError) -> [StoredBlock] {
        var blocks: [StoredBlock] = []
        try database.read(
            "SELECT id, oldest, newest, row_count, bytes FROM block WHERE source = ? ORDER BY id", .integer(source)
        ) { row throws(StorageError) in
            blocks.append(try StoredBlock(&row))
            return true
        }
        return blocks
    }

    /// Returns the block with this id and its symbols, or nil if there is none.
    func block(_ id: Int64) throws(StorageError) -> StoredBlock? {
        var block = try database.first(
            "SELECT id, oldest, newest, row_count, bytes FROM block WHERE id = ? AND source = ?", .integer(id),
            .integer(source)
        ) { row throws(StorageError) in try StoredBlock(&row) }
        block?.blockSymbols = try blockSymbols(of: id)
        return block
    }

    private func blockSymbols(of block: Int64) throws(StorageError) -> [StoredBlockSymbol] {
        var blockSymbols: [StoredBlockSymbol] = []
        try database.read(
            """
            SELECT symbol, since, until, samples, first, lowest, highest, last
            FROM block_symbol WHERE source = ? AND block = ? ORDER BY symbol
            """, .integer(source), .integer(block)
        ) { row throws(StorageError) in
            if let blockSymbol = try StoredBlockSymbol(&row) { blockSymbols.append(blockSymbol) }
            return true
        }
        return blockSymbols
    }
}

extension StoredBlock {
    fileprivate init(_ row: inout Row) throws(StorageError) {
        self.init(
            id: try row.integer(), oldest: try row.time(), newest: try row.time(),
            rowCount: Int(clamping: try row.integer()), bytes: try row.blob())
    }
}

extension StoredBlockSymbol {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let symbol = try row.value(Symbol.init)
        let since = try row.time()
        let until = try row.time()
        let samples = Int(clamping: try row.integer())
        let first = try row.optionalPrice()
        let lowest = try row.optionalPrice()
        let highest = try row.optionalPrice()
        let last = try row.optionalPrice()
        guard let symbol, let first, let lowest, let highest, let last else { return nil }
        self.init(
            symbol: symbol, since: since, until: until, samples: samples, first: first, lowest: lowest,
            highest: highest, last: last)
    }
}
