internal import Market
internal import Time

/// The lowest and highest price in a window of time that ends now.
///
/// A price that a later price equals or undercuts can never be the lowest again, so it is dropped immediately. The
/// remaining prices are in ascending order, and the first is the lowest; the highest is found the same way. The cost
/// of a sample does not depend on the length of the window.
struct RollingWindow: Sendable {
    let length: Milliseconds
    /// Time of the first sample; the window ignores earlier prices.
    private(set) var start: Instant?
    /// True if the window has at least two samples.
    private(set) var hasTwo = false
    private var lows = MonotoneQueue(isRising: true)
    private var highs = MonotoneQueue(isRising: false)
    /// Time of the last sample.
    private(set) var last: BootTime?

    init(length: Milliseconds, start: Instant? = nil) {
        self.length = length
        self.start = start
    }

    /// Adds a sample, which must not be earlier than the last one.
    mutating func append(_ price: Price, at time: Instant) {
        if start == nil { start = time }
        hasTwo = last.map { time.boot.since($0) < length } ?? false
        last = time.boot
        // A window is (now − length, now], so its first instant is excluded.
        let end = time.boot.advanced(by: Milliseconds(-length.count))
        lows.append(price, at: time.boot, dropping: end)
        highs.append(price, at: time.boot, dropping: end)
    }

    /// Translates all times to the clock of another boot.
    mutating func translate(by clock: ClockTranslation) {
        start = start.map(clock.translated)
        last = last.map(clock.translated)
        lows.translate(by: clock)
        highs.translate(by: clock)
    }

    /// True if the window had samples but was restored without them.
    var hasLostSamples: Bool { start != nil && last == nil }

    /// The lowest and highest price as of the last sample; nil without samples.
    var lowest: Price? { lows.first }
    var highest: Price? { highs.first }

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

/// A queue of prices that only rise (or only fall), each with the time of its sample. The first one is the lowest (or
/// highest) price of the window.
private struct MonotoneQueue: Sendable {
    /// The maximum number of entries. A full queue merges neighbours. Only a window with at least 1,024 samples, each
    /// beyond the previous one, fills a queue; ordinary prices leave a few dozen entries. 1,024 × 24 bytes × 2
    /// queues are 48 KiB per window, at worst 22 MB for one rule on 450 symbols.
    private static let capacity = 1_024

    private struct Entry {
        var price: Price
        var time: Int64
    }

    private let isRising: Bool
    private var entries: [Entry] = []
    private var head = 0

    mutating func translate(by clock: ClockTranslation) {
        for index in entries.indices {
            entries[index].time = clock.translated(BootTime(milliseconds: entries[index].time)).milliseconds
        }
    }

    init(isRising: Bool) {
        self.isRising = isRising
    }

    var first: Price? { head < entries.count ? entries[head].price : nil }

    mutating func append(_ price: Price, at time: BootTime, dropping end: BootTime) {
        while entries.count > head, isOutdone(entries[entries.count - 1].price, by: price) { entries.removeLast() }
        while head < entries.count, entries[head].time <= end.milliseconds { head += 1 }
        // Occasionally moving the entries costs less than a ring's arithmetic with every sample.
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

    /// Merges neighbours: the price of the older, more extreme one gets the time of the younger one.
    private mutating func thin() {
        let kept = entries[head...]
        entries = stride(from: kept.startIndex, to: kept.endIndex, by: 2).map { index in
            Entry(price: kept[index].price, time: kept[min(index + 1, kept.endIndex - 1)].time)
        }
        head = 0
    }
}

// MARK: Storing

extension RollingWindow {
    /// Writes everything except the length.
    ///
    /// - Parameters:
    ///   - writer: the output.
    ///   - base: an instant near the samples, which the reader knows.
    func write(to writer: inout StateBytesWriter, base: Instant) {
        writer.optional(start) { $0.instant($1, after: base) }
        guard start != nil else { return }
        writer.flag(hasTwo)
        writer.optional(last) { $0.signed($1.milliseconds &- base.boot.milliseconds) }
        guard last != nil else { return }
        lows.write(to: &writer, base: base.boot)
        highs.write(to: &writer, base: base.boot)
    }

    /// Reads the output of ``write(to:base:)``.
    init(length: Milliseconds, from reader: inout StateBytesReader, base: Instant) throws(StateDamage) {
        self.init(length: length)
        guard let start = try reader.optional({ reader throws(StateDamage) in try reader.instant(after: base) }) else {
            return
        }
        self.start = start
        hasTwo = try reader.flag()
        guard try reader.flag() else { return }
        let time = BootTime(milliseconds: try reader.signed() &+ base.boot.milliseconds)
        guard time.isPlausible else { throw .content }
        last = time
        try lows.read(from: &reader, base: base.boot, last: time)
        try highs.read(from: &reader, base: base.boot, last: time)
    }
}

extension MonotoneQueue {
    func write(to writer: inout StateBytesWriter, base: BootTime) {
        writer.unsigned(UInt64(entries.count - head))
        var (time, price) = (base.milliseconds, Price?.none)
        for entry in entries[head...] {
            writer.signed(entry.time &- time)
            writer.price(entry.price, near: price)
            (time, price) = (entry.time, entry.price)
        }
    }

    /// Reads entries. Rejects prices and times that are out of order, or later than the last sample.
    mutating func read(from reader: inout StateBytesReader, base: BootTime, last: BootTime) throws(StateDamage) {
        let count = try reader.count(upTo: Self.capacity)
        (entries, head) = ([], 0)
        entries.reserveCapacity(count)
        var (time, price) = (base.milliseconds, Price?.none)
        for index in 0..<count {
            let next = time &+ (try reader.signed())
            let entry = Entry(price: try reader.price(near: price), time: next)
            let isOrdered = price.map { !isOutdone($0, by: entry.price) && next >= time } ?? (index == 0)
            guard isOrdered, next <= last.milliseconds, BootTime(milliseconds: next).isPlausible else {
                throw .content
            }
            entries.append(entry)
            (time, price) = (next, entry.price)
        }
    }
}
