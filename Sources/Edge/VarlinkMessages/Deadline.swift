internal import Glibc

/// The time until which a wait may last, on the clock that counts since boot.
///
/// `ContinuousClock` reads the same clock, but it makes the whole concurrency runtime part of a program. Starting the
/// runtime takes a tenth of the time of a short command.
struct Deadline {
    private let nanoseconds: Int64

    /// The longest time, 253 years, which leaves room in 64 bits for the time since boot and a fraction.
    private static let mostSeconds: Int64 = 8_000_000_000

    /// - Parameter length: the time until the deadline, at most 253 years; a negative one counts as zero.
    init(after length: Duration) {
        let (seconds, attoseconds) = length.components
        let whole = min(max(seconds, 0), Self.mostSeconds) * 1_000_000_000
        nanoseconds = Self.now + whole + max(attoseconds, 0) / 1_000_000_000
    }

    /// The time that is left; zero after the deadline.
    var rest: Duration { .nanoseconds(max(0, nanoseconds - Self.now)) }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
