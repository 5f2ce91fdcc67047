package import Time

/// A change of the machine's clocks.
package enum ClockChange: Equatable, Sendable {
    /// The machine was suspended for this long and has resumed.
    case resumed(after: Milliseconds)
    /// The wall clock was set forward, or back if the length is negative.
    case set(by: Milliseconds)
}

/// A detector of suspends and of changes to the wall clock. It compares three clocks: during suspend, boottime keeps
/// running and the monotonic clock stops, and the wall clock can be set.
///
/// Callers check it when the process is awake anyway, so it causes no wake-ups of its own.
package struct ClockWatch: Equatable, Sendable {
    /// The minimum length of a suspend. Smaller differences occur without one, because the clocks are read one after
    /// the other, with a resolution of a millisecond.
    static let shortestSuspend = Milliseconds.seconds(1)
    /// The minimum change of the wall clock that counts as a jump. Between two polls, time services adjust the clock
    /// by less than this.
    static let smallestJump = Milliseconds.seconds(5)

    private var asleep: Milliseconds
    private var offset: Int64

    /// - Parameters:
    ///   - now: the current time.
    ///   - asleep: the time that the machine has been suspended since boot.
    package init(_ now: Instant, asleep: Milliseconds) {
        self.asleep = asleep
        offset = Self.offset(now)
    }

    /// Returns the changes since the last check.
    package mutating func check(_ now: Instant, asleep: Milliseconds) -> [ClockChange] {
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
