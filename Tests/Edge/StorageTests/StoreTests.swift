import Engine
import Events
import Glibc
import Market
import Testing
import Time

@testable import Storage

struct StoreTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func opened() throws -> Store {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        return store
    }

    @Test func aNewStoreIsEmpty() throws {
        let store = Store(folder: folder.path)
        #expect(try store.open(at: noon) == [.created])
        let state = try store.restore()
        #expect(state.lastNumber == 0)
        #expect(state.engine == nil)
        #expect(state.events.isEmpty && state.blocks.isEmpty && state.parts.isEmpty && state.cursors.isEmpty)
        #expect(!store.isReadOnly)
    }

    @Test func everythingComesBack() throws {
        let events = [Sample.bare(1), try Sample.full(2)]
        let block = try Sample.block(7, bytes: (0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let part = StoredOpenRows(block: 8, firstRow: 20, rowCount: 10, bytes: [])
        let day = try #require(CivilDate("2026-11-20"))
        let rate = StoredRate(
            source: "ecb", date: day, currency: try Sample.currency("SEK"), rate: try Sample.price("10.9830"),
            fetched: noon)
        let store = try opened()
        try store.commit(
            Transaction(
                time: noon, events: events, engine: .whole(try Sample.engine()),
                history: HistoryChanges(sealed: [block], parts: [part]), cursors: ["journal": 2, "stdout": 1],
                rates: [rate], bootID: "boot"))
        store.close()
        #expect(try store.open(at: noon).isEmpty)
        let state = try store.restore()
        #expect(state.lastNumber == 2)
        #expect(state.events == events)
        #expect(state.engine == (try Sample.engine()))
        #expect(state.bootID == "boot")
        #expect(state.blocks.map(\.bytes) == [block.bytes])
        #expect(state.blocks.map(\.newest) == [block.newest])
        #expect(state.parts == [part])
        #expect(state.cursors == ["journal": 2, "stdout": 1])
        #expect(state.rates == [rate])
    }

    @Test func changedLimitsAreReplacedAsAWhole() throws {
        let store = try opened()
        let first = try Sample.override("b", .max, currency: "INR", name: "alice")
        let second = try Sample.override("a", .min, currency: nil, name: nil)
        try store.commit(Transaction(time: noon, overrides: [first, second]))
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        #expect(try store.restore().overrides == [first, second])
        try store.commit(Transaction(time: noon, overrides: [second]))
        #expect(try store.restore().overrides == [second])
        try store.commit(Transaction(time: noon, overrides: []))
        #expect(try store.restore().overrides.isEmpty)
    }

    @Test func pricesKeepTheirZeros() throws {
        let store = try opened()
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        #expect(try store.restore().events.first?.occurrence.price.map { "\($0)" } == "7500000.10")
    }

    @Test func aPartOfTheEngineReplacesWhatChanged() throws {
        let store = try opened()
        try store.commit(Transaction(time: noon, engine: .whole(try Sample.engine())))
        let firing = try Sample.alert("a", "ethusdt", .min, state: "firing", encodedState: "other")
        let new = try Sample.alert("a", "xrpusdt", .min)
        let record = EngineRecord(bytes: [5, 6])
        try store.commit(Transaction(time: noon, engine: .part(alerts: [firing, new], state: .record(record))))
        var expected = try Sample.engine()
        expected.alerts[1] = firing
        expected.alerts.append(new)
        expected.records = [[5, 6]]
        #expect(try store.restore().engine == expected)
    }

    @Test func aCheckpointReplacesTheRecords() throws {
        let store = try opened()
        try store.commit(Transaction(time: noon, engine: .whole(try Sample.engine())))
        let record = StateChange.record(EngineRecord(bytes: [5]))
        for change in [record, record, .checkpoint([[7]]), record] {
            try store.commit(Transaction(time: noon, engine: .part(alerts: [], state: change)))
        }
        var expected = try Sample.engine()
        (expected.checkpoint, expected.records) = ([[7]], [[5]])
        #expect(try store.restore().engine == expected)
    }

    @Test func aWholeEngineReplacesAll() throws {
        let store = try opened()
        try store.commit(Transaction(time: noon, engine: .whole(try Sample.engine())))
        let empty = EngineSnapshot(rules: [], alerts: [], checkpoint: [[1]])
        try store.commit(Transaction(time: noon, engine: .whole(empty)))
        #expect(try store.restore().engine == empty)
    }

    @Test func aSealedBlockTakesThePlaceOfItsParts() throws {
        let store = try opened()
        let parts = [0, 10].map { StoredOpenRows(block: 3, firstRow: $0, rowCount: 10, bytes: [9]) }
        let other = StoredOpenRows(block: 4, firstRow: 0, rowCount: 1, bytes: [8])
        try store.commit(Transaction(time: noon, history: HistoryChanges(parts: parts)))
        try store.commit(
            Transaction(time: noon, history: HistoryChanges(sealed: [try Sample.block(3)], parts: [other])))
        #expect(try store.restore().parts == [other])
        #expect(try store.storedBlocks() == [firstSource: [3]])
    }

    @Test func blocksGoWithTheirStretches() throws {
        let store = try opened()
        let blocks = try (1...4).map { try Sample.block($0) }
        try store.commit(Transaction(time: noon, history: HistoryChanges(sealed: blocks)))
        try store.commit(Transaction(time: noon, history: HistoryChanges(removed: [1])))
        try store.commit(
            Transaction(time: noon, history: HistoryChanges(sealed: [try Sample.block(5)], kept: [2, 4])))
        #expect(try store.storedBlocks() == [firstSource: [2, 4, 5]])
        #expect(try store.openDatabase().number("SELECT count(*) FROM block_symbol") == 3)
    }

    @Test func theSameEventTwiceIsOne() throws {
        let store = try opened()
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        try store.commit(Transaction(time: noon, events: [try Sample.full(1), Sample.bare(2)]))
        #expect(try store.restore().events.map(\.number) == [1, 2])
    }

    @Test func aNumberIsNotGivenToAnotherEvent() throws {
        let store = try opened()
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        let changes = Transaction(time: noon, events: [Sample.bare(1), Sample.bare(2)], cursors: ["journal": 2])
        let error = #expect(throws: StorageError.self) { try store.commit(changes) }
        #expect(error?.kind == .numberTaken)
        let state = try store.restore()
        #expect(state.events == [try Sample.full(1)])
        #expect(state.cursors.isEmpty)
        #expect(store.isOpen)
    }

    @Test func cursorsAreSavedAlone() throws {
        let store = try opened()
        try store.saveCursors(["journal": 5])
        try store.saveCursors(["stdout": 6])
        #expect(try store.restore().cursors == ["journal": 5, "stdout": 6])
        try store.commit(Transaction(time: noon, events: [Sample.bare(7)]))
        #expect(try store.openDatabase().pragma("PRAGMA synchronous") == "2")
    }

    @Test func aClosedStoreSaysSo() throws {
        let store = Store(folder: folder.path)
        let error = #expect(throws: StorageError.self) { try store.commit(Transaction(time: noon)) }
        #expect(error?.kind == .closed)
    }

    @Test func nobodyElseMayUseTheFolder() throws {
        let first = try opened()
        let second = Store(folder: folder.path)
        let error = #expect(throws: StorageError.self) { try second.open(at: noon) }
        #expect(error?.kind == .inUse)
        #expect(error?.description.contains("in use by process \(getpid())") == true)
        _ = try first.open(at: noon)
    }
}
