import EventLoop
import Events
import HTTP
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

/// Notifications that are older than the `max_age` of their receiver are dropped.
@Suite("Old notifications", .timeLimit(.minutes(10)))
struct ExpiryTests {
    private static func hook(_ change: (inout Receiver) -> Void = { _ in }) -> Receiver {
        receiver(.webhook) {
            $0.name = "hook"
            change(&$0)
        }
    }

    /// Nothing else happens than that the timer of the receiver ends: neither a poll nor an attempt.
    @Test(arguments: [FakeService.Answer.status(401), .status(503, headers: ["retry-after": "3600"])])
    func oldOnesExpireByThemselves(answer: FakeService.Answer) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook { $0.maximumAge = Milliseconds(20) }])
            let hook = try #require(daemon.services["hook"])
            hook.answers = [answer]
            try daemon.fire(2)
            try await until { daemon.service.views[0].progress.failures == 1 && !daemon.service.isAtRest }
            #expect(daemon.rows["hook"] == [1: .queued, 2: .queued])
            daemon.clock.advance(Milliseconds(21))
            try await until { daemon.rows["hook"] == [1: .expired, 2: .expired] }
            let progress = daemon.service.views[0].progress
            #expect(progress.expired == 2 && progress.attempts == 1 && progress.nextAttempt == nil)
            #expect(daemon.service.views[0].queued.isEmpty && daemon.batches["hook"] == nil)
            #expect(daemon.service.isAtRest && hook.requests.count == 1)
        }
    }

    /// What quiet hours hold back does not age in them, so that there is nothing to look at before they end.
    @Test func theTimeUntilExpiryDoesNotEndInQuietHours() async throws {
        try await onLoop {
            let quiet = { (receiver: inout Receiver) in
                receiver.quiet = QuietHours("01:00-09:00")
                receiver.maximumAge = .seconds(3_600)
            }
            let daemon = FakeDaemon([Self.hook(quiet)]) { time in
                30 + Int(time.milliseconds / 60_000 - sampleTime.milliseconds / 60_000)
            }
            let worker = try #require(daemon.service.workers["hook"])
            #expect(worker.timeUntilExpiry == nil)
            daemon.services["hook"]?.answers = [.status(401)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.stopReason != nil }
            #expect(worker.timeUntilExpiry == Milliseconds(3_600_001))
            daemon.pass(.seconds(5 * 3_600 - 1_800))
            let elapsed = sampleTime.milliseconds.floored(by: 60_000).remainder
            let left = Milliseconds(4 * 3_600_000 - elapsed)
            #expect(worker.timeUntilExpiry == left)
            // An urgent one ages.
            try daemon.fire(severity: .critical)
            #expect(worker.timeUntilExpiry == Milliseconds(3_600_001))
            daemon.pass(.seconds(3_600))
            #expect(worker.timeUntilExpiry == Milliseconds(1))
            daemon.pass(Milliseconds(1))
            try await until { daemon.rows["hook"]?[3] == .expired }
            #expect(worker.timeUntilExpiry == Milliseconds(left.count - 3_600_001))
            daemon.pass(Milliseconds(left.count - 3_600_001))
            #expect(worker.timeUntilExpiry == Milliseconds(1_800_001 + elapsed) && daemon.rows["hook"]?[1] == .queued)
        }
    }

    /// The clock was set back, or the file is damaged.
    @Test(arguments: [nil, QuietHours("01:00-09:00")])
    func eventsOfTheFutureAreLookedAtLater(quiet: QuietHours?) async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook { $0.quiet = quiet }])
            let entry = QueuedNotification(number: 1, isUrgent: false, time: WallTime(milliseconds: .max))
            daemon.service.restore(StoredQueues(queued: ["hook": [entry]]))
            let wait = daemon.service.workers["hook"]?.timeUntilExpiry
            #expect(wait == Milliseconds(Receiver.standardAge.count + 1))
        }
    }

    @Test func oldOnesExpire() async throws {
        try await onLoop {
            let daemon = FakeDaemon([Self.hook()])
            daemon.services["hook"]?.answers = [.failure(.connectionRefused)]
            try daemon.fire(2)
            try await until { daemon.service.views[0].progress.failures == 1 }
            daemon.pass(.seconds(6 * 3_600 + 1))
            try await until { daemon.rows["hook"] == [1: .expired, 2: .expired] }
            #expect(daemon.service.views[0].progress.expired == 2)
        }
    }

    /// What the user wanted to have later is not too old then; what could have been sent is.
    @Test func quietHoursDoNotCountTowardsTheAge() async throws {
        try await onLoop {
            let quiet = { (receiver: inout Receiver) in
                receiver.quiet = QuietHours("00:00-08:00")
                receiver.maximumAge = .seconds(3_600)
            }
            let daemon = FakeDaemon([Self.hook(quiet)]) { time in
                Int((time.milliseconds - sampleTime.milliseconds) / 60_000) % 1_440
            }
            let hook = try #require(daemon.services["hook"])
            hook.answers = [.status(503), .status(503)]
            try daemon.fire(2)
            try daemon.fire(severity: .critical)
            try await until { daemon.service.views[0].progress.failures == 1 }
            daemon.pass(.seconds(3_601))
            try await until { daemon.rows["hook"] == [1: .queued, 2: .queued, 3: .expired] }
            daemon.pass(.seconds(7 * 3_600 - 1))
            try await until { daemon.service.views[0].progress.failures == 2 }
            // An hour after the end, which is all that counts.
            daemon.pass(.seconds(3_600))
            try await until { daemon.rows["hook"]?[2] == .delivered }
            #expect(daemon.rows["hook"]?[1] == .delivered && daemon.rows["hook"]?[3] == .expired)
            hook.answers = [.status(503)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.failures == 3 }
            let last = try #require(daemon.events.last?.number)
            daemon.pass(.seconds(3_601))
            try await until { daemon.rows["hook"]?[last] == .expired }
        }
    }
}
