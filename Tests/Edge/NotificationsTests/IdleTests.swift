import EventLoop
import Events
import HTTP
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

/// A server that nobody uses at night should sleep: receivers whose queues are empty have neither timers nor tasks.
@Suite("Receivers without work", .timeLimit(.minutes(10)))
struct IdleTests {
    /// As many receivers as the settings may have.
    private static let receivers: [Receiver] = {
        let kinds: [ReceiverKind] = [.webhook, .ntfy]
        return (0..<Receiver.limit).map { index in
            receiver(kinds[index % kinds.count]) {
                $0.name = "r\(index)"
                $0.group = .seconds(10)
                $0.perMinute = 2
            }
        }
    }()

    /// Commits an event, and waits until the group's time is over and every receiver has it.
    @LoopActor
    private static func deliver(_ daemon: FakeDaemon) async throws {
        try daemon.fire()
        #expect(!daemon.service.isAtRest)
        daemon.pass(.seconds(10))
        try await until { daemon.service.views.allSatisfy(\.queued.isEmpty) }
        #expect(await Self.isAtRest(daemon))
    }

    /// Whether nothing is left when the attempts in progress have ended. A timer would wake the process once more.
    @LoopActor
    private static func isAtRest(_ daemon: FakeDaemon) async -> Bool {
        for worker in daemon.service.workers.values { await worker.untilIdle() }
        return daemon.service.isAtRest
    }

    @Test func nothingWakesTheProcess() async throws {
        try await onLoop {
            let daemon = FakeDaemon(Self.receivers)
            #expect(daemon.service.isAtRest)
            // A poll without events.
            daemon.service.wake()
            daemon.service.sendPrices()
            #expect(daemon.service.isAtRest)
            // More than the limit for a minute, so that there was something to wait for.
            for _ in 0..<3 {
                try await Self.deliver(daemon)
                daemon.pass(.seconds(60))
                #expect(daemon.service.isAtRest)
            }
        }
    }

    /// After failures, a drop and the end of a receiver, nothing is left of the wait for the next attempt.
    @Test func failuresLeaveNoTimer() async throws {
        try await onLoop {
            let hook = receiver(.webhook) { $0.name = "hook" }
            let daemon = FakeDaemon([hook])
            let service = try #require(daemon.services["hook"])
            service.answers = [.status(500), .status(200), .status(500), .status(400), .status(401)]
            try daemon.fire()
            try await until { daemon.service.views[0].progress.failures == 1 }
            try await until { !daemon.service.isAtRest && service.answers.count == 4 }
            daemon.pass(.seconds(2))
            #expect(await Self.isAtRest(daemon))
            #expect(daemon.service.views[0].queued.isEmpty)

            try daemon.fire()
            try await until { daemon.service.views[0].progress.failures == 2 }
            #expect(!daemon.service.isAtRest)
            _ = daemon.service.drop("hook", by: UserIdentity(id: 0))
            #expect(daemon.service.isAtRest)

            try daemon.fire()
            try await until { daemon.rows["hook"]?[3] == .refused }
            #expect(await Self.isAtRest(daemon))

            // A refused credential: it keeps its queue, and waits for another one, until all of the queue is too old.
            daemon.pass(.seconds(60))
            try daemon.fire()
            try await until { daemon.service.views[0].progress.stopReason != nil }
            #expect(!daemon.service.isAtRest && daemon.service.views[0].queued.count == 1)
            daemon.pass(Milliseconds(hook.maximumAge.count + 1))
            #expect(await Self.isAtRest(daemon))
            #expect(daemon.service.views[0].queued.isEmpty)
        }
    }
}
