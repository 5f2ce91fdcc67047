internal import Market
package import Time

/// When to ask next: a state machine without a clock.
///
/// After a success the interval, and a little more so that daemons do not ask in step. After a failure the interval,
/// then twice as long each time, up to ``longestBackoff``; never sooner than the server asked for.
package struct PollSchedule: Equatable, Sendable {
    /// What a poll came to.
    package enum Outcome: Equatable, Sendable {
        case success
        case failure(FeedFailure.Kind, retryAfter: Milliseconds?)
    }

    /// The longest wait that failures alone lead to; an interval that is longer still stands.
    package static let longestBackoff = Milliseconds.seconds(15 * 60)
    /// The first wait after a ban or a refusal by the firewall: the shortest ban that is documented.
    package static let firstLongBackoff = Milliseconds.seconds(2 * 60)
    /// The longest `Retry-After` that is obeyed: the longest ban that is documented.
    package static let longestRetryAfter = Milliseconds.seconds(3 * 86_400)
    /// The most that is added to a wait: a second, and no more than a twentieth of it.
    package static let longestJitter = Milliseconds.seconds(1)

    /// The time between two polls when all is well; changing it does not touch a backoff that is under way.
    package var interval: Milliseconds
    /// The wait after the last failure without its jitter; nil after a success.
    private var backoff: Milliseconds?

    package init(interval: Milliseconds) {
        self.interval = max(interval, Milliseconds(1))
    }

    /// Takes in what the last poll came to.
    ///
    /// - Parameters:
    ///   - outcome: what it came to.
    ///   - random: where jitter is drawn from.
    /// - Returns: how long to wait before the next poll; never less than ``interval``.
    package mutating func next(
        after outcome: Outcome, random: inout some RandomNumberGenerator
    ) -> Milliseconds {
        guard case .failure(let kind, let retryAfter) = outcome else {
            backoff = nil
            return withJitter(interval, random: &random)
        }
        let longest = max(Self.longestBackoff, interval)
        var wait = backoff.map { $0.times(2) } ?? interval
        if kind == .banned || kind == .forbidden { wait = max(wait, Self.firstLongBackoff) }
        wait = max(min(wait, longest), interval)
        backoff = wait
        let asked = min(retryAfter ?? .zero, Self.longestRetryAfter)
        guard asked > wait else { return min(withJitter(wait, random: &random), longest) }
        return withJitter(asked, random: &random)
    }

    private func withJitter(_ wait: Milliseconds, random: inout some RandomNumberGenerator) -> Milliseconds {
        let most = min(wait.count / 20, Self.longestJitter.count)
        let (sum, overflow) = wait.count.addingReportingOverflow(Int64.random(in: 0...max(0, most), using: &random))
        return Milliseconds(overflow ? .max : sum)
    }
}
