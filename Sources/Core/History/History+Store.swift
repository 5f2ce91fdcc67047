extension History {
    /// The number of the open block, and its number of rows.
    package var open: (id: Int64, rowCount: Int) {
        (openBlock.rowCount > 0 ? openID : nextID, openBlock.rowCount)
    }

    /// The rows of the open block from the given one on, to be stored until the block is sealed.
    ///
    /// - Returns: nil when there is no such row.
    package func encodeOpenRows(fromRow row: Int) -> OpenRows? {
        guard row >= 0, row < openBlock.rowCount else { return nil }
        return openBlock.encodedRows(from: row, id: openID)
    }

    /// The rows of the open block from the given one on, encoded as a block.
    ///
    /// - Returns: nil when there is no such row.
    package func encodeOpen(fromRow row: Int) -> HistoryBlock? {
        guard row >= 0, row < openBlock.rowCount else { return nil }
        return openBlock.encoded(rows: row..<openBlock.rowCount, id: openID)
    }

    /// Appends the contents of another history after its own.
    package mutating func append(contentsOf other: History) {
        for block in other.sealed + [other.encodeOpen(fromRow: 0)].compactMap(\.self) {
            block.forEachRow { time, tickers in append(tickers, at: time) }
        }
    }

    /// Takes blocks that were stored; call it before anything is appended.
    ///
    /// Parts of a block that is among the sealed ones are ignored. The other parts become the open block, with its
    /// number. Where rows are missing, those after them cannot be read. What exceeds the capacity is dropped.
    ///
    /// - Parameters:
    ///   - sealed: whole blocks, in any order.
    ///   - parts: of the open block, in any order.
    /// - Returns: which parts could not be read.
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
            openID = takeID()
            seal()
        }
        if !open.isEmpty, self.open != (id, expected) { result.isComplete = false }
        dropOldest()
        return result
    }
}
