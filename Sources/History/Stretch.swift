internal import Market

/// The samples of one symbol in one block, sealed or open. Prices are at the block's own scale until they are written.
enum Stretch {
    case sealed(HistoryBlock, PriceColumn)
    case open(OpenBlock, symbol: Int)

    /// The first row whose time is not before the given one; only where times never go back.
    func firstRow(notBefore time: Int64) -> Int {
        switch self {
        case .sealed(let block, _):
            if time <= block.oldest.milliseconds { return 0 }
            if time > block.newest.milliseconds { return block.rowCount }
            return block.times.firstRow(notBefore: time, in: block.bytes.span)
        case .open(let block, _): return block.firstRow(notBefore: time)
        }
    }

    /// The rows of a window; only where times never go back.
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

    func written(_ price: Price) -> Price {
        switch self {
        case .sealed(_, let column): column.written(price)
        case .open: price
        }
    }

    @inline(__always)
    func forEachPrice(in rows: Range<Int>, _ body: (_ row: Int, _ price: Price) -> Void) {
        switch self {
        case .sealed(let block, let column): block.forEachPrice(of: column, in: rows, body)
        case .open(let block, let symbol): block.forEachPrice(of: symbol, in: rows, body)
        }
    }

    /// Prices as they were written.
    @inline(__always)
    func forEachSample(in rows: Range<Int>, _ body: (Sample) -> Void) {
        switch self {
        case .sealed(let block, let column): block.forEachSample(of: column, in: rows, body)
        case .open(let block, let symbol):
            block.forEachPrice(of: symbol, in: rows) { row, price in
                body(Sample(time: WallTime(milliseconds: block.times[row]), price: price))
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
    /// Calls the body with the prices of the symbol of the given number in the given rows.
    @inline(__always)
    func forEachPrice(of symbol: Int, in rows: Range<Int>, _ body: (_ row: Int, _ price: Price) -> Void) {
        let start = symbol * rowCapacity
        for row in rows where start + row < scales.count && scales[start + row] != PriceColumnEncoder.absent {
            body(row, Price(unchecked: mantissas[start + row], scale: scales[start + row]))
        }
    }

    /// The first row whose time is not before the given one; only where times never go back.
    func firstRow(notBefore time: Int64) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
