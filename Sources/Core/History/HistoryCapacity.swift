internal import Market
package import Time

/// The limits on the age, number of polls and memory of a ``History``.
package struct HistoryCapacity: Equatable, Sendable {
    /// The age up to which prices are kept, as long as they fit in ``bytes``.
    package let keep: Milliseconds
    /// The minimum number of polls that are kept, as long as they fit in ``bytes``.
    package let polls: Int
    /// The maximum memory for times and prices, in bytes.
    package let bytes: Int

    /// Makes a capacity for polls at the given interval over the given time.
    ///
    /// - Parameters:
    ///   - keep: how long a price is kept.
    ///   - interval: the time between polls, at least 1 ms.
    ///   - bytes: the maximum memory; if `keep` needs more, the oldest prices are dropped earlier.
    package init(keep: Milliseconds, interval: Milliseconds, bytes: Int) {
        let count = max(0, keep.count) / max(1, interval.count) + 1
        self.keep = keep
        polls = Int(min(count, Self.pollLimit))
        self.bytes = max(bytes, Self.leastBytes)
    }

    /// Ten years of polls every 30 s.
    private static let pollLimit: Int64 = 10_519_200
    /// The open block gets an eighth, which is enough for a row of the maximum number of symbols: 10,000 × 9 bytes.
    private static let leastBytes = 1 << 20

    /// The maximum memory of the open block. At least seven sealed blocks, which are smaller, fit in the rest.
    var openBytes: Int { bytes / 8 }

    /// Returns the expected memory for the given number of symbols, in bytes, at one byte per price. Recorded polls
    /// need 0.8 bytes per price; symbols that move with every poll need up to twice as much. The actual memory never
    /// exceeds ``bytes``.
    package func bytesExpected(symbols: Int) -> Int {
        let (needed, overflow) = polls.multipliedReportingOverflow(by: symbols)
        return overflow ? bytes : min(bytes, needed)
    }
}
