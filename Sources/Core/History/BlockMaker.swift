internal import Market
internal import Time

/// A builder of blocks from the rows of an existing block and new samples, merged in order of time.
struct BlockMaker {
    private(set) var blocks: [HistoryBlock] = []
    private let rowLimit: Int
    private var nextID: Int64
    private var open: OpenBlock

    init(rowLimit: Int, firstID: Int64) {
        self.rowLimit = rowLimit
        nextID = firstID
        open = OpenBlock(rowCapacity: rowLimit)
    }

    /// Adds the rows of the block and the samples, which must be in order of time, and finishes the last block.
    mutating func add(_ block: HistoryBlock?, _ samples: ArraySlice<SymbolSample>) {
        let times = block?.allTimes ?? []
        let columns = block?.decodedColumns ?? []
        var rows = times.indices.sorted { times[$0] < times[$1] }[...]
        var rest = samples
        while let time = [rows.first.map { times[$0] }, rest.first?.time.milliseconds].compactMap({ $0 }).min() {
            beginRow(at: time)
            if let row = rows.first, times[row] == time {
                for (place, column) in columns.enumerated() {
                    if let price = column.prices[row] { set(price, of: column.symbol, at: place) }
                }
                rows.removeFirst()
            }
            while let sample = rest.first, sample.time.milliseconds == time {
                // The position is no hint here, so the symbol table looks the symbol up by name.
                set(sample.price, of: sample.symbol, at: .max)
                rest.removeFirst()
            }
        }
        finish()
    }

    private mutating func beginRow(at time: Int64) {
        if open.isFull { finish() }
        open.beginRow(at: time)
    }

    private mutating func set(_ price: Price, of symbol: Symbol, at place: Int) {
        if let number = open.number(of: symbol, at: place) { return open.set(price, symbol: number) }
        // The block has the maximum number of symbols; the rest of the row goes into the next block.
        let time = open.newest
        finish()
        open.beginRow(at: time)
        if let number = open.number(of: symbol, at: place) { open.set(price, symbol: number) }
    }

    private mutating func finish() {
        if let block = open.encoded(rows: 0..<open.rowCount, id: nextID) {
            blocks.append(block)
            nextID += 1
        }
        open = OpenBlock(rowCapacity: rowLimit)
    }
}
