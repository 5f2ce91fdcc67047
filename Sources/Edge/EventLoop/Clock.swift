internal import Glibc
package import Time

/// A source of the current time: the machine's clocks in the daemon, a clock set by hand in tests.
package protocol TimeSource: Sendable {
    /// The present by both clocks, in milliseconds: boottime, which goes on during suspend, and the wall clock.
    func now() -> Instant
    /// How long the machine has been suspended since boot.
    func asleep() -> Milliseconds
    /// A clock for measuring how long work takes.
    func nanoseconds() -> Int64
}

extension TimeSource {
    package func asleep() -> Milliseconds { .zero }
    package func nanoseconds() -> Int64 { now().boot.milliseconds &* 1_000_000 }
}

/// The machine's clocks: boottime, which keeps running during suspend, and the wall clock. The difference from the
/// monotonic clock is how long the machine was suspended.
package struct SystemClock: TimeSource {
    /// The clocks are read with each call; nothing is kept.
    package init() {}

    package func now() -> Instant {
        Instant(
            boot: BootTime(milliseconds: milliseconds(of: CLOCK_BOOTTIME)),
            wall: WallTime(milliseconds: milliseconds(of: CLOCK_REALTIME)))
    }

    package func asleep() -> Milliseconds {
        let awake = milliseconds(of: CLOCK_MONOTONIC)
        return Milliseconds(milliseconds(of: CLOCK_BOOTTIME) &- awake)
    }

    package func nanoseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        // It fails only for a clock that does not exist; both have existed since Linux 2.6.39.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
