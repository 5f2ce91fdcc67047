package import Time

/// When to make the next request to a server: a state machine without a clock.
///
/// After a success it is the interval, after failures a wait that doubles up to a limit, and never sooner than the
/// server asked for. A little is added at random, so that clients do not send their requests in step.
package struct RetrySchedule: Equatable, Sendable {
    /// How a request ended.
    package enum Outcome: Equatable, Sendable {
        case success
        /// - atLeast: the shortest wait after this failure; following ones double it. Nil when any wait will do.
        /// - retryAfter: what the server asked for, which following waits do not build on; nil when it did not ask.
        case failure(atLeast: Milliseconds?, retryAfter: Milliseconds?)
    }

    /// The longest `Retry-After` that is obeyed: the longest ban that exchanges document.
    package static let longestRetryAfter = Milliseconds.seconds(3 * 86_400)

    package let policy: RetryPolicy
    /// The wait after the last failure without its jitter; nil after a success.
    private var backoff: Milliseconds?

    /// Begins as after a success: a first failure waits as long as the policy says, undoubled.
    package init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// Takes the outcome of the last request.
    ///
    /// - Parameters:
    ///   - outcome: how it ended.
    ///   - random: the source of the jitter.
    /// - Returns: how long to wait before the next request.
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

    /// How long to wait at the start: the rest of the interval since the last success, or not at all when it is over
    /// or when there was none. A success in the future does not count: the clock was set back.
    package func firstWait(lastSuccess: WallTime?, now: WallTime) -> Milliseconds {
        guard let age = lastSuccess.map(now.since), (Milliseconds.zero..<policy.interval).contains(age) else {
            return .zero
        }
        return Milliseconds(policy.interval.count - age.count)
    }
}

/// The numbers of a ``RetrySchedule``.
package struct RetryPolicy: Equatable, Sendable {
    /// What is added to a wait at random.
    package struct Jitter: Equatable, Sendable {
        /// At most the wait divided by this.
        package var divisor: Int64
        /// And at most this.
        package var most: Milliseconds

        /// At most a fraction of the wait, and at most a fixed time.
        package init(divisor: Int64, most: Milliseconds) {
            (self.divisor, self.most) = (divisor, most)
        }
    }

    /// The time between two requests when all is well.
    package var interval: Milliseconds
    /// The wait after the first failure, and the shortest of all.
    package var firstBackoff: Milliseconds
    /// The longest wait that failures alone lead to; not below ``firstBackoff``.
    package var longestBackoff: Milliseconds
    /// Added to ``interval``.
    package var jitter: Jitter
    /// Added to the wait after a failure.
    package var backoffJitter: Jitter

    /// Raises an interval or a wait of zero to a millisecond, and the longest wait to the first one.
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
        // As good as uniform: what is added is far below 2^64.
        let choices = UInt64(max(0, most)) + 1
        let added = Int64(truncatingIfNeeded: choices.multipliedFullWidth(by: random.next()).high)
        let (sum, overflow) = count.addingReportingOverflow(added)
        return Milliseconds(overflow ? .max : sum)
    }
}
