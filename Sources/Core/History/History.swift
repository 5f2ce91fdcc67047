package import Market
package import Time

/// The last prices of every symbol, in memory, compressed, with a fixed capacity: the oldest are dropped first.
///
/// ```swift
/// var history = History(HistoryCapacity(keep: .seconds(2_592_000), interval: .seconds(30), bytes: 64 << 20))
/// history.append(tickers, at: instant.wall)
/// let day = history.statistics(of: symbol, since: dayBefore)
/// ```
///
/// Polls are collected in an open block of plain columns. A full one is sealed: its 512 rows are compressed for good. A
/// store keeps the blocks in ``sealed``, and what is not sealed yet as ``encodeOpenRows(fromRow:)`` returns it.
package struct History: Sendable {
    /// How much is kept.
    package private(set) var capacity: HistoryCapacity
    /// The full blocks, ordered by their oldest times.
    package internal(set) var sealed: [HistoryBlock] = []
    var openBlock = OpenBlock(rowCapacity: 0)
    /// The number of the open block while it has rows.
    var openID: Int64 = 0
    /// The number of the next block.
    var nextID: Int64 = 1
    private(set) var isSealedInOrder = true
    private var sealedBytes = 0
    private var sealedRows = 0
    /// The numbers of the symbols of the poll being appended, by position; kept so that a poll allocates nothing.
    private var numbers: [Int] = []

    /// Makes an empty history.
    package init(_ capacity: HistoryCapacity) {
        self.capacity = capacity
    }

    /// The memory that times and prices take now, in bytes, including allocator overhead; never more than
    /// `capacity.bytes`.
    ///
    /// It does not include the names of the open block's symbols, at most 10,000 × about 130 bytes = 1.3 MB, or the
    /// block being made while the open one is sealed: a second copy for a few milliseconds.
    package var byteCount: Int { sealedBytes + openBlock.heapByteCount }

    /// The number of polls kept now; instants of imported prices count as well.
    package var pollCount: Int { sealedRows + openBlock.rowCount }

    /// The oldest time that is kept.
    package var oldest: WallTime? {
        let first = min(sealed.first?.oldest.milliseconds ?? .max, openBlock.oldest)
        return pollCount == 0 ? nil : WallTime(milliseconds: first)
    }

    /// The newest time that is kept.
    package var newest: WallTime? {
        let last = sealed.reduce(openBlock.newest) { max($0, $1.newest.milliseconds) }
        return pollCount == 0 ? nil : WallTime(milliseconds: last)
    }

    /// Keeps the last price of each ticker that has one greater than 0.
    ///
    /// - Parameters:
    ///   - tickers: a whole response.
    ///   - time: when it was received; it may be before the last one if the clock was set back.
    package mutating func append(_ tickers: [Ticker], at time: WallTime) {
        setNumbers(tickers)
        guard numbers.contains(where: { $0 != Self.unusable }) else { return }
        if openBlock.isFull || !fits() { startBlock(tickers) }
        openBlock.appendRow(at: time.milliseconds, tickers, numbers: numbers)
        if openBlock.isFull { seal() }
        dropOldest()
        assert(isConsistent, "blocks are counted, numbered and within the capacity")
    }

    private var isConsistent: Bool {
        sealedRows == sealed.reduce(0) { $0 + $1.rowCount } && Set(sealed.map(\.id)).count == sealed.count
            && sealed.allSatisfy { $0.id < nextID } && byteCount <= capacity.bytes
    }

    /// Changes how much is kept; any excess is dropped at once.
    package mutating func setCapacity(_ capacity: HistoryCapacity) {
        self.capacity = capacity
        if openBlock.columnBytes > capacity.openBytes { seal() }
        dropOldest()
    }
}

extension History {
    /// Replaces a number: no price, or no usable one.
    private static let unusable = -1
    /// Replaces a number: a symbol that the open block has no room for.
    private static let unplaced = -2

    private mutating func setNumbers(_ tickers: [Ticker]) {
        numbers.removeAll(keepingCapacity: true)
        for place in tickers.indices {
            let isUsable = tickers[place].last?.isPositive ?? false
            numbers.append(
                isUsable ? openBlock.number(of: tickers[place].symbol, at: place) ?? Self.unplaced : Self.unusable)
        }
    }

    /// Whether the open block has room for all symbols of the poll.
    private func fits() -> Bool {
        openBlock.columnBytes <= capacity.openBytes && !numbers.contains(Self.unplaced)
    }

    private mutating func startBlock(_ tickers: [Ticker]) {
        seal()
        // An eighth more than there are, so that new listings do not end a block.
        let columns = numbers.count { $0 != Self.unusable } * 9 / 8 + 1
        let rows = rowLimit(columns: columns)
        openBlock = OpenBlock(rowCapacity: rows, symbolCapacity: min(columns, SymbolTable.capacity))
        openID = takeID()
        setNumbers(tickers)
    }

    /// The number of rows that a block of this many columns may have.
    func rowLimit(columns: Int) -> Int {
        let rowBytes = min(columns, SymbolTable.capacity) * OpenBlock.bytesPerPrice + 8
        return min(BlockFormat.rowLimit, max(1, capacity.openBytes / rowBytes))
    }

    mutating func takeID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }

    /// Makes a sealed block of the open one; the next one begins with the next poll.
    mutating func seal() {
        if let block = openBlock.encoded(rows: 0..<openBlock.rowCount, id: openID) { insert(block) }
        openBlock = OpenBlock(rowCapacity: 0)
    }

    mutating func insert(_ block: HistoryBlock) {
        let later = sealed.lastIndex { $0.oldest <= block.oldest }.map { $0 + 1 } ?? 0
        sealed.insert(block, at: later)
        sealedBytes += block.heapByteCount
        sealedRows += block.rowCount
        nextID = max(nextID, block.id == .max ? .max : block.id + 1)
        isSealedInOrder = sealed.areInOrder
    }

    mutating func removeBlock(at index: Int) {
        let block = sealed.remove(at: index)
        sealedBytes -= block.heapByteCount
        sealedRows -= block.rowCount
        isSealedInOrder = sealed.areInOrder
    }

    /// Drops the oldest block when there are too many bytes, or when the rest has enough polls *and* the block is older
    /// than `keep`. Both conditions, because after a pause or with a longer interval the polls cover more time, with a
    /// shorter interval there are more of them in the same time, and a clock that jumped far ahead makes all of them
    /// old at once: none of this may drop what is within `keep`.
    mutating func dropOldest() {
        while let first = sealed.first, byteCount > capacity.bytes || isBeyondKeep(first) { removeBlock(at: 0) }
    }

    private func isBeyondKeep(_ block: HistoryBlock) -> Bool {
        guard pollCount - block.rowCount >= capacity.polls, let newest else { return false }
        return newest.since(block.newest) > capacity.keep
    }
}
