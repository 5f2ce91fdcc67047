internal import Glibc
package import Time

/// A source of the current time: the machine's clocks in the daemon, a clock set by hand in tests.
package protocol TimeSource: Sendable {
    /// Returns the current time on both clocks, in milliseconds: boottime, which keeps running during suspend, and
    /// the wall clock.
    func now() -> Instant
    /// Returns the time that the machine has been suspended since boot.
    func asleep() -> Milliseconds
    /// Returns the time of a clock for measuring how long work takes.
    func nanoseconds() -> Int64
}

extension TimeSource {
    package func asleep() -> Milliseconds { .zero }
    package func nanoseconds() -> Int64 { now().boot.milliseconds &* 1_000_000 }
}

/// The machine's clocks: boottime, which keeps running during suspend, and the wall clock. Boottime minus the
/// monotonic clock is the time that the machine has been suspended.
package struct SystemClock: TimeSource {
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
        // The call fails only for a clock that does not exist; these clocks have existed since Linux 2.6.39.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
