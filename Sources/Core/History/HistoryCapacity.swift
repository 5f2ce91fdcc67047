internal import Market
package import Time

/// How much a ``History`` keeps.
package struct HistoryCapacity: Equatable, Sendable {
    /// How far back prices are kept at least, as long as they fit ``bytes``.
    package let keep: Milliseconds
    /// How many polls are kept at least, as long as they fit ``bytes``.
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
        self.keep = keep
        polls = Int(min(count, Self.pollLimit))
        self.bytes = max(bytes, Self.leastBytes)
    }

    /// Ten years of polls every 30 s.
    private static let pollLimit: Int64 = 10_519_200
    /// The block that is filled has an eighth of it, which is enough for a row of the most symbols that there can be:
    /// 10,000 × 9 bytes.
    private static let leastBytes = 1 << 20

    /// The most memory of the block that is filled: at least seven full ones, which are smaller, fit beside it.
    var openBytes: Int { bytes / 8 }

    /// How many bytes the given number of symbols are expected to take: a byte a price. Recorded polls take 0.8,
    /// markets that move with every poll up to twice as much; it never gets more than ``bytes``.
    package func bytesExpected(symbols: Int) -> Int {
        let (needed, overflow) = polls.multipliedReportingOverflow(by: symbols)
        return overflow ? bytes : min(bytes, needed)
    }
}
