import Feeds
import HTTP
import Market
import Testing
import Time

struct RateScheduleTests {
    private let failure = FeedFailure(.timeout, "m").outcome

    @Test func afterASuccessItIsSomeHours() {
        var schedule = RetrySchedule(.referenceRates)
        var least = Extreme(value: 1 << 53)
        #expect(schedule.next(after: .success, random: &least).approximate == "4h")
        var most = Extreme(value: .max)
        #expect(schedule.next(after: .success, random: &most) == .seconds(4 * 3_600 + 30 * 60))
    }

    @Test func failuresDoubleTheWaitUpToTheInterval() {
        var schedule = RetrySchedule(.referenceRates)
        var least = Extreme(value: 1 << 53)
        let waits = (0..<8).map { _ in schedule.next(after: failure, random: &least).approximate }
        #expect(waits == ["5m", "10m", "20m", "40m", "1h20m", "2h40m", "4h", "4h"])
        _ = schedule.next(after: .success, random: &least)
        #expect(schedule.next(after: failure, random: &least).approximate == "5m")
    }

    @Test func aServerIsGivenTheTimeItAsksForWithinReason() {
        var least = Extreme(value: 1 << 53)
        for (asked, wait) in [("1s", "5m"), ("1h", "1h"), ("3000d", "1h")] {
            var schedule = RetrySchedule(.referenceRates)
            let outcome = FeedFailure(.rateLimited, "m", retryAfter: Milliseconds(asked)).outcome
            #expect(schedule.next(after: outcome, random: &least).approximate == wait)
        }
    }

    @Test func jitterAfterAFailureIsATenth() {
        var schedule = RetrySchedule(.referenceRates)
        var most = Extreme(value: .max)
        #expect(schedule.next(after: failure, random: &most).description == "5m30s")
    }

    @Test(
        arguments: [
            (nil, "0s"), ("0s", "4h"), ("1h", "3h"), ("3h59m", "1m"), ("4h", "0s"), ("30d", "0s"),
        ] as [(String?, String)])
    func aRestartDoesNotAskAgain(age: String?, wait: String) throws {
        let now = WallTime(milliseconds: 1_795_238_564_123)
        let fetched = try age.map { text in
            WallTime(milliseconds: now.milliseconds - (try #require(Milliseconds(text))).count)
        }
        #expect(RetrySchedule(.referenceRates).firstWait(lastSuccess: fetched, now: now).description == wait)
    }

    /// The clock was set back: what seems to come from the future is asked for again.
    @Test func aFetchInTheFutureDoesNotCount() {
        let now = WallTime(milliseconds: 1_000)
        #expect(RetrySchedule(.referenceRates).firstWait(lastSuccess: WallTime(milliseconds: 2_000), now: now) == .zero)
    }
}
