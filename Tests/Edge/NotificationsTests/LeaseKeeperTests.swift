import EventLoop
import Events
import Market
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

/// A store of one record, which may be out of reach.
@LoopActor
private final class FakeStore: LeaseStore {
    var stored: (record: LeaseRecord, revision: UInt64)?
    var isDown = false

    func read() async throws(LeaseError) -> (record: LeaseRecord, revision: UInt64)? {
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
            #expect(changes == [.held])
            #expect(store.stored?.record.holder == "\(instance)@one")
            // The lease cannot be renewed: it ends, and with it the notifying.
            store.isDown = true
            daemon.pass(.seconds(10))
            await keeper.turn()
            #expect(keeper.isHeld)
            daemon.pass(.seconds(17))
            #expect(!keeper.isHeld)
            try daemon.fire()
            daemon.pass(.seconds(1))
            #expect(service.requests.count == 1)
            #expect(changes == [.held, .failed("the connection was refused")])
            store.isDown = false
            await keeper.turn()
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

    @Test func theRecordIsReadAsItWasWritten() {
        let record = LeaseRecord(
            holder: "a@\"b\"", name: "one", isReleased: true, polled: ["wazirx": WallTime(milliseconds: 5)],
            oldest: ["phone": WallTime(milliseconds: 6)])
        #expect(LeaseRecord(record.bytes) == record)
        for text in ["", "{}", "[]", "{\"holder\":1,\"name\":\"x\"}"] { #expect(LeaseRecord(Array(text.utf8)) == nil) }
    }
}
