/// What a store has of the block that is being filled.
package enum HistoryPart: Sendable {
    case rows(OpenRows)
    /// The rows as a block, as former versions stored them.
    case block(HistoryBlock)

    /// Takes stored bytes of either form, and checks that they are whole and undamaged.
    ///
    /// - Throws: ``BlockError``.
    package init(bytes: [UInt8]) throws(BlockError) {
        if bytes.starts(with: OpenRows.magic) {
            self = .rows(try OpenRows(bytes: bytes))
        } else {
            self = .block(try HistoryBlock(bytes: bytes))
        }
    }

    /// The number of the block.
    package var id: Int64 {
        switch self {
        case .rows(let rows): rows.id
        case .block(let block): block.id
        }
    }

    /// How many rows of the block come before it.
    package var firstRow: Int {
        switch self {
        case .rows(let rows): rows.firstRow
        case .block(let block): block.firstRow
        }
    }

    /// The number of rows.
    package var rowCount: Int {
        switch self {
        case .rows(let rows): rows.rowCount
        case .block(let block): block.rowCount
        }
    }
}

extension HistoryPart: CustomStringConvertible {
    /// `rows from 17 of block 3`.
    package var description: String { "rows from \(firstRow) of block \(id)" }
}

/// How the stored parts of the open block were restored.
package struct RestoredParts: Equatable, Sendable {
    /// Whether the open block is exactly the stored rows, so that later rows can follow them in the store; otherwise
    /// all of its rows have to be stored again.
    package var isComplete = true
    /// The parts that could not be read, completely or from some row on, and why.
    package var unreadable: [String] = []
}
