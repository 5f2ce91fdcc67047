internal import Market
internal import Time

/// The samples of one symbol in one block, sealed or open. Prices are at the scale of the block until ``written(_:)``
/// converts them.
enum BlockSymbol {
    case sealed(HistoryBlock, PriceColumn)
    case open(OpenBlock, symbol: Int)

    /// Returns the first row at or after the given time. The rows must be in order of time.
    func firstRow(notBefore time: Int64) -> Int {
        switch self {
        case .sealed(let block, _):
            if time <= block.oldest.milliseconds { return 0 }
            if time > block.newest.milliseconds { return block.rowCount }
            return block.times.firstRow(notBefore: time, in: block.bytes.span)
        case .open(let block, _): return block.firstRow(notBefore: time)
        }
    }

    /// Returns the rows of a window. The rows must be in order of time.
    func rows(in window: Range<Int64>) -> Range<Int> {
        let start = firstRow(notBefore: window.lowerBound)
        return start..<max(start, firstRow(notBefore: window.upperBound))
    }

    func time(ofRow row: Int) -> Int64 {
        switch self {
        case .sealed(let block, _): block.time(ofRow: row)
        case .open(let block, _): block.times[row]
        }
    }

    func sample(_ place: RowSummary.Place) -> Sample {
        Sample(time: WallTime(milliseconds: time(ofRow: place.row)), price: written(place.price))
    }

    func written(_ price: Price) -> Price {
        switch self {
        case .sealed(_, let column): column.written(price)
        case .open: price
        }
    }

    /// Summarizes the samples in a window, without decoding a sealed block that is entirely inside it.
    ///
    /// - Returns: nil if the window has no sample.
    func summary(in window: Range<Int64>) -> RowSummary? {
        switch self {
        case .sealed(let block, let column):
            let isWhole =
                block.oldest.milliseconds >= window.lowerBound && block.newest.milliseconds < window.upperBound
            return isWhole ? column.summary : block.summary(of: column, in: rows(in: window))
        case .open(let block, let symbol):
            guard symbol < block.summaries.count else { return nil }
            let isWhole = block.oldest >= window.lowerBound && block.newest < window.upperBound
            return isWhole ? block.summaries[symbol].summary : block.summary(of: symbol, in: rows(in: window))
        }
    }

    /// Calls the body with each sample; prices have the digits that they were received with.
    @inline(__always)
    func forEachSample(in rows: Range<Int>, _ body: (Sample) -> Void) {
        switch self {
        case .sealed(let block, let column): block.forEachSample(of: column, in: rows, body)
        case .open(let block, let symbol):
            block.forEachPrice(of: symbol, in: rows) { row, digits in
                body(Sample(time: WallTime(milliseconds: block.times[row]), price: digits.price))
            }
        }
    }

    var rowCount: Int {
        switch self {
        case .sealed(let block, _): block.rowCount
        case .open(let block, _): block.rowCount
        }
    }
}

extension OpenBlock {
    /// Calls the body with each price of the symbol with the given number in the given rows.
    @inline(__always)
    func forEachPrice(of symbol: Int, in rows: Range<Int>, _ body: (_ row: Int, _ digits: Digits) -> Void) {
        guard symbol < stride, rows.upperBound <= rowCount else { return }
        let (mantissas, scales) = (mantissas.span, scales.span)
        for row in rows where scales[row &* stride &+ symbol] != PriceColumnEncoder.absent {
            let index = row &* stride &+ symbol
            body(row, Digits(mantissa: mantissas[index], scale: scales[index]))
        }
    }

    /// Summarizes the given rows of the symbol with the given number. Returns nil if it has no price in them.
    func summary(of symbol: Int, in rows: Range<Int>) -> RowSummary? {
        var builder = RowSummaryBuilder()
        forEachPrice(of: symbol, in: rows) { row, digits in builder.add(digits, row: row) }
        return builder.summary
    }

    /// Returns the first row at or after the given time. The rows must be in order of time.
    func firstRow(notBefore time: Int64) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
