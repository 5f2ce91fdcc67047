internal import Market
package import Time

/// Why bytes are not a block of history.
package enum BlockError: Error, Equatable, Sendable {
    /// It does not begin as a block does.
    case notABlock
    /// Made by a later version of the program.
    case version(Int)
    /// The bytes are fewer or more than the block says.
    case length(expected: Int, found: Int)
    case checksum
    /// The checksum is right, but what the bytes say makes no sense.
    case content
}

extension BlockError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notABlock: "no block of history"
        case .version(let version): "a block of version \(version), which only a later program understands"
        case .length(let expected, let found): "a block of \(expected) bytes, of which there are \(found)"
        case .checksum: "a block whose checksum is wrong"
        case .content: "a block with the right checksum that makes no sense"
        }
    }
}

/// Up to 512 polls of history, compressed: immutable, and the same bytes in memory and in a store. ``BlockFormat`` says
/// what they mean.
package struct HistoryBlock: Sendable {
    /// Increases from block to block and stays the same over restarts. The parts of a block that is not full yet have
    /// its number.
    package let id: Int64
    package let bytes: [UInt8]
    /// In a part, how many rows of the block come before it; else 0.
    package let firstRow: Int
    package let rowCount: Int
    package let symbolCount: Int
    package let oldest: WallTime
    package let newest: WallTime
    /// Whether no row's time is before that of the row before it.
    let isSorted: Bool
    let times: TimeColumn

    /// Takes the bytes of a block; they are checked, but not decoded.
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

    /// Whether the bytes are one whole undamaged block, whatever it says.
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

    /// Whether each column begins where it may, has a name of its own in order, and makes sense.
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

    /// What the block takes of memory, with what the allocator and the array add.
    var heapByteCount: Int { Self.arrayOverhead + bytes.capacity + MemoryLayout<Self>.stride }

    /// The head of an array's memory, and what an allocator rounds up.
    static let arrayOverhead = 48
}

/// The fixed part at a block's start.
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
        guard self.oldest <= self.newest else { return nil }
    }
}

extension HistoryBlock {
    /// Where a column begins; -1 when that is outside.
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

    /// The number of the column of a symbol.
    ///
    /// - Parameters:
    ///   - symbol: of which market.
    ///   - guess: where it was in another block: most often it is there again.
    /// - Returns: nil when the symbol has no price in the block.
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
