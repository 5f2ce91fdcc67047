import Configuration
import Control
import Delivery
import Engine
import EventLoop
import Events
import Foundation
import History
import Market
import Receivers
import Rules
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

/// A state store with an engine and a history that never change.
@LoopActor
private final class StoreScene {
    let store: StateStore
    private let lane = Lane(FeedSettings(), of: Settings(), at: .testStart)

    init(_ folder: StateFolderForTest, boot: String = "boot") {
        store = StateStore(Store(folder: folder.path), bootID: boot, now: .testStart)
    }

    /// A store whose file is open and has been read.
    static func opened(_ folder: StateFolderForTest) throws -> StoreScene {
        let scene = StoreScene(folder)
        _ = try scene.store.open(at: .testStart)
        scene.store.didRestore()
        return scene
    }

    func save(
        _ events: [Event] = [], cursors: [String: Int64] = [:], at seconds: Int64,
        and more: (inout Transaction) -> Void = { _ in }
    ) {
        let now = Instant.testStart.advanced(bySeconds: seconds)
        let change = lane.change().stored
        var new = Transaction(
            time: now.wall, events: events, sources: change.isEmpty ? [] : [change], cursors: cursors)
        if case .everything(let known) = store.extent(at: now) {
            (new.isWhole, new.sources) = (true, [lane.everything(besides: known[lane.name] ?? [])])
        }
        more(&new)
        store.commit(new, at: now)
    }

    func stage(_ events: [Event]) { store.stage(Transaction(time: Instant.testStart.wall, events: events)) }

    func reopen(known: [Event] = [], at seconds: Int64) -> StoredState? {
        store.reopen(known: known, at: .testStart.advanced(bySeconds: seconds))
    }

    func announcement(at seconds: Int64) -> Occurrence? {
        store.announcement(at: .testStart.advanced(bySeconds: seconds))
    }

    var unsaved: [Int64] { store.unsaved.map(\.number) }
}

private func event(_ number: Int64) -> Event { bareEvent(.test, number: number) }
private func events(_ numbers: ClosedRange<Int64>) -> [Event] { numbers.map(event) }
private func wall(_ seconds: Int64) -> WallTime { Instant.testStart.advanced(bySeconds: seconds).wall }

@Suite(.timeLimit(.minutes(10)))
struct StateStoreTests {
    private let folder = StateFolderForTest()

    @Test func anOutageDelaysEventsAndLosesNone() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            scene.save([event(1)], cursors: ["stdout": 1], at: 1)
            #expect(scene.unsaved == [] && scene.store.lastSaved == wall(1))
            scene.store.store.close()
            scene.save([event(2)], cursors: ["stdout": 2], at: 10)
            scene.save([event(3)], cursors: ["stdout": 3], at: 20)
            #expect(scene.unsaved == [2, 3])
            #expect(scene.store.trouble?.error.kind == .closed)
            #expect(scene.store.trouble?.since == .testStart.advanced(bySeconds: 10), "the first failure counts")
            #expect(scene.store.lastSaved == wall(1))
            #expect(scene.announcement(at: 20)?.kind == .storeFailed)
            #expect(scene.announcement(at: 21) == nil)
            #expect(scene.reopen(at: 70) == nil, "its content is known")
            scene.save(cursors: ["stdout": 3], at: 70)
            #expect(!scene.store.isDegraded && scene.unsaved == [] && scene.store.lastSaved == wall(70))
            #expect(
                scene.announcement(at: 70)?.text
                    == "state is saved again after 1m, including 2 events from that time")
            scene.store.close()
            let stored = try Stored(folder)
            #expect(stored.events.map(\.number) == [1, 2, 3])
            #expect(stored.cursors == ["stdout": 3])
        }
    }

    @Test func theOldestEventsAreLostWhenTooManyWait() async throws {
        try await onLoop { [folder] in
            let scene = StoreScene(folder)
            let limit = Int64(WaitingChanges.eventLimit)
            scene.stage(events(1...limit))
            #expect(scene.store.announcer.lostCount == 0)
            #expect(scene.unsaved.count == Int(limit) && scene.unsaved.first == 1)
            for number in 1...3 { scene.stage([event(limit + Int64(number))]) }
            #expect(scene.store.announcer.lostCount == 3)
            #expect(scene.unsaved.count == Int(limit))
            #expect(scene.unsaved.first == 4 && scene.unsaved.last == limit + 3)
        }
    }

    /// While nothing can be saved, what receivers got goes on.
    @Test func settledNotificationsThatWaitHaveALimit() {
        var waiting = WaitingChanges()
        let limit = Int64(WaitingChanges.eventLimit)
        for first in [1, limit] {
            var new = Transaction(time: wall(0))
            new.queues.settled = (first..<first + limit).map {
                NotificationSettlement(
                    receiver: "phone", through: $0, isUrgentOnly: false, state: .delivered, time: wall(0), detail: nil)
            }
            #expect(waiting.add(new) == 0)
        }
        #expect(waiting.settled.map(\.through) == Array(limit..<2 * limit))
    }

    /// A poll that changes nothing does not touch the disk.
    @Test func onlyChangesAreSaved() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            scene.save(at: 1)
            scene.save(at: 2)
            #expect(scene.store.lastSaved == wall(1))
            scene.save(cursors: ["stdout": 1], at: 3)
            scene.save(cursors: ["stdout": 1], at: 4)
            #expect(scene.store.lastSaved == wall(3))
            scene.save(cursors: ["stdout": 1], at: 5) { $0.silences = SilenceList() }
            scene.save(cursors: ["stdout": 1], at: 6)
            #expect(scene.store.lastSaved == wall(5))
            let rates = try rates(19).stored(fetched: wall(6))
            scene.save(cursors: ["stdout": 1], at: 7) { $0.rates = rates }
            scene.save(cursors: ["stdout": 1], at: 8)
            #expect(scene.store.lastSaved == wall(7))
            scene.store.close()
        }
    }

    @Test func cursorsAreSavedOnTheirOwn() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            scene.save([event(1)], cursors: ["stdout": 0], at: 1)
            scene.store.save(cursors: ["stdout": 1], at: .testStart)
            scene.store.close()
            #expect(try Stored(folder).cursors == ["stdout": 1])
            scene.store.save(cursors: ["stdout": 2], at: .testStart.advanced(bySeconds: 5))
            #expect(scene.store.trouble?.error.kind == .closed)
            #expect(scene.store.trouble?.since == .testStart.advanced(bySeconds: 5))
        }
    }

    /// A sink that is turned off does not get the events of that time when it is turned on again.
    @Test func theCursorsOfUnusedSinksRestAtTheEnd() async throws {
        try await onLoop { [folder] in
            let first = try StoreScene.opened(folder)
            #expect(first.store.cursors([:], at: 9) == [:])
            first.save(cursors: ["journal": 1, "stdout": 2], at: 1)
            first.store.close()
            let second = try StoreScene.opened(folder)
            #expect(second.store.cursors([:], at: 9) == ["journal": 9, "stdout": 9])
            #expect(second.store.cursors(["stdout": 3], at: 9) == ["journal": 9, "stdout": 3])
            second.store.close()
        }
    }

    /// What a new file lacks is saved again, as far as it is still known.
    @Test func aNewFileGetsTheKnownEvents() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            scene.save(events(1...3), at: 1)
            scene.store.store.close()
            scene.save([event(4)], at: 2)
            for ending in ["", "-wal", "-shm"] { unsafe unlink(folder.file + ending) }
            #expect(scene.reopen(known: events(2...4), at: 3) == nil)
            #expect(scene.unsaved == [2, 3, 4])
            scene.save(at: 4)
            scene.store.close()
            #expect(try Stored(folder).events.map(\.number) == [2, 3, 4])
        }
    }

    @Test func aFileThatKeptItsEventsDoesNotGetThemTwice() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            scene.save(events(1...3), at: 1)
            #expect(scene.reopen(known: events(1...3), at: 2) == nil, "it is open")
            scene.store.store.close()
            #expect(scene.reopen(known: events(1...3), at: 3) == nil)
            #expect(!scene.store.store.isOpen, "no failure is known yet")
            scene.save([event(4)], at: 4)
            #expect(scene.reopen(known: events(1...4), at: 5) == nil)
            #expect(scene.unsaved == [4])
            scene.store.close()
        }
    }

    @Test func theGapsOfASourceThatIsNoLongerPolledAreDeleted() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            let former = SourceName(unchecked: "kraken")
            let gap = PriceGap(
                id: PriceGap.ID(symbol: try required(Symbol("btcusd")), since: wall(0), until: wall(600)),
                before: try Price("99"),
                watches: [PriceGap.Watch(rule: "high", bound: .max, limit: .price(try Price("110")), currency: nil)])
            var changes = SourceChanges(
                former, engine: .whole(EngineSnapshot(rules: [], alerts: [], checkpoint: [])))
            changes.gaps.added = [gap]
            try scene.store.store.commit(Transaction(time: wall(1), sources: [changes]))
            @LoopActor func gaps() throws -> [PriceGap] {
                try scene.store.store.restore(events: 1).sources.first { $0.name == former }?.gaps ?? []
            }
            #expect(try gaps() == [gap])
            scene.save(at: 2) { $0.sources.append(.removal(of: former)) }
            #expect(try gaps() == [])
            scene.store.close()
        }
    }

    /// The file could not be opened at the start: what it contains comes first.
    @Test func aFileThatIsReadLateReturnsItsContent() async throws {
        try await onLoop { [folder] in
            let first = try StoreScene.opened(folder)
            first.save(events(1...2), at: 1)
            first.store.close()
            try folder.setVersion(99)
            let second = StoreScene(folder)
            #expect(try second.store.open(at: .testStart) == nil)
            #expect(second.store.trouble?.error.kind == .otherSchema)
            second.save([event(1)], at: 2)
            #expect(second.unsaved == [1])
            #expect(second.reopen(at: 2) == nil, "it still cannot be read")
            #expect(second.store.trouble?.since == .testStart, "the first failure counts")
            try folder.setVersion(UInt8(Schema.version))
            let state = try #require(second.reopen(at: 3))
            #expect(state.events.map(\.number) == [1, 2] && state.lastNumber == 2)
            second.store.renumber(NumberShift(first: 1, offset: 2), lacking: [])
            #expect(second.unsaved == [3])
            second.store.close()
        }
    }

    @Test func onlyAFolderInUsePreventsTheStart() async throws {
        try await onLoop { [folder] in
            let first = try StoreScene.opened(folder)
            #expect { try StoreScene(folder).store.open(at: .testStart) } throws: {
                ($0 as? StorageError)?.kind == .inUse
            }
            first.store.close()
        }
    }

    @Test(
        arguments: [("a", "a", true), ("a", "b", false), ("a", nil, false), ("", "", false), ("", nil, false)]
            as [(String, String?, Bool)])
    func bootTimesBelongToOneBoot(own: String, stored: String?, isSame: Bool) async throws {
        try await onLoop { [folder] in
            var state = StoredState()
            state.bootID = stored
            #expect(StoreScene(folder, boot: own).store.isSameBoot(as: state) == isSame)
        }
    }

    @Test func eventsComeFromTheFileOrFromThoseThatWait() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            scene.save(events(1...5), at: 1)
            scene.stage(events(6...8))
            @LoopActor func numbers(_ after: Int64, _ limit: Int) -> [Int64]? {
                scene.store.events(after: after, limit: limit)?.map(\.number)
            }
            #expect(numbers(0, 3) == [1, 2, 3])
            #expect(numbers(4, 9) == [5])
            #expect(numbers(5, 9) == [6, 7, 8])
            #expect(numbers(6, 1) == [7])
            #expect(numbers(8, 9) == [])
            scene.store.store.close()
            #expect(numbers(0, 9) == [6, 7, 8])
            scene.store.close()
        }
    }

    @Test func theStatusNamesTheFailureAndWhatWaits() async throws {
        try await onLoop { [folder] in
            let scene = try StoreScene.opened(folder)
            scene.save(events(1...3), at: 1)
            let good = scene.store.status()
            #expect(good.path == folder.file && good.state == .ok && good.message == nil && good.since == nil)
            #expect(good.unsaved == 0 && good.events == 3 && good.lastSaved == wall(1).description)
            let sizes = try ["", "-wal"].map { ending -> Int in
                let values = try URL(fileURLWithPath: folder.file + ending).resourceValues(forKeys: [.fileSizeKey])
                return values.fileSize ?? 0
            }
            #expect(sizes.allSatisfy { $0 > 0 } && good.bytes == sizes.reduce(0, +))
            scene.store.store.close()
            scene.save([event(4)], at: 5)
            let bad = scene.store.status()
            #expect(bad.state == .degraded && bad.since == wall(5).description && bad.unsaved == 1)
            #expect(bad.message == scene.store.trouble?.error.description && bad.events == 0)
            scene.store.close()
        }
    }

    @Test func retentionFollowsTheSettings() async throws {
        try await onLoop { [folder] in
            let scene = StoreScene(folder)
            var settings = Settings().events
            (settings.keep, settings.count) = (.seconds(77), 88)
            scene.store.setRetention(settings)
            #expect(scene.store.store.options.keepEvents == .seconds(77))
            #expect(scene.store.store.options.mostEvents == 88)
        }
    }
}
