package import Market

/// A price and when it was received.
package struct Sample: Equatable, Sendable {
    package let time: Instant
    package let price: Price

    package init(time: Instant, price: Price) {
        self.time = time
        self.price = price
    }
}

/// What a window of time holds.
package struct WindowStatistics: Equatable, Sendable {
    package let count: Int
    package let first: Sample
    package let last: Sample
    package let lowest: Sample
    package let highest: Sample
}

/// The last prices of every symbol, in memory, with a fixed capacity: the oldest go first.
///
/// ```swift
/// var history = History(HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20))
/// history.append(tickers, at: instant)
/// let day = history.statistics(of: symbol, since: dayBefore)
/// ```
package struct History: Sendable {
    package private(set) var capacity: HistoryCapacity
    /// How many bytes times and prices take now; never more than `capacity.bytes`.
    package private(set) var byteCount = 0
    /// How many polls are kept now.
    package private(set) var pollCount = 0

    private var symbols = SymbolTable()
    private var blocks: [Block] = []
    /// The numbers of the symbols of the poll being appended, by place; kept so that a poll allocates nothing.
    private var numbers: [Int] = []

    package init(_ capacity: HistoryCapacity) {
        self.capacity = capacity
    }

    /// When the oldest poll that is kept was received.
    package var oldest: Instant? { blocks.first?.times.first }

    /// Keeps the last price of each ticker that has one greater than 0.
    package mutating func append(_ tickers: [Ticker], at time: Instant) {
        numbers.removeAll(keepingCapacity: true)
        for place in tickers.indices {
            let isUsable = tickers[place].last?.isPositive ?? false
            numbers.append(isUsable ? symbols.number(of: tickers[place].symbol, at: place) ?? -1 : -1)
        }
        guard numbers.contains(where: { $0 >= 0 }) else { return }
        beginRow(at: time)
        byteCount -= blocks[blocks.count - 1].byteCount
        for place in tickers.indices {
            guard numbers[place] >= 0, let price = tickers[place].last else { continue }
            blocks[blocks.count - 1].set(price, symbol: numbers[place])
        }
        byteCount += blocks[blocks.count - 1].byteCount
        dropOldest(toFit: 0)
    }

    /// Changes how much is kept; what is too much goes at once.
    package mutating func setCapacity(_ capacity: HistoryCapacity) {
        self.capacity = capacity
        dropOldest(toFit: 0)
    }

    private mutating func beginRow(at time: Instant) {
        let count = symbols.symbols.count
        if blocks.last.map({ mustEnd($0, symbols: count) }) ?? true { appendBlock(symbols: count) }
        blocks[blocks.count - 1].beginRow(at: time)
        pollCount += 1
    }

    /// A block ends when it is full, when a symbol has no column in it, or when wild prices have made it large.
    private func mustEnd(_ block: Block, symbols count: Int) -> Bool {
        block.isFull || count > block.symbolCapacity
            || block.exceptionCount * Block.bytesPerException > capacity.bytes / 8
    }

    /// Symbols that are listed while a block is filled need a new block; some spare columns make that rare.
    private mutating func appendBlock(symbols count: Int) {
        let columns = (count + 64) / 64 * 64
        let rowBytes = Block.byteCount(rows: 1, symbols: columns)
        // At least eight blocks fit, so that dropping one drops little.
        let rows = min(Block.rowLimit, max(1, capacity.bytes / 8 / rowBytes))
        dropOldest(toFit: Block.byteCount(rows: rows, symbols: columns))
        let block = Block(rowCapacity: rows, symbolCapacity: columns)
        byteCount += block.byteCount
        blocks.append(block)
    }

    private mutating func dropOldest(toFit bytes: Int) {
        while let first = blocks.first,
            byteCount + bytes > capacity.bytes || blocks.count > 1 && pollCount - first.rowCount >= capacity.polls
        {
            byteCount -= first.byteCount
            pollCount -= first.rowCount
            blocks.removeFirst()
        }
    }
}

extension History {
    /// The samples of a symbol from `start` on, oldest first; none for a symbol that was never seen.
    ///
    /// - Parameters:
    ///   - symbol: of which market.
    ///   - start: on the wall clock; a sample received then belongs to it.
    ///   - body: called with each sample.
    package func forEachSample(of symbol: Symbol, since start: WallTime, _ body: (Sample) -> Void) {
        guard let number = symbols.number(of: symbol) else { return }
        for block in blocks {
            for (row, time) in block.times.enumerated() where time.wall >= start {
                if let price = block.price(symbol: number, row: row) { body(Sample(time: time, price: price)) }
            }
        }
    }

    /// Lowest, highest, first and last price of a symbol from `start` on; of equal prices the first. Nil when there is
    /// no sample.
    package func statistics(of symbol: Symbol, since start: WallTime) -> WindowStatistics? {
        var result: WindowStatistics?
        forEachSample(of: symbol, since: start) { sample in
            guard let before = result else {
                result = WindowStatistics(count: 1, first: sample, last: sample, lowest: sample, highest: sample)
                return
            }
            result = WindowStatistics(
                count: before.count + 1, first: before.first, last: sample,
                lowest: sample.price < before.lowest.price ? sample : before.lowest,
                highest: sample.price > before.highest.price ? sample : before.highest)
        }
        return result
    }
}
