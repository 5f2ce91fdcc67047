package import Market
internal import Time

/// A summary of one symbol in a block.
package struct SymbolSummary: Equatable, Sendable {
    package let symbol: Symbol
    /// The number of prices.
    package let count: Int
    /// The sample of the first row with a price.
    package let first: Sample
    /// The sample of the last row with a price.
    package let last: Sample
    package let lowest: Price
    package let highest: Price
}

extension HistoryBlock {
    /// The summaries of all symbols, sorted by symbol, made without decoding a price.
    package var summaries: [SymbolSummary] {
        (0..<symbolCount).compactMap { number in
            guard let symbol = symbol(ofColumn: number), let column = column(number) else { return nil }
            let sample = { (place: RowSummary.Place) in
                Sample(time: WallTime(milliseconds: time(ofRow: place.row)), price: column.written(place.price))
            }
            let summary = column.summary
            return SymbolSummary(
                symbol: symbol, count: summary.count, first: sample(summary.first), last: sample(summary.last),
                lowest: column.written(summary.lowest.price), highest: column.written(summary.highest.price))
        }
    }

    /// The symbols, sorted.
    var symbols: [Symbol] { (0..<symbolCount).compactMap { symbol(ofColumn: $0) } }

    func time(ofRow row: Int) -> Int64 { times.time(ofRow: row, in: bytes.span) }

    var allTimes: [Int64] {
        var result: [Int64] = []
        var times = TimeColumn.Group(repeating: 0)
        for group in 0..<BlockFormat.groupCount(rows: rowCount) {
            self.times.read(group, from: bytes.span, into: &times)
            for row in 0..<BlockFormat.rows(ofGroup: group, of: rowCount) { result.append(times[row]) }
        }
        return result
    }

    /// Calls the body with the prices of a column in the given rows, at the column's scale.
    @inline(__always)
    func forEachPrice(of column: PriceColumn, in rows: Range<Int>, _ body: (_ row: Int, _ digits: Digits) -> Void) {
        let bytes = bytes.span
        var decoder = PriceDecoder(column)
        var prices = PriceDecoder.Group(repeating: 0)
        for group in 0..<BlockFormat.groupCount(rows: min(rows.upperBound, rowCount)) {
            let count = BlockFormat.rows(ofGroup: group, of: rowCount)
            var present = decoder.read(rows: count, from: bytes, into: &prices)
            let start = group &* BlockFormat.groupSize
            guard start &+ count > rows.lowerBound else { continue }
            var place = 0
            while present != 0 {
                let row = start &+ present.trailingZeroBitCount
                if rows.contains(row) {
                    body(row, Digits(mantissa: prices[place & 63], scale: decoder.scales[place & 63]))
                }
                place &+= 1
                present &= present &- 1
            }
        }
    }

    /// Calls the body with the samples of a column in the given rows. Prices have the digits that they were received
    /// with.
    @inline(__always)
    func forEachSample(of column: PriceColumn, in rows: Range<Int>, _ body: (Sample) -> Void) {
        let bytes = bytes.span
        var times = TimeColumn.Group(repeating: 0)
        var group = -1
        var written = column.written(column.summary.first.price)
        var before = Digits(mantissa: column.summary.first.price.mantissa, scale: column.summary.first.price.scale)
        forEachPrice(of: column, in: rows) { row, digits in
            if row / BlockFormat.groupSize != group {
                group = row / BlockFormat.groupSize
                self.times.read(group, from: bytes, into: &times)
            }
            if digits.mantissa != before.mantissa || digits.scale != before.scale {
                (before, written) = (digits, column.written(digits.price))
            }
            body(Sample(time: WallTime(milliseconds: times[row % BlockFormat.groupSize]), price: written))
        }
    }

    /// Summarizes the given rows of a column.
    ///
    /// - Returns: nil if the rows have no price.
    func summary(of column: PriceColumn, in rows: Range<Int>) -> RowSummary? {
        if let summary = summaryOfEnd(of: column, in: rows) { return summary }
        var builder = RowSummaryBuilder()
        guard column.scale != BlockFormat.ownScales else {
            forEachPrice(of: column, in: rows) { row, digits in builder.add(digits, row: row) }
            return builder.summary
        }
        let bytes = bytes.span
        var decoder = PriceDecoder(column)
        var prices = PriceDecoder.Group(repeating: 0)
        for group in 0..<BlockFormat.groupCount(rows: min(rows.upperBound, rowCount)) {
            let start = group * BlockFormat.groupSize
            let count = BlockFormat.rows(ofGroup: group, of: rowCount)
            let present = decoder.read(rows: count, from: bytes, into: &prices)
            let wanted = UInt64.ones(rows.upperBound - start) & ~.ones(rows.lowerBound - start)
            builder.add(prices, scale: column.scale, present: present, wanted: wanted, start: start)
        }
        return builder.summary
    }

    /// Summarizes rows without decoding any after the first. This is possible if they extend to the end of the block,
    /// every row of the block has a price, and the extremes of the block are among them: then only the first price is
    /// unknown. Returns nil otherwise.
    private func summaryOfEnd(of column: PriceColumn, in rows: Range<Int>) -> RowSummary? {
        var summary = column.summary
        let start = rows.lowerBound
        guard rows.upperBound == rowCount, start < rowCount, summary.count == rowCount,
            min(summary.lowest.row, summary.highest.row) >= start
        else { return nil }
        forEachPrice(of: column, in: start..<start + 1) { row, digits in
            summary.first = RowSummary.Place(row: row, price: digits.price)
        }
        summary.count = rowCount - start
        return summary
    }

    /// Returns the prices of a column, row by row; nil for a row without one.
    func prices(of column: PriceColumn) -> [Price?] {
        var prices = [Price?](repeating: nil, count: rowCount)
        forEachPrice(of: column, in: 0..<rowCount) { row, digits in prices[row] = column.written(digits.price) }
        return prices
    }

    /// The prices of each symbol, row by row.
    var decodedColumns: [(symbol: Symbol, prices: [Price?])] {
        (0..<symbolCount).compactMap { number in
            guard let symbol = symbol(ofColumn: number), let column = column(number) else { return nil }
            return (symbol, prices(of: column))
        }
    }

    /// Calls the body with each row in order, as the tickers of a response.
    func forEachRow(_ body: (_ time: WallTime, _ tickers: [Ticker]) -> Void) {
        let columns = decodedColumns
        for (row, time) in allTimes.enumerated() {
            let tickers = columns.compactMap { column in
                column.prices[row].map { Ticker(symbol: column.symbol, last: $0) }
            }
            body(WallTime(milliseconds: time), tickers)
        }
    }
}
