internal import Market
internal import Time

/// A reader of the stored rows of a block, starting at its first row.
struct OpenRowsReader {
    let id: Int64
    /// The number of rows read. After a failure it is the maximum integer, so that no further rows can match.
    private var rowCount = 0
    /// The time of the last row.
    private var time: Int64 = 0
    /// The symbols by number, with their prices in the last row.
    private var tickers: [Ticker] = []
    private var names: Set<Symbol> = []

    init(block id: Int64) {
        self.id = id
    }

    /// Reads the next rows. After a failure, no more rows can be read.
    ///
    /// - Parameters:
    ///   - rows: the rows right after those already read.
    ///   - body: called with each row as a response, including the valid rows before an invalid one.
    /// - Throws: ``BlockError/incomplete`` if earlier rows are missing, ``BlockError/content`` if a row is invalid.
    mutating func read(
        _ rows: OpenRows, _ body: (_ time: WallTime, _ tickers: [Ticker]) -> Void
    ) throws(BlockError) {
        guard rows.id == id, rows.firstRow == rowCount else { throw .incomplete }
        rowCount = .max
        let bytes = rows.bytes.span.extracting(0..<rows.bytes.count - OpenRows.checksumCount)
        var reader = ByteReader(position: OpenRows.headerCount)
        for _ in 0..<rows.rowCount {
            guard readRow(&reader, bytes) else { throw .content }
            body(WallTime(milliseconds: time), tickers)
        }
        guard reader.position == bytes.count else { throw .content }
        rowCount = rows.firstRow + rows.rowCount
    }

    private mutating func readRow(_ reader: inout ByteReader, _ bytes: Span<UInt8>) -> Bool {
        guard let step = reader.variable(bytes) else { return false }
        time &+= Int64(zigzag: step)
        let known = tickers.count
        guard readNames(&reader, bytes), let count = reader.variable(bytes), count <= UInt64(tickers.count) else {
            return false
        }
        var next = 0
        for _ in 0..<count {
            guard readChange(&next, &reader, bytes) else { return false }
        }
        // Each new symbol and each row must have a price. Otherwise the history would number the symbols differently,
        // or ignore the row.
        return tickers[known...].allSatisfy { $0.last != nil } && tickers.contains { $0.last != nil }
    }

    private mutating func readNames(_ reader: inout ByteReader, _ bytes: Span<UInt8>) -> Bool {
        guard let count = reader.variable(bytes), count <= UInt64(SymbolTable.capacity - tickers.count) else {
            return false
        }
        for _ in 0..<count {
            guard let range = PriceColumn.name(at: reader.position, in: bytes), let name = Symbol(bytes, in: range),
                names.insert(name).inserted
            else { return false }
            reader.position = range.upperBound
            tickers.append(Ticker(symbol: name))
        }
        return true
    }

    // `next` is the number after the last symbol that changed in this row.
    private mutating func readChange(
        _ next: inout Int, _ reader: inout ByteReader, _ bytes: Span<UInt8>
    ) -> Bool {
        guard let code = reader.variable(bytes), code &>> 2 < UInt64(tickers.count - next) else { return false }
        let number = next + Int(code &>> 2)
        next = number + 1
        let before = tickers[number].last
        switch code & 3 {
        case OpenRows.Kind.price:
            guard let before else { return false }
            return setPrice(of: number, after: before.mantissa, scale: before.scale, &reader, bytes)
        case OpenRows.Kind.scale:
            guard let scale = reader.fixed(1, bytes), scale <= UInt64(Price.maximumScale) else { return false }
            let base = before.map { OpenRows.base($0.mantissa, scale: $0.scale, at: UInt8(scale)) }
            return setPrice(of: number, after: base ?? 0, scale: UInt8(scale), &reader, bytes)
        case OpenRows.Kind.none:
            tickers[number].last = nil
            return before != nil
        default: return false
        }
    }

    private mutating func setPrice(
        of number: Int, after base: Int64, scale: UInt8, _ reader: inout ByteReader, _ bytes: Span<UInt8>
    ) -> Bool {
        guard let difference = reader.variable(bytes) else { return false }
        let mantissa = base &+ Int64(zigzag: difference)
        tickers[number].last = Price(mantissa: mantissa, scale: scale)
        return mantissa > 0
    }
}
