package import Market

/// How much a ``History`` keeps.
package struct HistoryCapacity: Equatable, Sendable {
    /// The most polls.
    package let polls: Int
    /// The most memory that times and prices take, in bytes.
    package let bytes: Int

    /// The capacity for polls of the given interval over the given time.
    ///
    /// - Parameters:
    ///   - keep: how long a price is kept.
    ///   - interval: the time between polls, at least 1 ms.
    ///   - bytes: the most memory; where it is less than `keep` needs, the oldest prices go earlier.
    package init(keep: Milliseconds, interval: Milliseconds, bytes: Int) {
        let count = max(0, keep.count) / max(1, interval.count) + 1
        polls = Int(min(count, Self.pollLimit))
        self.bytes = max(bytes, Self.leastBytes)
    }

    /// Ten years of polls every 30 s.
    private static let pollLimit: Int64 = 10_519_200
    /// Eight rows of the most symbols that there can be: 8 × (10,048 × (4 + 9) + 16) bytes, rounded up.
    private static let leastBytes = 1 << 20

    /// How many bytes the given number of symbols may take: the polls kept and one block that is being filled, at 4
    /// bytes a price, 16 a poll, and 9 a symbol in each block; never more than ``bytes``.
    package func bytesNeeded(symbols: Int) -> Int {
        let blocks = polls / Block.rowLimit + 2
        let (needed, overflow) = blocks.multipliedReportingOverflow(
            by: Block.byteCount(rows: Block.rowLimit, symbols: symbols))
        return overflow ? bytes : min(bytes, needed)
    }
}
