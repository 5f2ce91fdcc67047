internal import Market
package import Time

/// The reason why bytes are not a valid block of history.
package enum BlockError: Error, Equatable, Sendable {
    /// The bytes do not begin with the signature of a block.
    case notABlock
    /// The block has a newer format version.
    case version(Int)
    /// The length does not match the one in the header.
    case length(expected: Int, found: Int)
    case checksum
    /// The checksum is right, but the contents are invalid.
    case content
    /// The rows are encoded as differences from rows that are missing.
    case incomplete
}

extension BlockError: CustomStringConvertible {
    /// One line without a full stop.
    package var description: String {
        switch self {
        case .notABlock: "not a block of history"
        case .version(let version): "a block of version \(version), which only a later version of alertd can read"
        case .length(let expected, let found): "a block of \(expected) bytes, but \(found) were found"
        case .checksum: "a block whose checksum is wrong"
        case .content: "a block with a valid checksum but invalid content"
        case .incomplete: "the rows before it are missing"
        }
    }
}

/// Up to 512 polls of history, compressed: immutable, and the same bytes in memory and in a store. See ``BlockFormat``.
package struct HistoryBlock: Sendable {
    /// The number of the block. It increases from block to block and stays the same across restarts. The parts of an
    /// open block have its number.
    package let id: Int64
    /// The block in the format of ``BlockFormat``.
    package let bytes: [UInt8]
    /// The number of preceding rows of the block if this is a part of an open block; otherwise 0.
    package let firstRow: Int
    /// The number of polls: 1 to 512.
    package let rowCount: Int
    /// The number of symbols with a price in the block.
    package let symbolCount: Int
    package let oldest: WallTime
    package let newest: WallTime
    /// True if no row is earlier than the row before it.
    let isSorted: Bool
    let times: TimeColumn

    /// Makes a block from its bytes, which are checked but not decoded.
    ///
    /// - Throws: ``BlockError``.
    package init(bytes: [UInt8]) throws(BlockError) {
        try Self.checkFrame(bytes.span)
        guard let header = Header(bytes.span),
            let times = TimeColumn(
                at: BlockFormat.headerCount + header.columns * BlockFormat.offsetCount, in: bytes.span,
                rows: header.rows, oldest: header.oldest)
        else { throw .content }
        self.init(header, times, bytes)
        try checkColumns()
    }

    private init(_ header: Header, _ times: TimeColumn, _ bytes: [UInt8]) {
        self.bytes = bytes
        self.times = times
        id = header.id
        (firstRow, rowCount, symbolCount) = (header.firstRow, header.rows, header.columns)
        oldest = WallTime(milliseconds: header.oldest)
        newest = WallTime(milliseconds: header.newest)
        isSorted = header.isSorted
    }

    /// Checks that the bytes are exactly one undamaged block, without interpreting its contents.
    private static func checkFrame(_ bytes: Span<UInt8>) throws(BlockError) {
        var reader = ByteReader(position: 0)
        for byte in BlockFormat.magic where reader.fixed(1, bytes) != UInt64(byte) { throw .notABlock }
        guard let version = reader.fixed(1, bytes) else { throw .notABlock }
        guard version == BlockFormat.version else { throw .version(Int(version)) }
        reader.position = 12
        guard let length = reader.fixed(4, bytes), bytes.count >= BlockFormat.headerCount else { throw .notABlock }
        guard length == bytes.count else { throw .length(expected: Int(length), found: bytes.count) }
        let end = bytes.count - BlockFormat.checksumCount
        reader.position = end
        guard reader.fixed(4, bytes) == UInt64(CRC32C.checksum(of: bytes, count: end)) else { throw .checksum }
    }

    /// Checks that each column begins inside the block and is valid, and that symbols are unique and sorted.
    private func checkColumns() throws(BlockError) {
        let bytes = bytes.span
        var before: Symbol?
        for column in 0..<symbolCount {
            guard let symbol = symbol(ofColumn: column), before.map({ $0 < symbol }) ?? true,
                PriceColumn(at: offset(ofColumn: column), in: bytes, rows: rowCount) != nil
            else { throw .content }
            before = symbol
        }
    }

    /// The memory in use for the block, in bytes, including array and allocator overhead.
    var heapByteCount: Int { Self.arrayOverhead + bytes.capacity + MemoryLayout<Self>.stride }

    /// The bytes of an array header and of rounding by the allocator.
    static let arrayOverhead = 48
}

/// The part of fixed size at the start of a block.
private struct Header {
    let isSorted: Bool
    let rows: Int
    let columns: Int
    let firstRow: Int
    let id: Int64
    let oldest: Int64
    let newest: Int64

    init?(_ bytes: Span<UInt8>) {
        var reader = ByteReader(position: 5)
        guard let flags = reader.fixed(1, bytes), let rows = reader.fixed(2, bytes),
            let columns = reader.fixed(2, bytes), let firstRow = reader.fixed(2, bytes), reader.fixed(4, bytes) != nil,
            let id = reader.fixed(8, bytes), let oldest = reader.fixed(8, bytes), let newest = reader.fixed(8, bytes),
            flags <= 1, 1...UInt64(BlockFormat.rowLimit) ~= rows, 1...UInt64(SymbolTable.capacity) ~= columns,
            rows + firstRow <= UInt64(BlockFormat.rowLimit)
        else { return nil }
        isSorted = flags == 1
        (self.rows, self.columns, self.firstRow) = (Int(rows), Int(columns), Int(firstRow))
        self.id = Int64(bitPattern: id)
        self.oldest = Int64(bitPattern: oldest)
        self.newest = Int64(bitPattern: newest)
        guard self.oldest <= self.newest, BlockFormat.ids.contains(self.id) else { return nil }
    }
}

extension HistoryBlock {
    /// Returns the offset of a column in the bytes, or -1 if its entry is out of bounds.
    func offset(ofColumn column: Int) -> Int {
        var reader = ByteReader(position: BlockFormat.headerCount + column * BlockFormat.offsetCount)
        return reader.fixed(BlockFormat.offsetCount, bytes.span).map { Int($0) } ?? -1
    }

    func symbol(ofColumn column: Int) -> Symbol? {
        let bytes = bytes.span
        return PriceColumn.name(at: offset(ofColumn: column), in: bytes).flatMap { Symbol(bytes, in: $0) }
    }

    func column(_ column: Int) -> PriceColumn? {
        PriceColumn(at: offset(ofColumn: column), in: bytes.span, rows: rowCount)
    }

    /// Returns the column number of a symbol.
    ///
    /// - Parameters:
    ///   - symbol: the symbol to find.
    ///   - guess: the column of the symbol in another block, usually the same.
    /// - Returns: nil if the symbol has no price in the block.
    func column(of symbol: Symbol, guess: Int = 0) -> Int? {
        if guess < symbolCount, self.symbol(ofColumn: guess) == symbol { return guess }
        var (low, high) = (0, symbolCount)
        while low < high {
            let middle = (low + high) / 2
            guard let found = self.symbol(ofColumn: middle) else { return nil }
            if found == symbol { return middle }
            if found < symbol { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
