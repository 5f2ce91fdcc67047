internal import Market
internal import Time

/// Rows of the block that is being filled, as a store keeps them until the block is sealed: each row as what it changes
/// in the row before.
///
/// Numbers are coded as in ``BlockFormat``.
///
/// | bytes | what |
/// | --- | --- |
/// | 4 | `aRow` |
/// | 1 | version, 1 |
/// | 8 | number of the block |
/// | 2 | number of the first row |
/// | 2 | rows, 1 to 512 |
/// | … | the rows |
/// | 4 | CRC-32C of all bytes before it |
///
/// A row is the difference to the row before it, and the first row of a block is the difference to 1970 without
/// symbols, so a row can be read only after all rows before it. Symbols have numbers in the order in which they come
/// up in the block.
///
/// | bytes | what |
/// | --- | --- |
/// | variable, zigzag | milliseconds since the row before, modulo 2^64 |
/// | variable | how many symbols are new; each has a price |
/// | (1, n) × new | the names of these: length, text |
/// | variable | how many symbols change |
/// | … | for each, by number: 4 × how many symbols were skipped before it + a kind, as a variable number; then: |
///
/// | kind | what follows |
/// | --- | --- |
/// | 0: another price of the same scale | variable, zigzag: mantissa − the one before, modulo 2^64 |
/// | 1: another scale, or the first price | 1: scale; variable, zigzag: mantissa − the one before at the new scale |
/// | 2: no price | nothing |
///
/// At the new scale, a mantissa is multiplied by a power of ten, modulo 2^64, or divided by one and rounded towards 0;
/// it is 0 where there was no price.
package struct OpenRows: Sendable {
    /// The number of the block.
    package let id: Int64
    /// How many rows of the block come before them.
    package let firstRow: Int
    /// The number of polls: 1 to 512.
    package let rowCount: Int
    /// The rows in the format described above, with a checksum.
    package let bytes: [UInt8]
    /// Whether all prices are known to be those of the row before; false for rows that were read.
    package private(set) var isUnchanged = false

    static let magic: [UInt8] = Array("aRow".utf8)
    static let version: UInt8 = 1
    static let headerCount = 17
    static let checksumCount = 4

    enum Kind {
        static let price: UInt64 = 0
        static let scale: UInt64 = 1
        static let none: UInt64 = 2
    }

    /// Checks that the bytes are whole and undamaged; the rows are only read by ``History/restore(sealed:parts:)``.
    ///
    /// - Throws: ``BlockError``.
    package init(bytes: [UInt8]) throws(BlockError) {
        let span = bytes.span
        guard bytes.starts(with: Self.magic), bytes.count >= Self.headerCount + Self.checksumCount else {
            throw .notABlock
        }
        guard span[4] == Self.version else { throw .version(Int(span[4])) }
        guard ByteReader.checked(span) != nil else { throw .checksum }
        var reader = ByteReader(position: 5)
        guard let id = reader.fixed(8, span), let firstRow = reader.fixed(2, span), let rows = reader.fixed(2, span),
            rows > 0, firstRow + rows <= UInt64(BlockFormat.rowLimit), BlockFormat.ids.contains(Int64(bitPattern: id))
        else { throw .content }
        self.id = Int64(bitPattern: id)
        self.firstRow = Int(firstRow)
        rowCount = Int(rows)
        self.bytes = bytes
    }

    fileprivate init(bytes: [UInt8], isUnchanged: Bool) throws(BlockError) {
        try self.init(bytes: bytes)
        self.isUnchanged = isUnchanged
    }

    /// The mantissa of a price at another scale, as the base of a difference.
    static func base(_ mantissa: Int64, scale: UInt8, at other: UInt8) -> Int64 {
        if other >= scale { return mantissa &* PriceColumnEncoder.powersOfTen[Int(other - scale)] }
        return mantissa / PriceColumnEncoder.powersOfTen[Int(scale - other)]
    }
}

extension OpenRows: CustomStringConvertible {
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

extension OpenBlock {
    /// The rows from the given one on; the block has at least one.
    func encodedRows(from first: Int, id: Int64) -> OpenRows? {
        var bytes = OpenRows.magic
        bytes.append(OpenRows.version)
        bytes.appendFixed(UInt64(bitPattern: id), count: 8)
        for number in [first, rowCount - first] { bytes.appendFixed(UInt64(number), count: 2) }
        var changeCount = 0
        var known = summaries.count { ($0.summary?.first.row ?? .max) < first }
        for row in first..<rowCount { changeCount += append(row: row, known: &known, to: &bytes) }
        bytes.appendChecksum()
        return try? OpenRows(bytes: bytes, isUnchanged: changeCount == 0)
    }

    /// - Returns: how many prices differ from those of the row before.
    private func append(row: Int, known: inout Int, to bytes: inout [UInt8]) -> Int {
        bytes.appendZigzag(times[row] &- (row > 0 ? times[row - 1] : 0))
        // Numbers are given in the order of the first price.
        let new = summaries[known...].prefix { $0.summary?.first.row == row }.indices
        bytes.appendVariable(UInt64(new.count))
        for name in symbols.symbols[new] {
            let text = name.utf8
            bytes.append(UInt8(text.count))
            bytes.append(contentsOf: text)
        }
        known = new.upperBound
        return appendChanges(row: row, symbols: known, to: &bytes)
    }

    private func appendChanges(row: Int, symbols: Int, to bytes: inout [UInt8]) -> Int {
        var (count, next) = (0, 0)
        var changes: [UInt8] = []
        for number in 0..<symbols {
            let index = row * stride + number
            let (mantissa, scale) = (mantissas[index], scales[index])
            let before = row > 0 ? (mantissas[index - stride], scales[index - stride]) : (0, PriceColumnEncoder.absent)
            if (mantissa, scale) == before { continue }
            let skipped = UInt64(number - next) &<< 2
            if scale == PriceColumnEncoder.absent {
                changes.appendVariable(skipped | OpenRows.Kind.none)
            } else if scale == before.1 {
                changes.appendVariable(skipped | OpenRows.Kind.price)
                changes.appendZigzag(mantissa &- before.0)
            } else {
                let hadPrice = before.1 != PriceColumnEncoder.absent
                changes.appendVariable(skipped | OpenRows.Kind.scale)
                changes.append(scale)
                changes.appendZigzag(
                    mantissa &- (hadPrice ? OpenRows.base(before.0, scale: before.1, at: scale) : 0))
            }
            (count, next) = (count + 1, number + 1)
        }
        bytes.appendVariable(UInt64(count))
        bytes.append(contentsOf: changes)
        return count
    }
}
