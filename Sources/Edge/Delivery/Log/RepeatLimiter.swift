internal import Market
internal import Time

/// A limiter of repeated messages. The first few messages with the same text are written. Further ones are only
/// counted, and the count is reported at the end of the interval. It has no clock: callers pass the time.
struct RepeatLimiter<Key: Hashable> {
    /// The time during which repeats of a text are counted, starting with its first appearance.
    static var interval: Milliseconds { .seconds(10 * 60) }
    /// The number of messages with the same text that are written per interval. A user who tries something five times
    /// in ten minutes sees each answer.
    static var burst: Int { 5 }
    /// The maximum number of texts that are counted at the same time: 64 × 200 bytes are 13 kB. Beyond that, the
    /// oldest window ends early.
    static var capacity: Int { 64 }

    /// A text that was held back, with its count.
    struct Held {
        var key: Key
        /// The number of times it was seen, including the times it was written.
        var count: Int
        var over: Milliseconds
    }

    private struct Window {
        var key: Key
        let begin: BootTime
        var count = 1
    }

    /// Oldest first.
    private var windows: [Window] = []

    /// Counts the text, and returns true if it should be written now.
    mutating func admits(_ key: Key, at now: BootTime) -> Bool {
        guard let index = windows.firstIndex(where: { $0.key == key }) else {
            windows.append(Window(key: key, begin: now))
            return true
        }
        windows[index].count += 1
        return windows[index].count <= Self.burst
    }

    /// Ends windows whose time is over and windows beyond the capacity, or all of them.
    ///
    /// - Returns: the texts of these windows that were held back, with their counts.
    mutating func end(at now: BootTime, all: Bool = false) -> [Held] {
        let over = windows.prefix { all || now.since($0.begin) >= Self.interval }.count
        let ended = windows.prefix(max(over, windows.count - Self.capacity))
        windows.removeFirst(ended.count)
        return ended.filter { $0.count > Self.burst }
            .map { Held(key: $0.key, count: $0.count, over: now.since($0.begin)) }
    }

    /// Returns the time until the next count is due, or nil if no text was held back.
    func nextEnd(at now: BootTime) -> Milliseconds? {
        let first = windows.first { $0.count > Self.burst }
        return first.map { Milliseconds(max(0, Self.interval.count - now.since($0.begin).count)) }
    }
}
