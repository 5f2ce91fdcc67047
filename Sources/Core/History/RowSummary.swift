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
    private var count = 0
    private var (firstRow, lastRow, lowestRow, highestRow) = (0, 0, 0, 0)
    private var (first, last) = (Digits(), Digits())
    private var (lowest, highest) = (Digits(), Digits())

    /// Adds the price of a later row; it is most often the same as the last.
    @inline(__always)
    mutating func add(_ digits: Digits, row: Int) {
        if count == 0 {
            (firstRow, lowestRow, highestRow) = (row, row, row)
            (first, lowest, highest) = (digits, digits, digits)
        } else if digits.mantissa == last.mantissa && digits.scale == last.scale {
            count &+= 1
            lastRow = row
            return
        } else if digits.isBelow(lowest) {
            (lowestRow, lowest) = (row, digits)
        } else if highest.isBelow(digits) {
            (highestRow, highest) = (row, digits)
        }
        count &+= 1
        (lastRow, last) = (row, digits)
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
        self.count = before &+ count
    }

    /// Nil when nothing was added.
    var summary: RowSummary? {
        guard count > 0 else { return nil }
        return RowSummary(
            count: count, first: RowSummary.Place(row: firstRow, price: first.price),
            last: RowSummary.Place(row: lastRow, price: last.price),
            lowest: RowSummary.Place(row: lowestRow, price: lowest.price),
            highest: RowSummary.Place(row: highestRow, price: highest.price))
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
