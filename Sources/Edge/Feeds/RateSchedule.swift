internal import Market
package import Time

/// When to ask for reference rates next: a state machine without a clock.
///
/// The European Central Bank has new rates once a day at most, at about 16:00 its time.
package struct RateSchedule: Equatable, Sendable {
    /// The time between two requests when all is well: six a day at most, and new rates are some hours late at worst.
    package static let interval = Milliseconds.seconds(4 * 3_600)
    /// The most that is added, so that daemons do not ask in step.
    package static let longestJitter = Milliseconds.seconds(30 * 60)
    /// The wait after the first failure; it doubles with each further one, up to ``interval``.
    package static let firstBackoff = Milliseconds.seconds(5 * 60)

    /// The wait after the last failure without its jitter; nil after a success.
    private var backoff: Milliseconds?

    package init() {}

    /// Takes in what the last request came to.
    ///
    /// - Parameters:
    ///   - outcome: what it came to.
    ///   - random: where jitter is drawn from.
    /// - Returns: how long to wait before the next request.
    package mutating func next(
        after outcome: PollSchedule.Outcome, random: inout some RandomNumberGenerator
    ) -> Milliseconds {
        guard case .failure(_, let retryAfter) = outcome else {
            backoff = nil
            return Milliseconds(Self.interval.count + .random(in: 0...Self.longestJitter.count, using: &random))
        }
        let wait = min(backoff.map { $0.times(2) } ?? Self.firstBackoff, Self.interval)
        backoff = wait
        let asked = max(wait.count, min((retryAfter ?? .zero).count, PollSchedule.longestRetryAfter.count))
        return Milliseconds(asked + .random(in: 0...wait.count / 10, using: &random))
    }

    /// How long to wait at the start: none of it when the rates were fetched longer ago than ``interval``, or never.
    package static func firstWait(lastFetched: WallTime?, now: WallTime) -> Milliseconds {
        guard let lastFetched else { return .zero }
        let age = now.since(lastFetched)
        return (Milliseconds.zero..<interval).contains(age) ? Milliseconds(interval.count - age.count) : .zero
    }
}
