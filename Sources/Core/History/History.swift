package import Market
package import Time

/// The recent prices of all symbols, compressed, in memory, with a fixed capacity: the oldest are dropped first.
///
/// ```swift
/// var history = History(HistoryCapacity(keep: .seconds(2_592_000), interval: .seconds(30), bytes: 64 << 20))
/// history.append(tickers, at: instant.wall)
/// let day = history.statistics(of: symbol, since: dayBefore)
/// ```
///
/// Polls are collected in an open block of plain columns. When it is full, it is sealed: its 512 rows are compressed
/// and never change again. A store keeps the blocks in ``sealed``, and the rows of the open block as encoded by
/// ``encodeOpenRows(fromRow:)``.
package struct History: Sendable {
    package private(set) var capacity: HistoryCapacity
    /// The finished blocks, ordered by their oldest times.
    package internal(set) var sealed: [HistoryBlock] = []
    var openBlock = OpenBlock(rowCapacity: 0)
    /// The number of the open block while it has rows.
    var openID: Int64 = 0
    /// The number of the next block.
    var nextID: Int64 = 1
    private(set) var isSealedInOrder = true
    private var sealedBytes = 0
    private var sealedRows = 0
    /// The symbol numbers of the poll being appended, by position. A property so that a poll allocates nothing.
    private var numbers: [Int] = []

    /// Makes an empty history.
    package init(_ capacity: HistoryCapacity) {
        self.capacity = capacity
    }

    /// The memory in use for times and prices, in bytes, including allocator overhead; at most `capacity.bytes`.
    ///
    /// It does not include the symbol names of the open block, at most 10,000 × about 130 bytes = 1.3 MB, or the
    /// second copy of the open block that exists for a few milliseconds while it is sealed.
    package var byteCount: Int { sealedBytes + openBlock.heapByteCount }

    /// The number of polls in the history; each instant of imported prices counts as one.
    package var pollCount: Int { sealedRows + openBlock.rowCount }

    /// The time of the oldest poll; nil if the history is empty.
    package var oldest: WallTime? {
        let first = min(sealed.first?.oldest.milliseconds ?? .max, openBlock.oldest)
        return pollCount == 0 ? nil : WallTime(milliseconds: first)
    }

    /// The time of the newest poll; nil if the history is empty.
    package var newest: WallTime? {
        let last = sealed.reduce(openBlock.newest) { max($0, $1.newest.milliseconds) }
        return pollCount == 0 ? nil : WallTime(milliseconds: last)
    }

    /// Appends a poll: the last price of each ticker whose last price is greater than 0.
    ///
    /// - Parameters:
    ///   - tickers: a whole response.
    ///   - time: when it was received; earlier than the previous time if the clock was set back.
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

    /// Changes the capacity and immediately drops any excess.
    package mutating func setCapacity(_ capacity: HistoryCapacity) {
        self.capacity = capacity
        if openBlock.columnBytes > capacity.openBytes { seal() }
        dropOldest()
    }
}

extension History {
    /// In place of a number: the ticker has no usable price.
    private static let unusable = -1
    /// In place of a number: the open block has no room for the symbol.
    private static let unplaced = -2

    private mutating func setNumbers(_ tickers: [Ticker]) {
        numbers.removeAll(keepingCapacity: true)
        for place in tickers.indices {
            let isUsable = tickers[place].last?.isPositive ?? false
            numbers.append(
                isUsable ? openBlock.number(of: tickers[place].symbol, at: place) ?? Self.unplaced : Self.unusable)
        }
    }

    /// Returns true if the open block has room for all symbols of the poll.
    private func fits() -> Bool {
        openBlock.columnBytes <= capacity.openBytes && !numbers.contains(Self.unplaced)
    }

    private mutating func startBlock(_ tickers: [Ticker]) {
        seal()
        // Room for an eighth more symbols, so that new listings do not force a new block.
        let columns = numbers.count { $0 != Self.unusable } * 9 / 8 + 1
        let rows = rowLimit(columns: columns)
        openBlock = OpenBlock(rowCapacity: rows, symbolCapacity: min(columns, SymbolTable.capacity))
        openID = allocateID()
        setNumbers(tickers)
    }

    /// Returns the maximum number of rows in a block with this many columns.
    func rowLimit(columns: Int) -> Int {
        let rowBytes = min(columns, SymbolTable.capacity) * OpenBlock.bytesPerPrice + 8
        return min(BlockFormat.rowLimit, max(1, capacity.openBytes / rowBytes))
    }

    mutating func allocateID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }

    /// Seals the open block; the next poll begins another.
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

    /// Drops the oldest block as long as there are too many bytes, or as long as the block is older than `keep` *and*
    /// the other blocks have enough polls. Both are required because neither is enough alone. With a shorter interval,
    /// enough polls cover less time than `keep`. After a pause or with a longer interval, a block can be older than
    /// `keep` although there are not enough polls. If the clock jumps far ahead, all blocks are suddenly older than
    /// `keep`.
    mutating func dropOldest() {
        while let first = sealed.first, byteCount > capacity.bytes || isBeyondKeep(first) { removeBlock(at: 0) }
    }

    private func isBeyondKeep(_ block: HistoryBlock) -> Bool {
        guard pollCount - block.rowCount >= capacity.polls, let newest else { return false }
        return newest.since(block.newest) > capacity.keep
    }
}
