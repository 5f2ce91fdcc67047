import Feeds
import Market
import Testing
import Time

@Suite struct PollScheduleTests {
    private var least = Extreme(value: 1 << 53)
    private var most = Extreme(value: .max)

    private static func failure(_ kind: FeedFailure.Kind, asked: Int64? = nil) -> PollSchedule.Outcome {
        .failure(kind, retryAfter: asked.map { .seconds($0) })
    }

    @Test(arguments: [(30_000, 31_000), (10_000, 10_500), (100, 105), (1, 1)] as [(Int64, Int64)])
    mutating func afterASuccessTheIntervalAndALittleMore(interval: Int64, latest: Int64) {
        var schedule = PollSchedule(interval: Milliseconds(interval))
        #expect(schedule.next(after: .success, random: &least).count == interval)
        #expect(schedule.next(after: .success, random: &most).count == latest)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var outcomes: [PollSchedule.Outcome]
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
                failure(.rateLimited, asked: 100), failure(.rateLimited, asked: 1), failure(.serverError, asked: 4_000),
                failure(.timeout),
            ],
            seconds: [100, 60, 4_000, 240]),
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
        var schedule = PollSchedule(interval: .seconds(30))
        for (outcome, seconds) in zip(row.outcomes, row.seconds) {
            #expect(schedule.next(after: outcome, random: &least) == .seconds(seconds))
        }
    }

    @Test mutating func anIntervalAboveTheLongestBackoffStands() {
        var schedule = PollSchedule(interval: .seconds(3_600))
        for _ in 0..<5 {
            #expect(schedule.next(after: Self.failure(.timeout), random: &least) == .seconds(3_600))
        }
    }

    @Test func noWaitIsEverShorterThanTheIntervalOrThanAsked() {
        var random = TestRandom(state: 7)
        var schedule = PollSchedule(interval: .seconds(10))
        for _ in 0..<5_000 {
            let asked = Bool.random(using: &random) ? Int64.random(in: 0...5_000, using: &random) : nil
            let kind = FeedFailure.Kind.allCases.randomElement(using: &random) ?? .other
            let isGood = Int.random(in: 0..<8, using: &random) == 0
            let wait = schedule.next(
                after: isGood ? .success : .failure(kind, retryAfter: asked.map { .seconds($0) }), random: &random)
            #expect(wait >= .seconds(10))
            if !isGood, let asked { #expect(wait >= .seconds(asked)) }
            let longest = max(900, isGood ? 0 : asked ?? 0)
            #expect(wait <= Milliseconds(longest * 1_000 + 1_000))
        }
    }

    @Test func jitterDiffersFromPollToPoll() {
        var random = TestRandom(state: 1)
        var schedule = PollSchedule(interval: .seconds(30))
        let waits = Set((0..<50).map { _ in schedule.next(after: .success, random: &random) })
        #expect(waits.count > 10)
    }
}

@Suite struct FailureReporterTests {
    private static let refused = FeedFailure(.refused, "refused", advice: "look")
    private static let timeout = FeedFailure(.timeout, "timeout", advice: "look")

    private func at(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1_000) }

    @Test func aFailureIsSaidAtOnceAndThenEveryQuarterOfAnHour() {
        var reporter = FailureReporter()
        var said: [Int64: FailureReporter.Report] = [:]
        for second in stride(from: Int64(0), through: 1_900, by: 10) {
            said[second] = reporter.failed(Self.refused, at: at(second))
        }
        #expect(
            said == [
                0: .failed(Self.refused, count: 1, over: .zero),
                900: .failed(Self.refused, count: 90, over: .seconds(900)),
                1_800: .failed(Self.refused, count: 90, over: .seconds(900)),
            ])
    }

    @Test func aNewKindIsSaidAtOnceButTwoThatAlternateAreNot() {
        var reporter = FailureReporter()
        #expect(reporter.failed(Self.refused, at: at(0)) != nil)
        #expect(reporter.failed(Self.timeout, at: at(1)) == .failed(Self.timeout, count: 1, over: .zero))
        for second in Int64(2)..<100 {
            #expect(reporter.failed(second % 2 == 0 ? Self.refused : Self.timeout, at: at(second)) == nil)
        }
    }

    @Test func recoveryIsSaidOnce() {
        var reporter = FailureReporter()
        #expect(reporter.succeeded(at: at(0)) == nil)
        _ = reporter.failed(Self.refused, at: at(10))
        _ = reporter.failed(Self.timeout, at: at(20))
        #expect(reporter.isFailing)
        #expect(reporter.succeeded(at: at(50)) == .recovered(failures: 2, after: .seconds(40)))
        #expect(!reporter.isFailing)
        #expect(reporter.succeeded(at: at(60)) == nil)
    }

    /// Every other poll fails for an hour: four outages are said with their ends, not a hundred and eighty.
    @Test func aFeedThatComesAndGoesIsNotNoisy() {
        var reporter = FailureReporter()
        var said: [FailureReporter.Report] = []
        for second in stride(from: Int64(0), to: 3_600, by: 20) {
            if let report = reporter.failed(Self.refused, at: at(second)) { said.append(report) }
            #expect(reporter.isFailing)
            if let report = reporter.succeeded(at: at(second + 10)) { said.append(report) }
        }
        let end = FailureReporter.Report.recovered(failures: 1, after: .seconds(10))
        let again = FailureReporter.Report.failed(Self.refused, count: 45, over: .seconds(900))
        #expect(said == [.failed(Self.refused, count: 1, over: .zero), end, again, end, again, end, again, end])
    }

    @Test func anOutageAfterOneThatWasSaidIsSaidWhenItLasts() {
        var reporter = FailureReporter()
        _ = reporter.failed(Self.refused, at: at(0))
        _ = reporter.succeeded(at: at(10))
        let said = stride(from: Int64(300), through: 1_000, by: 10).first {
            reporter.failed(Self.refused, at: at($0)) != nil
        }
        #expect(said == 900)
        #expect(reporter.succeeded(at: at(1_000)) == .recovered(failures: 61, after: .seconds(700)))
    }
}
