package import HTTP
package import Time

extension RetryPolicy {
    /// Polling an exchange at an interval: failures double it up to 15 minutes; a longer interval stays in effect.
    package static func polling(every interval: Milliseconds) -> RetryPolicy {
        // A second is enough to spread polls, and a twentieth keeps short intervals short.
        let jitter = Jitter(divisor: 20, most: .seconds(1))
        return RetryPolicy(
            interval: interval, firstBackoff: interval, longestBackoff: .seconds(15 * 60), jitter: jitter,
            backoffJitter: jitter)
    }

    /// Asking for candles: refusals are repeated after 5 seconds at least, and double that up to 15 minutes.
    package static let candles = RetryPolicy(
        interval: .seconds(1), firstBackoff: .seconds(5), longestBackoff: .seconds(15 * 60),
        jitter: Jitter(divisor: 1, most: .zero), backoffJitter: Jitter(divisor: 20, most: .seconds(1)))

    /// Fetching reference rates: the European Central Bank publishes them once a day at about 16:00 its time, so six
    /// requests a day find them a few hours late at worst.
    package static let referenceRates = RetryPolicy(
        interval: .seconds(4 * 3_600), firstBackoff: .seconds(5 * 60), longestBackoff: .seconds(4 * 3_600),
        jitter: Jitter(divisor: 8, most: .seconds(30 * 60)), backoffJitter: Jitter(divisor: 10, most: .seconds(24 * 60))
    )
}

extension FeedFailure {
    /// The first wait after a ban or a refusal by the firewall: the shortest ban that is documented.
    package static let shortestBan = Milliseconds.seconds(2 * 60)

    /// What the failure means for the next request.
    package var outcome: RetrySchedule.Outcome {
        .failure(atLeast: kind == .banned || kind == .forbidden ? Self.shortestBan : nil, retryAfter: retryAfter)
    }
}
