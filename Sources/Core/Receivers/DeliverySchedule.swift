package import Time

/// The retry schedule of deliveries: a state machine without a clock.
package struct DeliverySchedule: Equatable, Sendable {
    /// The waits after consecutive failures; the last one repeats. Price alerts go stale: the first retries follow
    /// soon, because most failures are short, and later retries are frequent enough to notice within minutes that a
    /// service has recovered.
    static let waits: [Milliseconds] = [.seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(300)]
    /// The longest `Retry-After` that is honored.
    package static let longestRetryAfter = Milliseconds.seconds(3_600)

    /// Number of consecutive failed attempts.
    package private(set) var failures = 0

    package init() {}

    /// Records a success.
    package mutating func succeed() { failures = 0 }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - retryAfter: the service's `Retry-After`; nil if it did not send one.
    ///   - random: the source of the jitter, up to a fifth of the wait in both directions.
    /// - Returns: the wait before the next attempt.
    package mutating func fail(
        retryAfter: Milliseconds?, random: inout some RandomNumberGenerator
    ) -> Milliseconds {
        let wait = Self.waits[min(failures, Self.waits.count - 1)]
        failures += 1
        let jittered = Int64.random(in: wait.count * 4 / 5...wait.count * 6 / 5, using: &random)
        return max(Milliseconds(jittered), min(retryAfter ?? .zero, Self.longestRetryAfter))
    }
}
