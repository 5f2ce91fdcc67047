import Feeds
import HTTP
import Market
import Testing
import Time

@Suite struct PollScheduleTests {
    private var least = Extreme(value: 1 << 53)
    private var most = Extreme(value: .max)

    private static func failure(_ kind: FeedFailure.Kind, asked: Int64? = nil) -> RetrySchedule.Outcome {
        FeedFailure(kind, "m", retryAfter: asked.map { .seconds($0) }).outcome
    }

    @Test(arguments: [(30_000, 31_000), (10_000, 10_500), (100, 105), (1, 1)] as [(Int64, Int64)])
    mutating func afterASuccessTheIntervalAndALittleMore(interval: Int64, latest: Int64) {
        var schedule = RetrySchedule(.polling(every: Milliseconds(interval)))
        #expect(schedule.next(after: .success, random: &least).count == interval)
        #expect(schedule.next(after: .success, random: &most).count == latest)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var outcomes: [RetrySchedule.Outcome]
        var seconds: [Int64]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(
            name: "doubling to a quarter of an hour, and back at once",
            outcomes: Array(repeating: failure(.timeout), count: 7) + [.success, failure(.refused)],
            seconds: [30, 60, 120, 240, 480, 900, 900, 30, 30]),
        Row(
            name: "the server is obeyed, and its word does not shorten a wait",
            outcomes: [
                failure(.rateLimited, asked: 100), failure(.rateLimited, asked: 1), failure(.serverError, asked: 3_000),
                failure(.timeout),
            ],
            seconds: [100, 60, 3_000, 240]),
        Row(
            name: "bans and the firewall begin at two minutes",
            outcomes: [failure(.banned), failure(.forbidden), .success, failure(.timeout), failure(.forbidden)],
            seconds: [120, 240, 30, 30, 120]),
        Row(
            name: "at most three days",
            outcomes: [failure(.banned, asked: 259_200), failure(.banned, asked: .max), failure(.banned, asked: 0)],
            seconds: [259_200, 259_200, 480]),
    ])
    mutating func waits(row: Row) {
        var schedule = RetrySchedule(.polling(every: .seconds(30)))
        for (outcome, seconds) in zip(row.outcomes, row.seconds) {
            #expect(schedule.next(after: outcome, random: &least) == .seconds(seconds))
        }
    }

    @Test mutating func anIntervalAboveTheLongestBackoffStands() {
        var schedule = RetrySchedule(.polling(every: .seconds(3_600)))
        for _ in 0..<5 {
            #expect(schedule.next(after: Self.failure(.timeout), random: &least) == .seconds(3_600))
        }
    }

    @Test func noWaitIsEverShorterThanTheIntervalOrThanAsked() {
        var random = TestRandom(state: 7)
        var schedule = RetrySchedule(.polling(every: .seconds(10)))
        for _ in 0..<5_000 {
            let asked = Bool.random(using: &random) ? Int64.random(in: 0...3_600, using: &random) : nil
            let kind = FeedFailure.Kind.allCases.randomElement(using: &random) ?? .other
            let isGood = Int.random(in: 0..<8, using: &random) == 0
            let wait = schedule.next(after: isGood ? .success : Self.failure(kind, asked: asked), random: &random)
            #expect(wait >= .seconds(10))
            if !isGood, let asked { #expect(wait >= .seconds(asked)) }
            let longest = max(900, isGood ? 0 : asked ?? 0)
            #expect(wait <= Milliseconds(longest * 1_000 + 1_000))
        }
    }

    @Test func jitterDiffersFromPollToPoll() {
        var random = TestRandom(state: 1)
        var schedule = RetrySchedule(.polling(every: .seconds(30)))
        let waits = Set((0..<50).map { _ in schedule.next(after: .success, random: &random) })
        #expect(waits.count > 10)
    }
}
