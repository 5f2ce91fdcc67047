internal import Market
package import Time

/// How much a ``History`` keeps.
package struct HistoryCapacity: Equatable, Sendable {
    /// How far back prices are kept at least, as long as they fit into ``bytes``.
    package let keep: Milliseconds
    /// The number of polls kept at least, as long as they fit into ``bytes``.
    package let polls: Int
    /// The maximum memory for times and prices, in bytes.
    package let bytes: Int

    /// The capacity for polls of the given interval over the given time.
    ///
    /// - Parameters:
    ///   - keep: how long a price is kept.
    ///   - interval: the time between polls, at least 1 ms.
    ///   - bytes: the maximum memory; where `keep` needs more, the oldest prices are dropped earlier.
    package init(keep: Milliseconds, interval: Milliseconds, bytes: Int) {
        let count = max(0, keep.count) / max(1, interval.count) + 1
        self.keep = keep
        polls = Int(min(count, Self.pollLimit))
        self.bytes = max(bytes, Self.leastBytes)
    }

    /// Ten years of polls every 30 s.
    private static let pollLimit: Int64 = 10_519_200
    /// The open block gets an eighth of it, which is enough for a row of the most symbols possible: 10,000 × 9 bytes.
    private static let leastBytes = 1 << 20

    /// The maximum memory of the open block: at least seven full ones, which are smaller, fit in addition.
    var openBytes: Int { bytes / 8 }

    /// The memory that the given number of symbols is expected to take, in bytes: one per price. Recorded polls take
    /// 0.8, markets that move with every poll up to twice as much; the actual memory never exceeds ``bytes``.
    package func bytesExpected(symbols: Int) -> Int {
        let (needed, overflow) = polls.multipliedReportingOverflow(by: symbols)
        return overflow ? bytes : min(bytes, needed)
    }
}
