import Market
import TestSupport
import Testing

@testable import Storage

/// The layer below SQLite fails, call after call; the state is correct in the end.
struct FaultTests {
    private static let polls = 40
    private static let options = {
        var options = StoreOptions(mostEvents: 30)
        options.logPages = 40
        options.freePages = 2
        return options
    }()

    /// The calls that count, and how they fail in turn. The numbers tried go through all the ways.
    @Test(arguments: [
        ([FaultVFS.Operation.open, .delete, .access, .truncate, .sharedMemory, .sync], [FaultVFS.Fault.device]),
        ([.write], [.noRoom, .half, .device]), ([.lock, .sharedLock], [.device]), ([.read], [.device]),
    ])
    func eachCallFailsOnce(operations: [FaultVFS.Operation], faults: [FaultVFS.Fault]) throws {
        var last = 0
        for which in LongRun.numbers() {
            guard try fails(operations, which, faults[which % faults.count]) else { break }
            last = which
        }
        #expect(last > 45)
    }

    /// Runs the scenario and lets one call fail.
    ///
    /// - Returns: whether there was such a call.
    private func fails(_ operations: [FaultVFS.Operation], _ which: Int, _ fault: FaultVFS.Fault) throws -> Bool {
        let folder = try TestFolder(inMemory: true)
        let vfs = FaultVFS()
        var scenario = try scenario(in: folder, vfs)
        vfs.arm(operations, which: Int64(which), fault)
        for number in 1...Self.polls { try scenario.poll(number) }
        let hasHit = vfs.hasHit
        vfs.disarm()
        scenario.save()
        scenario.store.close()
        let what = "\(fault) of \(operations), number \(which): \(scenario.failures)"
        #expect(scenario.isWell && scenario.failures.count <= 2, "\(what)")
        let expected: [StorageError.Kind] = fault == .device ? [.io, .denied] : [.full]
        #expect(scenario.failures.allSatisfy { expected.contains($0.kind) }, "\(what)")
        #expect(folder.names.filter { $0.contains("corrupt") }.isEmpty, "\(what)")
        #expect(try state(of: folder) == scenario.model, "\(what)")
        return hasHit
    }

    @Test func onlyCursorsDoNotWaitForTheDisk() throws {
        let folder = try TestFolder(inMemory: true)
        let vfs = FaultVFS()
        let store = try scenario(in: folder, vfs).store
        // A checkpoint of the log would wait for the disk as well.
        store.options.logPages = 1_000
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [Sample.bare(1)]))
        vfs.arm([.sync], which: 0, .device)
        try store.saveCursors(["journal": 1])
        #expect(vfs.calls == 0)
        try store.commit(Transaction(time: noon, events: [Sample.bare(2)]))
        #expect(vfs.calls == 1)
    }

    @Test(arguments: [FaultVFS.Fault.noRoom, .half, .device])
    func aFaultThatLastsIsWaitedOut(fault: FaultVFS.Fault) throws {
        let folder = try TestFolder(inMemory: true)
        let vfs = FaultVFS()
        var scenario = try scenario(in: folder, vfs)
        for number in 1...10 { try scenario.poll(number) }
        vfs.arm([.write, .sync], which: 1, fault, isLasting: true)
        for number in 11...18 { try scenario.poll(number) }
        #expect(scenario.failures.count == 8 && !scenario.isWell)
        #expect(try scenario.store.events(EventQuery()).events.count == 15)
        vfs.disarm()
        try scenario.poll(19)
        scenario.store.close()
        #expect(scenario.isWell && scenario.failures.count == 8)
        #expect(try state(of: folder) == scenario.model)
    }

    @Test(arguments: 0..<150)
    func lossOfPowerTakesNothingThatWasCommitted(seed: UInt64) throws {
        let folder = try TestFolder(inMemory: true)
        let vfs = FaultVFS()
        var scenario = try scenario(in: folder, vfs)
        var random = SplitMix(seed: seed)
        vfs.arm([.write, .sync, .truncate, .delete], which: .random(in: 1...800, using: &random), .power)
        var number = 1
        while number <= Self.polls, !vfs.hasHit {
            try scenario.poll(number)
            number += 1
        }
        scenario.store.close()
        #expect(vfs.settle(seed: seed))
        #expect(try scenario.store.open(at: noon).allSatisfy { [.created, .emptied].contains($0) }, "seed \(seed)")
        #expect(folder.names.filter { $0.contains("corrupt") }.isEmpty, "seed \(seed)")
        scenario.store.close()
        var found = try state(of: folder)
        // Cursors are saved without waiting for the disk.
        #expect((scenario.committed.cursor...scenario.model.cursor).contains(found.cursor), "seed \(seed)")
        found.cursor = scenario.committed.cursor
        var attempted = scenario.model
        attempted.cursor = found.cursor
        #expect(found == scenario.committed || found == attempted, "seed \(seed): \(scenario.failures)")
    }

    private func scenario(in folder: TestFolder, _ vfs: FaultVFS) throws -> Scenario {
        var options = Self.options
        options.vfs = vfs.name
        return try Scenario(Store(folder: folder.path, options: options))
    }

    /// What another process would read, after a thorough check.
    private func state(of folder: TestFolder) throws -> Scenario.Model {
        let database = try Database(path: folder.file, mode: .readWrite)
        try Schema.checkIntegrity(database, thoroughly: true)
        return Scenario.Model(try database.state(events: 100))
    }
}
