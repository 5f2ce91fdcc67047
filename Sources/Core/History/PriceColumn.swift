internal import Market

/// The prices of one symbol in a block: a summary that needs no decoding, and the parameters for decoding them.
///
/// Any bytes decode to some prices: decoding never fails and never reads out of bounds. Prices are at the common scale
/// of the column, which makes them fast to compare; ``written(_:)`` restores the digits that they were received with.
struct PriceColumn {
    let rowCount: Int
    let summary: RowSummary

    /// The common scale of all prices, or ``BlockFormat/ownScales`` if each price has its own.
    let scale: UInt8
    private let leastScale: UInt8
    fileprivate let parameter: Int
    fileprivate let tick: Int64
    /// The byte offset of the bits.
    fileprivate let bits: Int

    /// Returns the byte range of the name at the start of a column, or nil if the bytes end too early.
    static func name(at position: Int, in bytes: Span<UInt8>) -> Range<Int>? {
        guard position >= 0, position < bytes.count else { return nil }
        let count = Int(bytes[position])
        guard count <= bytes.count - position - 1 else { return nil }
        return position + 1..<position + 1 + count
    }

    /// Reads everything before the bits. Returns nil if it is invalid.
    init?(at position: Int, in bytes: Span<UInt8>, rows: Int) {
        guard let name = Self.name(at: position, in: bytes) else { return nil }
        var reader = ByteReader(position: name.upperBound)
        guard let form = reader.fixed(2, bytes), let missing = reader.row(bytes, below: rows),
            let firstRow = reader.row(bytes, below: rows), let after = reader.row(bytes, below: rows),
            let lowestRow = reader.row(bytes, below: rows), let highestRow = reader.row(bytes, below: rows),
            let tick = reader.variable(bytes)
        else { return nil }
        rowCount = rows
        scale = UInt8(form & 31)
        leastScale = UInt8(form >> 5 & 31)
        parameter = Int(form >> 10)
        self.tick = Int64(bitPattern: tick)
        guard scale <= Price.maximumScale || scale == BlockFormat.ownScales else { return nil }
        let prices = scale == BlockFormat.ownScales ? reader.prices(bytes) : reader.prices(bytes, scale, tick)
        guard let prices else { return nil }
        summary = RowSummary(
            count: rows - missing, first: RowSummary.Place(row: firstRow, price: prices.first),
            last: RowSummary.Place(row: rows - 1 - after, price: prices.last),
            lowest: RowSummary.Place(row: lowestRow, price: prices.lowest),
            highest: RowSummary.Place(row: highestRow, price: prices.highest))
        bits = reader.position
    }

    /// Returns the price with the digits that it was received with.
    func written(_ price: Price) -> Price {
        guard scale != BlockFormat.ownScales else { return price }
        var (mantissa, scale) = (price.mantissa, price.scale)
        while scale > leastScale {
            let (quotient, rest) = mantissa.quotientAndRemainder(dividingBy: 10)
            guard rest == 0 else { break }
            (mantissa, scale) = (quotient, scale &- 1)
        }
        return Price(unchecked: mantissa, scale: scale)
    }
}

extension ByteReader {
    fileprivate mutating func row(_ bytes: Span<UInt8>, below limit: Int) -> Int? {
        guard let number = variable(bytes), number < UInt64(limit) else { return nil }
        return Int(number)
    }

    fileprivate typealias Prices = (first: Price, last: Price, lowest: Price, highest: Price)

    fileprivate mutating func prices(_ bytes: Span<UInt8>, _ scale: UInt8, _ tick: UInt64) -> Prices? {
        guard let first = variable(bytes), let fall = variable(bytes), let range = variable(bytes),
            let last = variable(bytes)
        else { return nil }
        let start = Int64(zigzag: first)
        let least = UInt64(bitPattern: start) &- fall &* tick
        let price = { (number: UInt64) in Price(unchecked: Int64(bitPattern: number), scale: scale) }
        return (
            Price(unchecked: start, scale: scale), price(least &+ last &* tick), price(least),
            price(least &+ range &* tick)
        )
    }

    /// Reads four prices, each with its scale.
    fileprivate mutating func prices(_ bytes: Span<UInt8>) -> Prices? {
        guard let first = price(bytes), let last = price(bytes), let lowest = price(bytes), let highest = price(bytes)
        else { return nil }
        return (first, last, lowest, highest)
    }

    private mutating func price(_ bytes: Span<UInt8>) -> Price? {
        guard let mantissa = variable(bytes), let scale = fixed(1, bytes) else { return nil }
        return Price(mantissa: Int64(zigzag: mantissa), scale: UInt8(scale))
    }
}

/// A decoder of a column, group by group, from the first group on.
struct PriceDecoder {
    /// The prices of one group, without gaps, as mantissas. Elements past the number of prices are undefined.
    typealias Group = InlineArray<64, Int64>

    /// The scales of the prices in the last group read.
    private(set) var scales: InlineArray<64, UInt8>
    private let column: PriceColumn
    private var reader: BitReader
    private var mantissa: Int64
    private var lastScale: UInt8

    init(_ column: PriceColumn) {
        self.column = column
        reader = BitReader(position: column.bits * 8)
        mantissa = column.summary.first.price.mantissa
        lastScale = column.summary.first.price.scale
        scales = InlineArray(repeating: column.summary.first.price.scale)
    }

    /// Reads the prices of the next group, which has `rows` rows.
    ///
    /// - Returns: a mask of the rows with a price.
    @inline(__always)
    mutating func read(rows: Int, from bytes: Span<UInt8>, into prices: inout Group) -> UInt64 {
        let present = column.summary.count == column.rowCount ? .ones(rows) : reader.readMask(rows, from: bytes)
        let count = present.nonzeroBitCount
        var changed = reader.readMask(count, from: bytes)
        let (tick, parameter) = (column.tick, column.parameter)
        // Two loops, first the changes, then their sums, because a branch on whether a price changed would be
        // mispredicted.
        for place in 0..<count { prices[place] = 0 }
        while changed != 0 {
            let ticks = Int64(zigzag: reader.readRice(parameter: parameter, from: bytes) &+ 1)
            prices[changed.trailingZeroBitCount & 63] = ticks &* tick
            changed &= changed &- 1
        }
        var mantissa = mantissa
        for place in 0..<count {
            mantissa &+= prices[place]
            prices[place] = mantissa
        }
        self.mantissa = mantissa
        if column.scale == BlockFormat.ownScales { readScales(count: count, from: bytes) }
        return present
    }

    private mutating func readScales(count: Int, from bytes: Span<UInt8>) {
        let changed = reader.readMask(count, from: bytes)
        var scale = lastScale
        for place in 0..<count {
            if changed &>> UInt64(place) & 1 != 0 {
                scale = min(UInt8(reader.read(5, from: bytes)), Price.maximumScale)
            }
            scales[place] = scale
        }
        lastScale = scale
    }
}
