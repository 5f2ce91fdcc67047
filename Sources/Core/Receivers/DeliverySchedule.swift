package import Time

/// When to try a delivery again: a state machine without a clock.
package struct DeliverySchedule: Equatable, Sendable {
    /// The waits after the first failures. A price alert ages: the first attempts follow soon, as most failures are
    /// short, and later ones often enough that a service that is back is found within minutes.
    static let waits: [Milliseconds] = [.seconds(1), .seconds(5), .seconds(30), .seconds(120), .seconds(300)]
    /// The longest `Retry-After` that is obeyed.
    package static let longestRetryAfter = Milliseconds.seconds(3_600)

    /// Attempts in a row that failed.
    package private(set) var failures = 0

    package init() {}

    /// Takes a success.
    package mutating func succeed() { failures = 0 }

    /// Takes a failure.
    ///
    /// - Parameters:
    ///   - retryAfter: what the service asked for; nil when it did not ask.
    ///   - random: the source of the jitter, a fifth of the wait in both directions.
    /// - Returns: how long to wait before the next attempt.
    package mutating func fail(
        retryAfter: Milliseconds?, random: inout some RandomNumberGenerator
    ) -> Milliseconds {
        let wait = Self.waits[min(failures, Self.waits.count - 1)]
        failures += 1
        let jittered = Int64.random(in: wait.count * 4 / 5...wait.count * 6 / 5, using: &random)
        return max(Milliseconds(jittered), min(retryAfter ?? .zero, Self.longestRetryAfter))
    }
}
