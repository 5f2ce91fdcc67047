import EventLoop
import Events
import HTTP
import Market
import Receivers
import ServiceManager
import TestSupport
import Testing
import Time

@testable import Notifications

/// A store of one record, which may be out of reach.
@LoopActor
private final class FakeStore: LeaseStore {
    var stored: (record: LeaseRecord, revision: UInt64)?
    var isDown = false
    /// Ends a read that hangs; nil while none does.
    var answer: OneShot<Void, Never>?
    private(set) var readCount = 0

    func read() async throws(LeaseError) -> (record: LeaseRecord, revision: UInt64)? {
        readCount += 1
        await answer?.wait()
        if isDown { throw LeaseError(text: "the connection was refused") }
        return stored
    }

    func write(_ record: LeaseRecord, over revision: UInt64) async throws(LeaseError) -> UInt64? {
        if isDown { throw LeaseError(text: "the connection was refused") }
        guard revision == stored?.revision ?? 0 else { return nil }
        stored = (record, revision + 1)
        return revision + 1
    }
}

@Suite(.timeLimit(.minutes(10)))
struct LeaseKeeperTests {
    private static let settings: LeaseSettings = {
        var settings = LeaseSettings()
        settings.urls = ["nats://127.0.0.1"]
        return settings
    }()

    @LoopActor
    private func daemon(_ store: FakeStore, _ name: String) throws -> (FakeDaemon, LeaseKeeper, FakeService) {
        let daemon = FakeDaemon([receiver(.webhook)])
        let keeper = daemon.service.standBy(Self.settings, instance: instance, name: name, store: store)
        return (daemon, keeper, try required(daemon.services["phone"]))
    }

    @Test func nothingIsSentWithoutTheLease() async throws {
        try await onLoop {
            let store = FakeStore()
            let (daemon, keeper, service) = try self.daemon(store, "one")
            var changes: [LeaseKeeper.Change] = []
            keeper.onChange = { changes.append($0) }
            try daemon.fire(severity: .critical)
            daemon.pass(.seconds(1))
            #expect(service.requests.isEmpty)
            await keeper.turn()
            try await until { service.requests.count == 1 }
            #expect(changes == [.held] && keeper.failure == nil)
            #expect(store.stored?.record.holder == "\(instance)@one")
            // The lease cannot be renewed: it ends, and with it the notifying.
            store.isDown = true
            daemon.pass(.seconds(10))
            await keeper.turn()
            #expect(keeper.isHeld && keeper.failure == "the connection was refused")
            daemon.pass(.seconds(17))
            #expect(!keeper.isHeld)
            try daemon.fire()
            daemon.pass(.seconds(1))
            #expect(service.requests.count == 1)
            #expect(changes == [.held, .failed("the connection was refused")])
            store.isDown = false
            await keeper.turn()
            #expect(keeper.failure == nil)
            try await until { service.requests.count == 2 }
        }
    }

    @Test func theOtherOneTakesOverWithEverythingThatWasNotNotified() async throws {
        try await onLoop {
            let store = FakeStore()
            let (first, one, firstService) = try self.daemon(store, "one")
            let (second, two, secondService) = try self.daemon(store, "two")
            await one.turn()
            await two.turn()
            try first.fire()
            try second.fire()
            try await until { firstService.requests.count == 1 && first.rows["phone"]?[1] == .delivered }
            for daemon in [first, second] {
                daemon.pass(.seconds(10))
                daemon.polled = [SourceName(unchecked: "wazirx"): daemon.clock.now().wall]
            }
            await one.turn()
            await two.turn()
            #expect(second.rows["phone"]?[1] == .dropped && secondService.requests.isEmpty)
            // This event only the one that stands by gets to send.
            try second.fire()
            second.pass(.seconds(29))
            await two.turn()
            #expect(!two.isHeld)
            second.pass(.seconds(1))
            await two.turn()
            #expect(two.isHeld)
            try await until { secondService.ids == ["\(instance)-2"] }
            // The first one comes back, and stands by.
            await one.turn()
            #expect(!one.isHeld && one.lease.other?.name == "two")
        }
    }

    /// A server that hangs for longer than a period does not end the keeping of the lease.
    @Test func aSlowServerIsAskedAgain() async throws {
        try await onLoop {
            var settings = Self.settings
            settings.length = Milliseconds(30)
            let store = FakeStore()
            let daemon = FakeDaemon([receiver(.webhook)])
            let keeper = daemon.service.standBy(settings, instance: instance, name: "one", store: store)
            let answer = OneShot<Void, Never>()
            store.answer = answer
            keeper.start()
            try await until { store.readCount == 1 }
            // Timers expire in order: that of the next turn, after 10 ms, is over after this one.
            let later = OneShot<Void, Never>()
            let timer = LoopTimer { later.finish(.success(())) }
            timer.arm(after: .milliseconds(50))
            await later.wait()
            #expect(store.readCount == 1)
            store.answer = nil
            store.isDown = true
            answer.finish(.success(()))
            try await until { store.readCount >= 2 }
            store.isDown = false
            try await until { keeper.isHeld }
            await keeper.stop()
        }
    }

    /// With all servers but the last hanging, a renewal ends before the next one is due.
    @Test(arguments: 1...5)
    func allServersFitBetweenTwoRenewals(count: Int) async throws {
        try await onLoop {
            var settings = Self.settings
            settings.urls = (1...count).map { "nats://192.0.2.\($0)" }
            var asked: [HTTPConfiguration] = []
            let environment = NotificationEnvironment(
                clock: HandClock(), credentials: Credentials(folder: nil),
                client: { configuration in
                    asked.append(configuration)
                    return FakeService()
                })
            _ = environment.client(for: settings)
            let limits = try required(asked.first)
            let period = Lease(holder: "one", length: settings.length).period
            #expect(limits.totalLimit.times(Int64(count)) <= period)
            #expect(limits.connectLimit <= limits.totalLimit && limits.connectLimit <= .seconds(5))
            #expect(limits.connectLimit >= .seconds(1))
        }
    }

    /// The clock of the other one is ahead, or its record is forged.
    @Test(arguments: [6, 3_600, Int64.max / 1_000 - sampleTime.milliseconds / 1_000])
    func timesOfTheFutureCoverNothing(seconds: Int64) async throws {
        try await onLoop {
            let store = FakeStore()
            let (daemon, keeper, _) = try self.daemon(store, "one")
            try daemon.fire()
            var record = LeaseRecord(holder: "x", name: "two")
            record.polled["wazirx"] = WallTime(milliseconds: sampleTime.milliseconds + seconds * 1_000)
            store.stored = (record, 4)
            await keeper.turn()
            #expect(daemon.rows["phone"]?[1] == .queued)
            record.polled["wazirx"] = WallTime(milliseconds: sampleTime.milliseconds + 5_000)
            store.stored = (record, 5)
            await keeper.turn()
            #expect(daemon.rows["phone"]?[1] == .dropped)
        }
    }

    /// The record comes from outside, and the name is stored with each event that it covers.
    @Test func aForgedNameIsShortAndPlain() throws {
        let name = "a\u{1B}[2J\n\u{202E}" + String(repeating: "x", count: 10_000)
        let record = try required(LeaseRecord(LeaseRecord(holder: "h", name: name).bytes))
        #expect(record.name.hasPrefix("a?[2J?") && record.name.utf8.count <= 64)
        #expect(record.name.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test func stoppingGivesTheLeaseUp() async throws {
        try await onLoop {
            let store = FakeStore()
            let (_, one, _) = try self.daemon(store, "one")
            let (_, two, _) = try self.daemon(store, "two")
            await one.turn()
            await one.stop()
            #expect(!one.isHeld && store.stored?.record.isReleased == true)
            await two.turn()
            #expect(two.isHeld)
        }
    }

    @Test func aTestSaysThatAnotherOneNotifies() async throws {
        try await onLoop {
            let store = FakeStore()
            store.stored = (LeaseRecord(holder: "x", name: "two"), 4)
            let (daemon, keeper, _) = try self.daemon(store, "one")
            await keeper.turn()
            let outcome = await daemon.service.outcome(of: 1, at: "phone", within: .seconds(1))
            #expect(outcome == .waiting("another alertd holds the lease"))
        }
    }

    /// Nobody knows of another daemon if the server cannot be asked.
    @Test func aTestSaysThatTheLeaseCannotBeKept() async throws {
        try await onLoop {
            let store = FakeStore()
            let (daemon, keeper, _) = try self.daemon(store, "one")
            let early = await daemon.service.outcome(of: 1, at: "phone", within: .seconds(1))
            #expect(early == .waiting("the lease is not held yet"))
            store.isDown = true
            await keeper.turn()
            let outcome = await daemon.service.outcome(of: 1, at: "phone", within: .seconds(1))
            #expect(outcome == .waiting("the lease cannot be kept: the connection was refused"))
        }
    }

    @Test func theRecordIsReadAsItWasWritten() {
        let record = LeaseRecord(
            holder: "a@\"b\"", name: "one", isReleased: true, polled: ["wazirx": WallTime(milliseconds: 5)],
            oldest: ["phone": WallTime(milliseconds: 6)])
        #expect(LeaseRecord(record.bytes) == record)
        for text in ["", "{}", "[]", "{\"holder\":1,\"name\":\"x\"}"] { #expect(LeaseRecord(Array(text.utf8)) == nil) }
    }
}
