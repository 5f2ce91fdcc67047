package import Time

/// The schedule of requests to a server: a state machine without a clock.
///
/// After a success, the wait is the interval. After failures it doubles up to a limit, and is never shorter than the
/// server asked for. A small random time is added so that clients do not send their requests in step.
package struct RetrySchedule: Equatable, Sendable {
    /// The result of a request.
    package enum Outcome: Equatable, Sendable {
        case success
        /// - atLeast: the shortest wait after this failure, which following failures double; nil for no minimum.
        /// - retryAfter: the wait that the server asked for, which following failures do not double; nil if it did
        ///   not ask.
        case failure(atLeast: Milliseconds?, retryAfter: Milliseconds?)
    }

    /// The longest `Retry-After` that is honored; the longest ban that exchanges document.
    package static let longestRetryAfter = Milliseconds.seconds(3 * 86_400)

    package let policy: RetryPolicy
    /// The wait after the last failure without its jitter; nil after a success.
    private var backoff: Milliseconds?

    /// Starts as if after a success, so a first failure waits for the first backoff of the policy.
    package init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// Records the outcome of the last request.
    ///
    /// - Parameters:
    ///   - outcome: the outcome.
    ///   - random: the source of the jitter.
    /// - Returns: the time to wait before the next request.
    package mutating func next(
        after outcome: Outcome, random: inout some RandomNumberGenerator
    ) -> Milliseconds {
        guard case .failure(let atLeast, let retryAfter) = outcome else {
            backoff = nil
            return policy.interval.adding(policy.jitter, random: &random)
        }
        let wait = max(backoff.map { $0.times(2) } ?? policy.firstBackoff, atLeast ?? .zero)
        let bounded = max(min(wait, policy.longestBackoff), policy.firstBackoff)
        backoff = bounded
        return max(bounded, min(retryAfter ?? .zero, Self.longestRetryAfter))
            .adding(policy.backoffJitter, random: &random)
    }

    /// Returns the wait at the start: the rest of the interval since the last success, or zero if the interval is
    /// over or there was no success. A success in the future is ignored, because the clock was set back.
    package func firstWait(lastSuccess: WallTime?, now: WallTime) -> Milliseconds {
        guard let age = lastSuccess.map(now.since), (Milliseconds.zero..<policy.interval).contains(age) else {
            return .zero
        }
        return Milliseconds(policy.interval.count - age.count)
    }
}

/// The parameters of a ``RetrySchedule``.
package struct RetryPolicy: Equatable, Sendable {
    /// A random addition to a wait.
    package struct Jitter: Equatable, Sendable {
        /// The addition is at most the wait divided by this.
        package var divisor: Int64
        /// The maximum addition.
        package var most: Milliseconds

        package init(divisor: Int64, most: Milliseconds) {
            (self.divisor, self.most) = (divisor, most)
        }
    }

    /// The time between two requests while they succeed.
    package var interval: Milliseconds
    /// The wait after the first failure, which is also the shortest wait after any failure.
    package var firstBackoff: Milliseconds
    /// The longest wait after failures, unless the server asks for more; not below ``firstBackoff``.
    package var longestBackoff: Milliseconds
    /// The random addition to ``interval``.
    package var jitter: Jitter
    /// The random addition to the wait after a failure.
    package var backoffJitter: Jitter

    /// Creates a policy. An interval or a wait of zero becomes one millisecond, and the longest wait is at least the
    /// first one.
    package init(
        interval: Milliseconds, firstBackoff: Milliseconds, longestBackoff: Milliseconds, jitter: Jitter,
        backoffJitter: Jitter
    ) {
        self.interval = max(interval, Milliseconds(1))
        self.firstBackoff = max(firstBackoff, Milliseconds(1))
        self.longestBackoff = max(longestBackoff, self.firstBackoff)
        self.jitter = jitter
        self.backoffJitter = backoffJitter
    }
}

extension Milliseconds {
    fileprivate func adding(_ jitter: RetryPolicy.Jitter, random: inout some RandomNumberGenerator) -> Milliseconds {
        let most = min(count / max(1, jitter.divisor), jitter.most.count)
        // The result is practically uniform, because the number of choices is far below 2^64.
        let choices = UInt64(max(0, most)) + 1
        let added = Int64(truncatingIfNeeded: choices.multipliedFullWidth(by: random.next()).high)
        let (sum, overflow) = count.addingReportingOverflow(added)
        return Milliseconds(overflow ? .max : sum)
    }
}
