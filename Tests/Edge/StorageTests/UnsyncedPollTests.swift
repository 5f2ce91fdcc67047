import Engine
import Events
import Rules
import TestSupport
import Testing
import Time

@testable import Storage

/// A poll that changed nothing does not wait for the disk, but everything else does.
struct UnsyncedPollTests {
    private let folder: TestFolder
    private let vfs = FaultVFS()
    private let store: Store

    init() throws {
        folder = try TestFolder(inMemory: true)
        var options = StoreOptions()
        options.vfs = vfs.name
        store = Store(folder: folder.path, options: options)
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, engine: .whole(try Sample.engine())))
    }

    private func unchanged(at seconds: Int64) -> Transaction {
        Sample.unchanged(at: seconds, [UInt8(truncatingIfNeeded: seconds)])
    }

    private func syncs(of changes: Transaction) throws -> Int64 {
        vfs.arm([.sync], which: 0, .device)
        try store.commit(changes)
        return vfs.calls
    }

    @Test func itDoesNotWait() throws {
        #expect(try syncs(of: unchanged(at: 1)) == 0)
        #expect(try syncs(of: unchanged(at: 59)) == 0)
        #expect(try store.restore().parts.count == 2)
    }

    @Test func itWaitsOnceAMinute() throws {
        _ = try syncs(of: unchanged(at: 1))
        #expect(try syncs(of: unchanged(at: 60)) > 0)
        #expect(try syncs(of: unchanged(at: 61)) == 0)
        // The clock was set back.
        #expect(try syncs(of: unchanged(at: 30)) > 0)
    }

    @Test func theFirstAfterTheStartWaits() throws {
        store.close()
        _ = try store.open(at: noon)
        #expect(try syncs(of: unchanged(at: 1)) > 0)
    }

    @Test(arguments: 0..<9)
    func everythingElseWaits(number: Int) throws {
        var changes = unchanged(at: 1)
        switch number {
        case 0: changes.events = [Sample.bare(1)]
        case 1: changes.engine = .part(alerts: [], state: .record(EngineRecord(bytes: [1])))
        case 2:
            let alert = try Sample.alert("a", "btcinr", .max)
            changes.engine = .part(alerts: [alert], state: .record(EngineRecord(bytes: [1], isUnchanged: true)))
        case 3: changes.history.isUnchanged = false
        case 4: changes.history.sealed = [try Sample.block(1)]
        case 5: changes.cursors = ["journal": 1]
        case 6: changes.overrides = []
        case 7: changes.bootID = "b"
        default: changes.engine = .part(alerts: [], state: .checkpoint([[1]]))
        }
        #expect(try syncs(of: changes) > 0)
        // Cursors that were saved alone do not change that.
        try store.saveCursors(["journal": 2])
        var later = changes
        later.time = noon.plus(seconds: 2)
        later.events = [Sample.bare(2)]
        #expect(try syncs(of: later) > 0)
    }

    @Test(arguments: UInt64(0)..<60)
    func lossOfPowerTakesUnsyncedPollsOnly(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        try store.commit(Transaction(time: noon, events: [Sample.bare(1)]))
        vfs.arm([.write], which: .random(in: 1...30, using: &random), .power)
        var attempted = 0
        for second in 1..<Int64(40) where !vfs.hasHit {
            try? store.commit(unchanged(at: second))
            attempted += 1
        }
        store.close()
        #expect(vfs.settle(seed: seed))
        #expect(try store.open(at: noon).isEmpty)
        let state = try store.restore()
        #expect(state.events.map(\.number) == [1])
        #expect(state.parts.map(\.firstRow) == Array(1...attempted).prefix(state.parts.count).map(\.self))
        #expect(state.engine?.records == state.parts.map(\.bytes))
    }
}
