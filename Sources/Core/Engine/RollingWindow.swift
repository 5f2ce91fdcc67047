internal import Market
internal import Time

/// The lowest and highest price of a window of time that ends now.
///
/// A price that is not below a later one can never be the lowest again, so it is dropped at once; the rest is in order,
/// and its first is the answer. A sample costs the same whatever the length of the window.
struct RollingWindow: Sendable {
    let length: Milliseconds
    /// The first sample that it was given; earlier prices do not count.
    private(set) var start: Instant?
    /// Whether it holds at least two samples.
    private(set) var hasTwo = false
    private var lows = MonotoneQueue(isRising: true)
    private var highs = MonotoneQueue(isRising: false)
    private var last: BootTime?

    init(length: Milliseconds, start: Instant? = nil) {
        self.length = length
        self.start = start
    }

    /// Adds a sample, which must not be earlier than the last one.
    mutating func append(_ price: Price, at time: Instant) {
        if start == nil { start = time }
        hasTwo = last.map { time.boot.since($0) < length } ?? false
        last = time.boot
        // A window is (now − length, now]: its first moment is outside.
        let end = time.boot.advanced(by: Milliseconds(-length.count))
        lows.append(price, at: time.boot, dropping: end)
        highs.append(price, at: time.boot, dropping: end)
    }

    /// Nil with fewer than two samples.
    var extremes: Extremes? {
        guard hasTwo, let lowest = lows.first, let highest = highs.first else { return nil }
        return Extremes(lowest: lowest, highest: highest)
    }
}

/// The lowest and highest price of a window.
struct Extremes {
    var lowest: Price
    var highest: Price
}

/// Prices that only rise (or only fall), each with the time until which it may be the answer.
private struct MonotoneQueue: Sendable {
    /// Beyond this number, neighbours are joined; only that many samples in one window, each beyond the previous one,
    /// get there. 1,024 × 24 bytes × 2 queues are 48 KiB a window, 22 MB for one rule on 450 symbols at the very worst;
    /// ordinary prices leave a few dozen.
    private static let capacity = 1_024

    private struct Entry {
        var price: Price
        var time: Int64
    }

    private let isRising: Bool
    private var entries: [Entry] = []
    private var head = 0

    init(isRising: Bool) {
        self.isRising = isRising
    }

    var first: Price? { head < entries.count ? entries[head].price : nil }

    mutating func append(_ price: Price, at time: BootTime, dropping end: BootTime) {
        while entries.count > head, isOutdone(entries[entries.count - 1].price, by: price) { entries.removeLast() }
        while head < entries.count, entries[head].time <= end.milliseconds { head += 1 }
        // Moving the rest now and then costs less than a ring's arithmetic with every sample.
        if head >= 32, head * 2 >= entries.count {
            entries.removeFirst(head)
            head = 0
        }
        if entries.count - head >= Self.capacity { thin() }
        entries.append(Entry(price: price, time: time.milliseconds))
    }

    private func isOutdone(_ old: Price, by new: Price) -> Bool {
        isRising ? old >= new : old <= new
    }

    /// Joins neighbours: the price of the older and more extreme one holds until the younger one's time.
    private mutating func thin() {
        let kept = entries[head...]
        entries = stride(from: kept.startIndex, to: kept.endIndex, by: 2).map { index in
            Entry(price: kept[index].price, time: kept[min(index + 1, kept.endIndex - 1)].time)
        }
        head = 0
    }
}
