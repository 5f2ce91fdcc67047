internal import Market

/// A summary of one symbol over some rows with at least one price. Among equal prices the first is the lowest or
/// highest.
struct RowSummary {
    struct Place {
        var row: Int
        /// At the scale of the block.
        var price: Price
    }

    var count: Int
    var first: Place
    var last: Place
    var lowest: Place
    var highest: Place
}

/// Gathers a ``RowSummary`` row by row.
struct RowSummaryBuilder {
    // A poll changes one for each symbol, so they are small. A block has at most 512 rows.
    private var (count, firstRow, lastRow, lowestRow, highestRow): (UInt16, UInt16, UInt16, UInt16, UInt16) =
        (0, 0, 0, 0, 0)
    private var (firstScale, lastScale, lowestScale, highestScale): (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
    private var (first, last, lowest, highest): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)

    /// Adds the price of a later row; it is most often the same as the last.
    @inline(__always)
    mutating func add(_ digits: Digits, row: Int) {
        let row = UInt16(truncatingIfNeeded: row)
        if count == 0 {
            (firstRow, lowestRow, highestRow) = (row, row, row)
            (first, lowest, highest) = (digits.mantissa, digits.mantissa, digits.mantissa)
            (firstScale, lowestScale, highestScale) = (digits.scale, digits.scale, digits.scale)
        } else if digits.mantissa == last && digits.scale == lastScale {
            count &+= 1
            lastRow = row
            return
        } else if digits.isBelow(Digits(mantissa: lowest, scale: lowestScale)) {
            (lowestRow, lowest, lowestScale) = (row, digits.mantissa, digits.scale)
        } else if Digits(mantissa: highest, scale: highestScale).isBelow(digits) {
            (highestRow, highest, highestScale) = (row, digits.mantissa, digits.scale)
        }
        count &+= 1
        (lastRow, last, lastScale) = (row, digits.mantissa, digits.scale)
    }

    /// Adds the wanted rows of a group, whose prices are at one scale and without gaps.
    @inline(__always)
    mutating func add(
        _ prices: InlineArray<64, Int64>, scale: UInt8, present: UInt64, wanted: UInt64, start: Int
    ) {
        let count = (present & wanted).nonzeroBitCount
        guard count > 0 else { return }
        // The wanted ones are consecutive, because the rows are.
        let begin = (present & .ones(wanted.trailingZeroBitCount)).nonzeroBitCount
        var (low, high) = (begin, begin)
        var (lowPrice, highPrice) = (prices[begin & 63], prices[begin & 63])
        for place in begin..<begin &+ count {
            let price = prices[place & 63]
            if price < lowPrice { (low, lowPrice) = (place, price) }
            if price > highPrice { (high, highPrice) = (place, price) }
        }
        let end = begin &+ count &- 1
        let before = self.count
        for place in [begin, min(low, high), max(low, high), end] {
            add(Digits(mantissa: prices[place & 63], scale: scale), row: start + present.placeOfOne(place))
        }
        self.count = before &+ UInt16(truncatingIfNeeded: count)
    }

    /// Nil when nothing was added.
    var summary: RowSummary? {
        guard count > 0 else { return nil }
        return RowSummary(
            count: Int(count), first: Self.place(firstRow, first, firstScale),
            last: Self.place(lastRow, last, lastScale), lowest: Self.place(lowestRow, lowest, lowestScale),
            highest: Self.place(highestRow, highest, highestScale))
    }

    private static func place(_ row: UInt16, _ mantissa: Int64, _ scale: UInt8) -> RowSummary.Place {
        RowSummary.Place(row: Int(row), price: Digits(mantissa: mantissa, scale: scale).price)
    }
}

/// A price for the loops over rows, which must stay in this module: calls into another one are not inlined.
struct Digits {
    var mantissa: Int64 = 0
    var scale: UInt8 = 0

    var price: Price { Price(unchecked: mantissa, scale: scale) }

    /// `<` that is quick where both have the same scale, and where both fit 64 bits at the greater one.
    @inline(__always)
    func isBelow(_ other: Digits) -> Bool {
        if scale == other.scale { return mantissa < other.mantissa }
        if let left = rescaled(to: other.scale) { return left < other.mantissa }
        if let right = other.rescaled(to: scale) { return mantissa < right }
        return price < other.price
    }

    private func rescaled(to greater: UInt8) -> Int64? {
        guard greater > scale else { return nil }
        var result = mantissa
        for _ in scale..<greater {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
        }
        return result
    }
}

extension Price {
    /// `<` that is quick where both have the same scale.
    @inline(__always)
    func isBelow(_ other: Price) -> Bool {
        scale == other.scale ? mantissa < other.mantissa : self < other
    }
}
