internal import Market
internal import Time

/// Rows of the open block, in the form in which a store keeps them until the block is sealed: each row is encoded as
/// its changes from the row before.
///
/// Numbers are coded as in ``BlockFormat``.
///
/// | bytes | contents |
/// | --- | --- |
/// | 4 | `aRow` |
/// | 1 | version, 1 |
/// | 8 | number of the block |
/// | 2 | number of the first row |
/// | 2 | rows, 1 to 512 |
/// | … | the rows |
/// | 4 | CRC-32C of all bytes before it |
///
/// A row is the difference from the row before it, so it can be read only after all rows before it. The first row of a
/// block is the difference from a row at time 0 (1970) without symbols. Symbols are numbered in the order of their
/// first prices in the block.
///
/// | bytes | contents |
/// | --- | --- |
/// | variable, zigzag | milliseconds since the row before, modulo 2^64 |
/// | variable | number of new symbols; each has a price |
/// | (1, n) × new | the name of each new symbol: length, text |
/// | variable | number of symbols that change |
/// | … | for each, by number: 4 × the number of symbols skipped before it + a kind, as a variable number; then: |
///
/// | kind | what follows |
/// | --- | --- |
/// | 0: another price of the same scale | variable, zigzag: mantissa − previous mantissa, modulo 2^64 |
/// | 1: another scale, or the first price | 1: scale; variable, zigzag: mantissa − previous one at the new scale |
/// | 2: no price | nothing |
///
/// To convert the previous mantissa to the new scale, it is multiplied by a power of ten, modulo 2^64, or divided by
/// a power of ten and rounded toward 0. The result is 0 if there was no price.
package struct OpenRows: Sendable {
    /// The number of the block that the rows belong to.
    package let id: Int64
    /// The number of rows of the block before these.
    package let firstRow: Int
    /// The number of polls: 1 to 512.
    package let rowCount: Int
    /// The rows in the format described above, with a checksum.
    package let bytes: [UInt8]
    /// True if no price differs from the row before. False if unknown, as in rows from a store.
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

    /// Checks that the bytes are complete and undamaged. The rows are not read before
    /// ``History/restore(sealed:parts:)``.
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

    /// Returns a mantissa converted to another scale, as the base of a difference.
    static func base(_ mantissa: Int64, scale: UInt8, at other: UInt8) -> Int64 {
        if other >= scale { return mantissa &* PriceColumnEncoder.powersOfTen[Int(other - scale)] }
        return mantissa / PriceColumnEncoder.powersOfTen[Int(scale - other)]
    }
}

extension OpenRows: CustomStringConvertible {
    /// `rows from 17 of block 3`.
    package var description: String { "rows from \(firstRow) of block \(id)" }
}

/// The result of restoring the stored parts of the open block.
package struct RestoredParts: Equatable, Sendable {
    /// True if the open block consists of exactly the stored rows, so that later rows can be stored after them.
    /// Otherwise all rows of the open block must be stored again.
    package var isComplete = true
    /// The parts that could not be read, entirely or from some row on, each with the reason.
    package var unreadable: [String] = []
}

extension OpenBlock {
    /// Encodes the rows from the given one on; there must be at least one.
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

    /// Appends a row.
    ///
    /// - Returns: the number of prices that differ from the row before.
    private func append(row: Int, known: inout Int, to bytes: inout [UInt8]) -> Int {
        bytes.appendZigzag(times[row] &- (row > 0 ? times[row - 1] : 0))
        // Symbols are numbered in the order of their first prices.
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
