internal import Market

/// The block to which polls are appended. It is not compressed, because each poll adds a price to every column.
struct OpenBlock {
    let rowCapacity: Int
    private(set) var symbols = SymbolTable()
    private(set) var times: [Int64] = []
    private(set) var oldest = Int64.max
    private(set) var newest = Int64.min
    private(set) var isSorted = true
    /// The number of slots in a row. Some have no symbol yet.
    private(set) var stride: Int
    /// The mantissas row by row, so that a poll touches few pages. The price of symbol number s in row r is at r ×
    /// ``stride`` + s. Some future rows are already allocated.
    private(set) var mantissas: [Int64] = []
    /// The scales, in the same layout; ``PriceColumnEncoder/absent`` if there is no price.
    private(set) var scales: [UInt8] = []
    /// A summary of all rows for each symbol, kept up to date because most windows end with the newest price.
    private(set) var summaries: [RowSummaryBuilder] = []

    static let bytesPerPrice = 9
    /// The bytes by which the columns grow at a time. Growing by a page with each poll would cost the kernel several
    /// times as much per page.
    private static let growth = 64 << 10

    init(rowCapacity: Int, symbolCapacity: Int = 0) {
        self.rowCapacity = rowCapacity
        stride = symbolCapacity
        mantissas.reserveCapacity(rowCapacity * symbolCapacity)
        scales.reserveCapacity(rowCapacity * symbolCapacity)
        times.reserveCapacity(rowCapacity)
    }

    var rowCount: Int { times.count }
    var isFull: Bool { times.count == rowCapacity }
    var symbolCount: Int { symbols.symbols.count }

    /// The memory of the columns in bytes. The symbol table is not included; it has a limit of its own.
    var heapByteCount: Int {
        (mantissas.capacity + times.capacity) * 8 + scales.capacity
            + summaries.capacity * MemoryLayout<RowSummaryBuilder>.stride + 4 * HistoryBlock.arrayOverhead
    }

    /// Returns the number of the symbol at the given position of a response, or nil if there are too many symbols.
    mutating func number(of symbol: Symbol, at place: Int) -> Int? {
        symbols.number(of: symbol, at: place)
    }

    /// The memory of the columns of all known symbols when the block is full, in bytes.
    var columnBytes: Int { symbolCount * rowCapacity * Self.bytesPerPrice }

    /// Adds a row; ``isFull`` must be false.
    ///
    /// - Parameters:
    ///   - time: when the response was received.
    ///   - tickers: a whole response.
    ///   - numbers: the symbol numbers of the tickers; negative for a ticker to skip.
    mutating func appendRow(at time: Int64, _ tickers: [Ticker], numbers: [Int]) {
        beginRow(at: time)
        makePlaces()
        Self.write(tickers, numbers, row: times.count - 1, stride, to: &mantissas, &scales, &summaries)
    }

    /// Adds a row without a price; ``isFull`` must be false.
    mutating func beginRow(at time: Int64) {
        isSorted = isSorted && time >= times.last ?? .min
        (oldest, newest) = (min(oldest, time), max(newest, time))
        times.append(time)
        guard stride > 0, mantissas.count < times.count * stride else { return }
        let rows = min(max(1, Self.growth / (stride * Self.bytesPerPrice)), rowCapacity - times.count + 1)
        mantissas.append(contentsOf: repeatElement(0, count: rows * stride))
        scales.append(contentsOf: repeatElement(PriceColumnEncoder.absent, count: rows * stride))
    }

    /// Sets the price of the symbol with the given number in the last row.
    mutating func set(_ price: Price, symbol number: Int) {
        makePlaces()
        let index = (times.count - 1) * stride + number
        mantissas[index] = price.mantissa
        scales[index] = price.scale
        summaries[number].add(Digits(mantissa: price.mantissa, scale: price.scale), row: times.count - 1)
    }

    private static func write(
        _ tickers: [Ticker], _ numbers: [Int], row: Int, _ stride: Int, to mantissas: inout [Int64],
        _ scales: inout [UInt8], _ summaries: inout [RowSummaryBuilder]
    ) {
        var mantissas = mantissas.mutableSpan
        var scales = scales.mutableSpan
        var summaries = summaries.mutableSpan
        for place in tickers.indices where numbers[place] >= 0 {
            guard let price = tickers[place].last else { continue }
            let index = row &* stride &+ numbers[place]
            mantissas[index] = price.mantissa
            scales[index] = price.scale
            summaries[numbers[place]].add(Digits(mantissa: price.mantissa, scale: price.scale), row: row)
        }
    }

    /// Widens the rows if some symbols have no slot in them.
    private mutating func makePlaces() {
        while summaries.count < symbolCount { summaries.append(RowSummaryBuilder()) }
        guard symbolCount > stride else { return }
        // An eighth more than needed, because new listings appear one at a time.
        let wider = symbolCount + symbolCount / 8
        mantissas = widened(mantissas, to: wider, filling: 0)
        scales = widened(scales, to: wider, filling: PriceColumnEncoder.absent)
        stride = wider
    }

    private func widened<Element>(_ rows: [Element], to wider: Int, filling place: Element) -> [Element] {
        var wide: [Element] = []
        wide.reserveCapacity(rowCapacity * wider)
        for row in times.indices {
            wide.append(contentsOf: rows[row * stride..<(row + 1) * stride])
            wide.append(contentsOf: repeatElement(place, count: wider - stride))
        }
        return wide
    }

    /// Returns the price of the symbol with the given number, or nil if the row has none.
    func price(symbol: Int, row: Int) -> Price? {
        guard symbol < stride, row < rowCount else { return nil }
        let index = row * stride + symbol
        return Price(mantissa: mantissas[index], scale: scales[index])
    }

    /// Encodes the rows as a block. Returns nil if they contain no price.
    func encoded(rows: Range<Int>, id: Int64) -> HistoryBlock? {
        guard !rows.isEmpty, rows.upperBound <= rowCount else { return nil }
        var columns: [UInt8] = []
        var offsets: [Int] = []
        var encoder = PriceColumnEncoder()
        columns.reserveCapacity(symbolCount * (40 + rows.count))
        for number in symbols.symbols.indices.sorted(by: { symbols.symbols[$0] < symbols.symbols[$1] }) {
            guard number < stride else { continue }
            let offset = columns.count
            let column = rows.map { $0 * stride + number }
            let hasPrices = encoder.append(
                symbols.symbols[number], mantissas: column.map { mantissas[$0] }[...],
                scales: column.map { scales[$0] }[...], to: &columns)
            if hasPrices { offsets.append(offset) }
        }
        guard !offsets.isEmpty else { return nil }
        return try? HistoryBlock(bytes: assembled(rows: rows, id: id, offsets: offsets, columns: columns))
    }

    private func assembled(rows: Range<Int>, id: Int64, offsets: [Int], columns: [UInt8]) -> [UInt8] {
        let times = times[rows]
        let (oldest, newest) = (times.min() ?? 0, times.max() ?? 0)
        let isSorted = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
        var timeBytes: [UInt8] = []
        TimeColumn.append(times, oldest: oldest, to: &timeBytes)
        let start = BlockFormat.headerCount + offsets.count * BlockFormat.offsetCount + timeBytes.count
        let length = start + columns.count + BlockFormat.checksumCount
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        bytes.append(contentsOf: BlockFormat.magic)
        bytes.append(BlockFormat.version)
        bytes.append(isSorted ? 1 : 0)
        for number in [rows.count, offsets.count, rows.lowerBound] { bytes.appendFixed(UInt64(number), count: 2) }
        bytes.appendFixed(UInt64(length), count: 4)
        for number in [id, oldest, newest] { bytes.appendFixed(UInt64(bitPattern: number), count: 8) }
        for offset in offsets { bytes.appendFixed(UInt64(start + offset), count: BlockFormat.offsetCount) }
        bytes.append(contentsOf: timeBytes)
        bytes.append(contentsOf: columns)
        bytes.appendFixed(UInt64(CRC32C.checksum(of: bytes.span, count: bytes.count)), count: 4)
        return bytes
    }
}
