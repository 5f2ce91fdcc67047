package import Time

/// What happened to the machine's clocks.
package enum ClockChange: Equatable, Sendable {
    /// The machine was suspended, this long, and goes on.
    case resumed(after: Milliseconds)
    /// The wall clock was set: forward, or back when the length is negative.
    case set(by: Milliseconds)
}

/// Sees by three clocks that the machine was suspended, and that its wall clock was set: boottime goes on in suspend,
/// the monotonic clock stands still, and the wall clock shows what somebody says.
///
/// It is looked at when there is something to do anyway: nobody wakes up for it.
package struct ClockWatch: Equatable, Sendable {
    /// Both clocks are read to the millisecond, one after the other; a suspend takes longer than this.
    static let shortestSuspend = Milliseconds.seconds(1)
    /// Time services turn the clock by less than this between two polls; more is a jump that people can see.
    static let smallestJump = Milliseconds.seconds(5)

    private var asleep: Milliseconds
    private var offset: Int64

    /// - Parameters:
    ///   - now: the present.
    ///   - asleep: how long the machine was suspended since it was booted.
    package init(_ now: Instant, asleep: Milliseconds) {
        self.asleep = asleep
        offset = Self.offset(now)
    }

    /// Says what has changed since it was looked at last.
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
