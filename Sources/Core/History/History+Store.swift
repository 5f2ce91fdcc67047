extension History {
    /// The number and row count of the open block. If there is none, the number is that of the next block, and the
    /// row count is 0.
    package var open: (id: Int64, rowCount: Int) {
        (openBlock.rowCount > 0 ? openID : nextID, openBlock.rowCount)
    }

    /// Encodes the rows of the open block from the given one on, for a store to keep until the block is sealed.
    ///
    /// - Returns: nil if there is no such row.
    package func encodeOpenRows(fromRow row: Int) -> OpenRows? {
        guard row >= 0, row < openBlock.rowCount else { return nil }
        return openBlock.encodedRows(from: row, id: openID)
    }

    /// Encodes the rows of the open block from the given one on as a block.
    ///
    /// - Returns: nil if there is no such row.
    package func encodeOpen(fromRow row: Int) -> HistoryBlock? {
        guard row >= 0, row < openBlock.rowCount else { return nil }
        return openBlock.encoded(rows: row..<openBlock.rowCount, id: openID)
    }

    /// Appends all polls of another history.
    package mutating func append(contentsOf other: History) {
        for block in other.sealed + [other.encodeOpen(fromRow: 0)].compactMap(\.self) {
            block.forEachRow { time, tickers in append(tickers, at: time) }
        }
    }

    /// Restores stored blocks. Call it before anything is appended.
    ///
    /// Parts of a block that is also in `sealed` are ignored. The other parts become the open block, which keeps its
    /// number. If rows are missing, the rows after them cannot be read. Blocks in excess of the capacity are dropped.
    ///
    /// - Parameters:
    ///   - sealed: whole blocks, in any order.
    ///   - parts: parts of the open block, in any order.
    /// - Returns: the parts that could not be read, and whether the open block matches the stored rows.
    @discardableResult
    package mutating func restore(sealed: [HistoryBlock], parts: [OpenRows]) -> RestoredParts {
        for block in sealed.sorted(by: { $0.id < $1.id }) { insert(block) }
        let known = Set(sealed.map(\.id))
        let open = parts.filter { !known.contains($0.id) }.sorted { ($0.id, $0.firstRow) < ($1.id, $1.firstRow) }
        let id = open.last?.id ?? 0
        nextID = max(nextID, id)
        var result = RestoredParts(isComplete: open.count == parts.count)
        var isWhole = true
        var expected = 0
        var reader = OpenRowsReader(block: id)
        for part in open {
            if reader.id != part.id { reader = OpenRowsReader(block: part.id) }
            isWhole = isWhole && part.id == id
            do throws(BlockError) {
                try reader.read(part) { time, tickers in append(tickers, at: time) }
            } catch {
                result.unreadable.append("\(part): \(error)")
            }
            expected += part.rowCount
        }
        if !isWhole {
            openID = allocateID()
            seal()
        }
        if !open.isEmpty, self.open != (id, expected) { result.isComplete = false }
        dropOldest()
        return result
    }
}
