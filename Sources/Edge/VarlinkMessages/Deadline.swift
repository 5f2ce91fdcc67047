internal import Glibc

/// A moment until which something is waited for, on the clock that counts time since boot.
///
/// `ContinuousClock` reads the same clock, but with it the whole concurrency runtime becomes part of a program, whose
/// start takes a tenth of the time of a short command.
struct Deadline {
    private let nanoseconds: Int64

    /// 253 years, which leave room for the time since boot and a fraction in 64 bits.
    private static let mostSeconds: Int64 = 8_000_000_000

    /// - Parameter length: how far away it is, at most 253 years; none if it is negative.
    init(after length: Duration) {
        let (seconds, attoseconds) = length.components
        let whole = min(max(seconds, 0), Self.mostSeconds) * 1_000_000_000
        nanoseconds = Self.now + whole + max(attoseconds, 0) / 1_000_000_000
    }

    /// The time that is left; zero once it is over.
    var rest: Duration { .nanoseconds(max(0, nanoseconds - Self.now)) }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
