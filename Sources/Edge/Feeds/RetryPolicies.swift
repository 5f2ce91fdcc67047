package import HTTP
package import Time

extension RetryPolicy {
    /// Returns the policy for polling an exchange. The wait after the first failure is the interval. It doubles up to
    /// 15 minutes; an interval longer than that stays unchanged.
    package static func polling(every interval: Milliseconds) -> RetryPolicy {
        // A second is enough to spread polls, and a twentieth of the interval keeps short intervals short.
        let jitter = Jitter(divisor: 20, most: .seconds(1))
        return RetryPolicy(
            interval: interval, firstBackoff: interval, longestBackoff: .seconds(15 * 60), jitter: jitter,
            backoffJitter: jitter)
    }

    /// The policy for requesting candles. A failed request is retried after at least 5 seconds, and the wait doubles
    /// up to 15 minutes.
    package static let candles = RetryPolicy(
        interval: .seconds(1), firstBackoff: .seconds(5), longestBackoff: .seconds(15 * 60),
        jitter: Jitter(divisor: 1, most: .zero), backoffJitter: Jitter(divisor: 20, most: .seconds(1)))

    /// The policy for fetching reference rates. The European Central Bank publishes them once a day at about 16:00
    /// its local time, so six requests a day find them a few hours late at worst.
    package static let referenceRates = RetryPolicy(
        interval: .seconds(4 * 3_600), firstBackoff: .seconds(5 * 60), longestBackoff: .seconds(4 * 3_600),
        jitter: Jitter(divisor: 8, most: .seconds(30 * 60)), backoffJitter: Jitter(divisor: 10, most: .seconds(24 * 60))
    )
}

extension FeedFailure {
    /// The minimum wait after a ban or a refusal by the firewall: the shortest ban that is documented.
    package static let shortestBan = Milliseconds.seconds(2 * 60)

    /// The outcome of the request, for the schedule of the next one.
    package var outcome: RetrySchedule.Outcome {
        .failure(atLeast: kind == .banned || kind == .forbidden ? Self.shortestBan : nil, retryAfter: retryAfter)
    }
}
