extension History {
    /// The number of the open block, and its number of rows.
    package var open: (id: Int64, rowCount: Int) {
        (openBlock.rowCount > 0 ? openID : nextID, openBlock.rowCount)
    }

    /// The rows of the open block from the given one on, encoded as a part, to be stored until the block is sealed.
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
    /// number; when one of them is missing, the rest becomes a block with a new number. What exceeds the capacity is
    /// dropped.
    ///
    /// - Parameters:
    ///   - sealed: whole blocks, in any order.
    ///   - parts: the results of ``encodeOpen(fromRow:)``, in any order.
    package mutating func restore(sealed: [HistoryBlock], parts: [HistoryBlock]) {
        for block in sealed.sorted(by: { $0.id < $1.id }) { insert(block) }
        let known = Set(sealed.map(\.id))
        let parts = parts.filter { !known.contains($0.id) }.sorted { ($0.id, $0.firstRow) < ($1.id, $1.firstRow) }
        let id = parts.last?.id ?? 0
        nextID = max(nextID, id)
        var isWhole = true
        var expected = 0
        for part in parts {
            isWhole = isWhole && part.id == id && part.firstRow == expected
            expected += part.rowCount
            part.forEachRow { time, tickers in append(tickers, at: time) }
        }
        if !isWhole {
            openID = takeID()
            seal()
        }
        dropOldest()
    }
}
