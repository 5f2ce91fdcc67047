package import Market

/// What a block holds of one symbol.
package struct SymbolSummary: Equatable, Sendable {
    package let symbol: Symbol
    package let count: Int
    package let first: Sample
    package let last: Sample
    package let lowest: Price
    package let highest: Price
}

extension HistoryBlock {
    /// What it holds of each symbol, by name, without decoding any price.
    package var summaries: [SymbolSummary] {
        (0..<symbolCount).compactMap { number in
            guard let symbol = symbol(ofColumn: number), let column = column(number) else { return nil }
            let sample = { (row: Int, price: Price) in
                Sample(time: WallTime(milliseconds: time(ofRow: row)), price: column.written(price))
            }
            return SymbolSummary(
                symbol: symbol, count: column.count, first: sample(column.firstRow, column.first),
                last: sample(column.lastRow, column.last), lowest: column.written(column.lowest),
                highest: column.written(column.highest))
        }
    }

    func time(ofRow row: Int) -> Int64 { times.time(ofRow: row, in: bytes.span) }

    /// The times of all rows.
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
    func forEachPrice(of column: PriceColumn, in rows: Range<Int>, _ body: (_ row: Int, _ price: Price) -> Void) {
        let bytes = bytes.span
        var decoder = PriceDecoder(column)
        var prices = PriceDecoder.Group(repeating: .zero)
        for group in 0..<BlockFormat.groupCount(rows: min(rows.upperBound, rowCount)) {
            let count = BlockFormat.rows(ofGroup: group, of: rowCount)
            var present = decoder.read(rows: count, from: bytes, into: &prices)
            let start = group &* BlockFormat.groupSize
            guard start &+ count > rows.lowerBound else { continue }
            var place = 0
            while present != 0 {
                let row = start &+ present.trailingZeroBitCount
                if rows.contains(row) { body(row, prices[place & 63]) }
                place &+= 1
                present &= present &- 1
            }
        }
    }

    /// Calls the body with the samples of a column in the given rows, the prices as they were written.
    @inline(__always)
    func forEachSample(of column: PriceColumn, in rows: Range<Int>, _ body: (Sample) -> Void) {
        let bytes = bytes.span
        var times = TimeColumn.Group(repeating: 0)
        var group = -1
        var (before, written) = (column.first, column.written(column.first))
        forEachPrice(of: column, in: rows) { row, price in
            if row / BlockFormat.groupSize != group {
                group = row / BlockFormat.groupSize
                self.times.read(group, from: bytes, into: &times)
            }
            if price.mantissa != before.mantissa || price.scale != before.scale {
                (before, written) = (price, column.written(price))
            }
            body(Sample(time: WallTime(milliseconds: times[row % BlockFormat.groupSize]), price: written))
        }
    }

    /// The prices of a column, row by row.
    func prices(of column: PriceColumn) -> [Price?] {
        var prices = [Price?](repeating: nil, count: rowCount)
        forEachPrice(of: column, in: 0..<rowCount) { row, price in prices[row] = column.written(price) }
        return prices
    }

    /// The rows as responses, in their order.
    func forEachRow(_ body: (_ time: WallTime, _ tickers: [Ticker]) -> Void) {
        let columns = (0..<symbolCount).compactMap { number -> (symbol: Symbol, prices: [Price?])? in
            guard let symbol = symbol(ofColumn: number), let column = column(number) else { return nil }
            return (symbol, prices(of: column))
        }
        for (row, time) in allTimes.enumerated() {
            let tickers = columns.compactMap { column in
                column.prices[row].map { Ticker(symbol: column.symbol, last: $0) }
            }
            body(WallTime(milliseconds: time), tickers)
        }
    }
}
