package import Time

/// What happened to the machine's clocks.
package enum ClockChange: Equatable, Sendable {
    /// The machine was suspended for this long and has resumed.
    case resumed(after: Milliseconds)
    /// The wall clock was set: forward, or back when the length is negative.
    case set(by: Milliseconds)
}

/// Detects from three clocks that the machine was suspended or that its wall clock was set: during suspend boottime
/// keeps running and the monotonic clock stops; the wall clock can be set.
///
/// It is checked when the process is awake anyway and causes no wake-ups of its own.
package struct ClockWatch: Equatable, Sendable {
    /// The clocks are read one after the other, to the millisecond; a suspend takes longer than this.
    static let shortestSuspend = Milliseconds.seconds(1)
    /// Time services adjust the clock by less than this between two polls; more is a visible jump.
    static let smallestJump = Milliseconds.seconds(5)

    private var asleep: Milliseconds
    private var offset: Int64

    /// - Parameters:
    ///   - now: the present.
    ///   - asleep: how long the machine has been suspended since boot.
    package init(_ now: Instant, asleep: Milliseconds) {
        self.asleep = asleep
        offset = Self.offset(now)
    }

    /// Returns what has changed since the last check.
    package mutating func look(_ now: Instant, asleep: Milliseconds) -> [ClockChange] {
        var changes: [ClockChange] = []
        let (slept, jump) = (asleep.count - self.asleep.count, Self.offset(now) - offset)
        if slept >= Self.shortestSuspend.count { changes.append(.resumed(after: Milliseconds(slept))) }
        if jump.magnitude >= Self.smallestJump.count.magnitude { changes.append(.set(by: Milliseconds(jump))) }
        (self.asleep, offset) = (asleep, Self.offset(now))
        return changes
    }

    private static func offset(_ now: Instant) -> Int64 {
        now.wall.milliseconds &- now.boot.milliseconds
    }
}
