internal import Market
internal import Time

/// Holds back messages that are said again and again: of one text so many are written within a time, the others are
/// counted, and at the end of the time the count is notified. It has no clock.
struct RepeatLimiter<Key: Hashable> {
    /// How long the same text is counted, from its first appearance on.
    static var interval: Milliseconds { .seconds(10 * 60) }
    /// How often it is written in that time. A person who tries a thing five times in ten minutes reads each answer.
    static var burst: Int { 5 }
    /// The most texts that are counted at one time, 64 × some 200 bytes are 13 kB; beyond it the oldest is let go.
    static var capacity: Int { 64 }

    /// A text that was held back, and what is to be notified of it.
    struct Held {
        var key: Key
        /// How often it was seen, those times included that were written.
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

    /// Whether the text is to be written now.
    mutating func admits(_ key: Key, at now: BootTime) -> Bool {
        guard let index = windows.firstIndex(where: { $0.key == key }) else {
            windows.append(Window(key: key, begin: now))
            return true
        }
        windows[index].count += 1
        return windows[index].count <= Self.burst
    }

    /// Ends the windows that are over, or too many, or all of them.
    ///
    /// - Returns: the texts of these that were held back.
    mutating func end(at now: BootTime, all: Bool = false) -> [Held] {
        let over = windows.prefix { all || now.since($0.begin) >= Self.interval }.count
        let ended = windows.prefix(max(over, windows.count - Self.capacity))
        windows.removeFirst(ended.count)
        return ended.filter { $0.count > Self.burst }
            .map { Held(key: $0.key, count: $0.count, over: now.since($0.begin)) }
    }

    /// How long until a text that is held back is due; nil when there is none.
    func nextEnd(at now: BootTime) -> Milliseconds? {
        let first = windows.first { $0.count > Self.burst }
        return first.map { Milliseconds(max(0, Self.interval.count - now.since($0.begin).count)) }
    }
}
