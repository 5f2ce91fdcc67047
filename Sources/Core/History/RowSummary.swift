internal import Market

/// A summary of one symbol over some rows with at least one price. Of equal extremes, the first one counts.
struct RowSummary {
    struct Place {
        var row: Int
        /// The price at the scale of the block.
        var price: Price
    }

    var count: Int
    var first: Place
    var last: Place
    var lowest: Place
    var highest: Place
}

/// A builder of a ``RowSummary``, row by row.
struct RowSummaryBuilder {
    // A poll updates one builder per symbol, so a builder is small. 16 bits are enough: a block has at most 512 rows.
    private var (count, firstRow, lastRow, lowestRow, highestRow): (UInt16, UInt16, UInt16, UInt16, UInt16) =
        (0, 0, 0, 0, 0)
    private var (firstScale, lastScale, lowestScale, highestScale): (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
    private var (first, last, lowest, highest): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)

    /// Adds the price of a later row, which usually equals the last price.
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

    /// Adds the wanted rows of a group. Its prices must be at one scale and without gaps.
    @inline(__always)
    mutating func add(
        _ prices: InlineArray<64, Int64>, scale: UInt8, present: UInt64, wanted: UInt64, start: Int
    ) {
        let count = (present & wanted).nonzeroBitCount
        guard count > 0 else { return }
        // The wanted prices are consecutive because the wanted rows are.
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
            add(Digits(mantissa: prices[place & 63], scale: scale), row: start + present.positionOfSetBit(place))
        }
        self.count = before &+ UInt16(truncatingIfNeeded: count)
    }

    /// Nil if nothing was added.
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

/// A price for loops over rows. It is declared in this module because calls into other modules are not inlined.
struct Digits {
    var mantissa: Int64 = 0
    var scale: UInt8 = 0

    var price: Price { Price(unchecked: mantissa, scale: scale) }

    /// Compares like `<`, but fast if both have the same scale, or if both fit in 64 bits at the greater scale.
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
    /// Compares like `<`, but fast if both have the same scale.
    @inline(__always)
    func isBelow(_ other: Price) -> Bool {
        scale == other.scale ? mantissa < other.mantissa : self < other
    }
}
