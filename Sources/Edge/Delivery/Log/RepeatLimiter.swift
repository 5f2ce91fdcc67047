internal import Market
internal import Time

/// Limits messages that repeat: a few with the same text are written within a time, the others are counted, and at the
/// end of that time the count is reported. It has no clock.
struct RepeatLimiter<Key: Hashable> {
    /// How long the same text is counted, starting with its first appearance.
    static var interval: Milliseconds { .seconds(10 * 60) }
    /// How often it is written in that time: someone who tries a thing five times in ten minutes reads each answer.
    static var burst: Int { 5 }
    /// The most texts that are counted at the same time: 64 × 200 bytes are 13 kB. Beyond that the oldest one ends.
    static var capacity: Int { 64 }

    /// A text that was held back, with its count.
    struct Held {
        var key: Key
        /// How often it was seen, including the times that it was written.
        var count: Int
        var over: Milliseconds
    }

    private struct Window {
        var key: Key
        let begin: BootTime
        var count = 1
    }

    /// The oldest first.
    private var windows: [Window] = []

    /// Counts the text; whether to write it now.
    mutating func admits(_ key: Key, at now: BootTime) -> Bool {
        guard let index = windows.firstIndex(where: { $0.key == key }) else {
            windows.append(Window(key: key, begin: now))
            return true
        }
        windows[index].count += 1
        return windows[index].count <= Self.burst
    }

    /// Ends the windows whose time is over, those beyond the capacity, or all of them.
    ///
    /// - Returns: the texts of these windows that were held back.
    mutating func end(at now: BootTime, all: Bool = false) -> [Held] {
        let over = windows.prefix { all || now.since($0.begin) >= Self.interval }.count
        let ended = windows.prefix(max(over, windows.count - Self.capacity))
        windows.removeFirst(ended.count)
        return ended.filter { $0.count > Self.burst }
            .map { Held(key: $0.key, count: $0.count, over: now.since($0.begin)) }
    }

    /// How long until the count of a text is due; nil when no text was held back.
    func nextEnd(at now: BootTime) -> Milliseconds? {
        let first = windows.first { $0.count > Self.burst }
        return first.map { Milliseconds(max(0, Self.interval.count - now.since($0.begin).count)) }
    }
}
