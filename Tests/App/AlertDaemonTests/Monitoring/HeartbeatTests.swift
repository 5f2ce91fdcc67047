import Configuration
import Delivery
import EventLoop
import Feeds
import Foundation
import HTTP
import Market
import Notifications
import ServiceManager
import Synchronization
import TestSupport
import Testing
import Time

@testable import AlertDaemon

/// Gives one status after the other, then 200, and keeps the addresses.
@LoopActor
private final class FakeService: HTTPFetching, NotificationSending {
    private(set) var addresses: [String] = []
    /// Of the requests that have one.
    private(set) var bodies: [String] = []
    var statuses: [Int] = []
    /// Holds back the answer.
    var gate: OneShot<Void, Never>?

    func get(
        _ address: String, headers: [String: String], ifModifiedSince: WallTime?
    ) async throws(HTTPError) -> HTTPResponse {
        try await answer(address)
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        bodies.append(String(decoding: request.body, as: UTF8.self))
        return try await answer(request.address)
    }

    func send(_ mail: OutgoingMail) async throws(HTTPError) -> MailReply { throw .connectionRefused }

    private func answer(_ address: String) async throws(HTTPError) -> HTTPResponse {
        addresses.append(address)
        if let gate { await gate.wait() }
        let status = statuses.isEmpty ? 200 : statuses.removeFirst()
        if status == 0 { throw .connectionRefused }
        return HTTPResponse(status: status, paddedBody: [])
    }
}

private final class SetClock: TimeSource {
    private let seconds = Mutex<Int64>(0)

    func set(_ time: Int64) { seconds.withLock { $0 = time } }

    func now() -> Instant {
        let milliseconds = seconds.withLock { $0 } * 1_000
        return Instant(boot: BootTime(milliseconds: milliseconds), wall: WallTime(milliseconds: milliseconds))
    }
}

@Suite("Heartbeat", .timeLimit(.minutes(10)))
struct HeartbeatTests {
    /// Polls at these seconds, good or not, and waits for each request.
    @LoopActor
    private func addresses(
        _ polls: [(at: Int64, isGood: Bool)], statuses: [Int] = [], settings: HeartbeatSettings = standard
    ) async throws -> [String] {
        let (service, clock) = (FakeService(), SetClock())
        service.statuses = statuses
        let heartbeat = try #require(
            Heartbeat(
                settings, client: service, sender: service, credentials: Credentials(folder: nil), clock: clock,
                log: Log(isJournal: false, least: .error)))
        for poll in polls {
            clock.set(poll.at)
            heartbeat.report(failing: poll.isGood ? [] : [Self.kraken])
            await heartbeat.untilIdle()
        }
        return service.addresses.map { $0.replacing("https://hc.example.org/1", with: "") }
    }

    private static let kraken = FailingSource(name: SourceName(unchecked: "kraken"), reason: "no answer")
    private static let coins = FailingSource(name: SourceName(unchecked: "coins"), reason: "status 500")

    /// One failing source of several is a failure: nobody watches its alerts.
    @Test func theSourcesThatFailAreNamed() async throws {
        try await onLoop {
            let (service, clock) = (FakeService(), SetClock())
            let heartbeat = try #require(
                Heartbeat(
                    Self.standard, client: service, sender: service, credentials: Credentials(folder: nil),
                    clock: clock, log: Log(isJournal: false, least: .error)))
            for failing in [[], [Self.kraken], [Self.kraken], [Self.kraken, Self.coins], [Self.coins], []] {
                heartbeat.report(failing: failing)
                await heartbeat.untilIdle()
            }
            #expect(
                service.bodies == [
                    "kraken: no answer\n", "kraken: no answer\ncoins: status 500\n", "coins: status 500\n",
                ])
            #expect(service.addresses.count == 5)
        }
    }

    private static let standard: HeartbeatSettings = {
        var settings = HeartbeatSettings()
        settings.url = "https://hc.example.org/1"
        return settings
    }()

    @Test func goodPollsAreReportedOnceAnInterval() async throws {
        try await onLoop {
            let sent = try await addresses([(0, true), (30, true), (59, true), (90, true), (118, true), (119, true)])
            #expect(sent == ["", "", ""])
        }
    }

    @Test func aFailureAndItsEndAreReportedAtOnce() async throws {
        try await onLoop {
            let sent = try await addresses([(0, true), (10, false), (20, false), (69, false), (75, true)])
            #expect(sent == ["", "/fail", "/fail", ""])
        }
    }

    @Test(arguments: [500, 404, 302, 0]) func aRequestThatFailsIsTriedAgainWithTheNextPoll(status: Int) async throws {
        try await onLoop {
            let sent = try await addresses([(0, true), (10, true), (20, true)], statuses: [status])
            #expect(sent == ["", ""])
        }
    }

    @Test func pollsDuringARequestAreNotQueued() async throws {
        try await onLoop {
            let (service, clock) = (FakeService(), SetClock())
            let gate = OneShot<Void, Never>()
            service.gate = gate
            let heartbeat = try #require(
                Heartbeat(
                    Self.standard, client: service, sender: service, credentials: Credentials(folder: nil),
                    clock: clock,
                    log: Log(isJournal: false, least: .error)))
            heartbeat.report(failing: [])
            for isGood in [true, false, true, false] {
                heartbeat.report(failing: isGood ? [] : [Self.kraken])
            }
            service.gate = nil
            gate.finish(.success(()))
            await heartbeat.untilIdle()
            await heartbeat.untilIdle()
            #expect(service.addresses == ["https://hc.example.org/1", "https://hc.example.org/1/fail"])
        }
    }

    @Test func withoutAnAddressThereIsNone() async throws {
        try await onLoop {
            let heartbeat = Heartbeat(
                HeartbeatSettings(), client: FakeService(), sender: FakeService(),
                credentials: Credentials(folder: nil), clock: SetClock(),
                log: Log(isJournal: false, least: .error))
            #expect(heartbeat == nil)
        }
    }

    @Test func aMissingCredentialRequestsNothing() async throws {
        try await onLoop {
            var settings = HeartbeatSettings()
            settings.urlCredential = "heartbeat-url"
            let sent = try await addresses([(0, true), (10, true)], settings: settings)
            #expect(sent.isEmpty)
        }
    }
}
