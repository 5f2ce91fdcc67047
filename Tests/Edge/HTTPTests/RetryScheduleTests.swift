import Testing
import Time

@testable import HTTP

/// Draws the lower end of each range.
private struct Least: RandomNumberGenerator {
    mutating func next() -> UInt64 { 1 << 53 }
}

/// Draws the upper end of each range.
private struct Most: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
}

struct RetryScheduleTests {
    private static let policy = RetryPolicy(
        interval: .seconds(60), firstBackoff: .seconds(10), longestBackoff: .seconds(35),
        jitter: .init(divisor: 6, most: .seconds(9)), backoffJitter: .init(divisor: 2, most: .seconds(30)))
    private static let failure = RetrySchedule.Outcome.failure(atLeast: nil, retryAfter: nil)

    private func waits(_ outcomes: [RetrySchedule.Outcome], random: some RandomNumberGenerator = Least()) -> [Int64] {
        var schedule = RetrySchedule(Self.policy)
        var random = random
        return outcomes.map { schedule.next(after: $0, random: &random).count / 1_000 }
    }

    @Test func failuresDoubleTheWaitUpToTheLongestAndASuccessEndsThem() {
        #expect(
            waits([Self.failure, Self.failure, Self.failure, Self.failure, .success, Self.failure])
                == [10, 20, 35, 35, 60, 10])
    }

    @Test func laterWaitsBuildOnTheShortestOneOfAFailureButNotOnWhatTheServerAskedFor() {
        #expect(
            waits([.failure(atLeast: .seconds(15), retryAfter: .seconds(100)), Self.failure, Self.failure])
                == [100, 30, 35])
    }

    @Test func theServerIsObeyedForThreeDaysAtMost() {
        #expect(waits([.failure(atLeast: nil, retryAfter: Milliseconds(.max))]) == [3 * 86_400])
    }

    @Test func jitterIsAShareOfTheWaitWithinALimit() {
        #expect(
            waits([.success, Self.failure, .failure(atLeast: nil, retryAfter: .seconds(100))], random: Most())
                == [69, 15, 130])
    }

    @Test(arguments: [(nil, 0), (0, 60), (59, 1), (60, 0), (-1, 0)] as [(Int64?, Int64)])
    func atTheStartTheRestOfTheIntervalIsWaited(age: Int64?, wait: Int64) {
        let now = WallTime(milliseconds: 1_000_000)
        let last = age.map { WallTime(milliseconds: now.milliseconds - $0 * 1_000) }
        #expect(RetrySchedule(Self.policy).firstWait(lastSuccess: last, now: now) == .seconds(wait))
    }

    @Test func aPolicyNeverWaitsLessThanAMillisecond() {
        let none = RetryPolicy(
            interval: .zero, firstBackoff: .zero, longestBackoff: .zero, jitter: .init(divisor: 0, most: .zero),
            backoffJitter: .init(divisor: 0, most: .zero))
        var schedule = RetrySchedule(none)
        var random = Most()
        #expect(schedule.next(after: .success, random: &random) == Milliseconds(1))
        #expect(schedule.next(after: Self.failure, random: &random) == Milliseconds(1))
    }
}
