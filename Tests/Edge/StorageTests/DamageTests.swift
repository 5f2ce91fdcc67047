import Engine
import Events
import Glibc
import Market
import TestSupport
import Testing

@testable import Storage

/// Damaged files, and what is saved of them.
struct DamageTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder(inMemory: true)
    }

    /// A file of some hundred pages; `lastNumber` is 900, and the first 100 events are no longer kept.
    private func fill() throws {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        let blocks = try (1...10).map { try Sample.block($0, bytes: [UInt8](repeating: UInt8($0), count: 20_000)) }
        try store.commit(
            Transaction(
                time: noon, events: try (1...900).map { try Sample.full($0) }, engine: .whole(try Sample.engine()),
                history: HistoryChanges(
                    sealed: blocks, parts: [StoredOpenRows(block: 11, firstRow: 0, rowCount: 1, bytes: [7])]),
                cursors: ["journal": 900], bootID: "boot"))
        try store.openDatabase().run("DELETE FROM event WHERE number <= 100")
        store.close()
    }

    private func damage(_ body: (inout [UInt8]) -> Void) throws {
        var bytes = try #require(contents(of: folder.file))
        body(&bytes)
        write(bytes, to: folder.file)
    }

    @Test func whatIsNoDatabaseIsSetAside() throws {
        let text = Array("this is not a database, but a text that somebody wrote to the file".utf8)
        write(text, to: folder.file)
        let store = Store(folder: folder.path)
        let notices = try store.open(at: noon)
        let aside = "\(folder.file).corrupt-20261121T144000Z"
        guard case .setAside(aside, let reason, Salvaged())? = notices.first, notices.count == 1 else {
            Issue.record("\(notices)")
            return
        }
        #expect(reason.kind == .corrupt)
        #expect(contents(of: aside) == text)
        try store.commit(Transaction(time: noon, events: [Sample.bare(1)]))
        #expect(try store.restore().events == [Sample.bare(1)])
    }

    @Test func aNameThatExistsIsNeverOverwritten() throws {
        let name = "\(folder.file).corrupt-20261121T144000Z"
        write([1], to: name)
        write([2], to: "\(name)-2-wal")
        write(Array("no database".utf8), to: folder.file)
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        #expect(contents(of: name) == [1])
        #expect(contents(of: "\(name)-2-wal") == [2])
        #expect(contents(of: "\(name)-3") == Array("no database".utf8))
    }

    @Test func whatCanBeReadGoesOnInTheNewFile() throws {
        try fill()
        // The middle of the file has blocks; the pages of the tables are at its start.
        try damage { bytes in
            for place in bytes.count / 2..<bytes.count / 2 + 8_192 { bytes[place] = 0xAA }
        }
        let damaged = contents(of: folder.file)
        let store = Store(folder: folder.path)
        let notices = try store.open(at: noon)
        guard case .setAside(let aside, _, let salvaged)? = notices.first else {
            Issue.record("\(notices)")
            return
        }
        #expect(contents(of: aside) == damaged)
        #expect(salvaged.lastNumber == 900)
        #expect(store.lastNumber == 900)
        let state = try store.restore()
        #expect(state.engine == (try Sample.engine()))
        #expect(state.bootID == "boot")
        #expect(state.cursors == ["journal": 900])
        #expect(state.events.count == salvaged.events)
        #expect(salvaged.blocks == state.blocks.count)
        #expect((1..<10).contains(salvaged.blocks) || salvaged.events < 800)
        #expect(state.events.allSatisfy { event in (try? Sample.full(event.number)) == event })
    }

    @Test func theLogGoesWithTheFile() throws {
        try fill()
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [try Sample.full(901)]))
        // As after a crash: the log holds what the file lacks.
        let (file, log) = (try #require(contents(of: folder.file)), try #require(contents(of: folder.file + "-wal")))
        store.close()
        let other = try TestFolder()
        write(file.prefix(163_840) + [UInt8](repeating: 0x55, count: file.count - 163_840), to: other.file)
        write(log, to: other.file + "-wal")
        let second = Store(folder: other.path)
        guard case .setAside(let aside, _, let salvaged)? = try second.open(at: noon).first else {
            Issue.record("it was not set aside")
            return
        }
        #expect(contents(of: aside + "-wal") == log)
        #expect(salvaged.lastNumber == 901)
        #expect(try second.restore().events.last == (try Sample.full(901)))
    }

    /// SQLite takes a log that it cannot read for an empty one. All of a young file is in its log.
    @Test(
        arguments: [
            Array("junk".utf8), Array(repeating: 7, count: 10_000), Array(repeating: 0, count: 9) + [1],
        ] as [[UInt8]])
    func aLogThatIsJunkIsSetAside(junk: [UInt8]) throws {
        for isYoung in [true, false] {
            let (own, other) = (isYoung ? try TestFolder() : folder, try TestFolder())
            if !isYoung { try fill() }
            let store = Store(folder: own.path)
            _ = try store.open(at: noon)
            try store.commit(Transaction(time: noon, events: [try Sample.full(901)]))
            write(try #require(contents(of: own.file)), to: other.file)
            write(junk, to: other.file + "-wal")
            store.close()
            let second = Store(folder: other.path)
            let notices = try second.open(at: noon)
            guard case .setAside(let aside, let reason, let salvaged)? = notices.first else {
                Issue.record("it was not set aside: \(notices)")
                continue
            }
            #expect(reason.message == "its log is damaged: what was saved since the last checkpoint is lost")
            #expect(contents(of: aside + "-wal") == junk)
            #expect(salvaged.lastNumber == (isYoung ? 0 : 900))
            try second.commit(Transaction(time: noon, events: [try Sample.full(902)]))
            #expect(try second.restore().events.last == (try Sample.full(902)))
        }
    }

    @Test func aFileWhoseLogWasRemovedIsNamed() throws {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        let other = try TestFolder()
        write(try #require(contents(of: folder.file)), to: other.file)
        #expect(try Store(folder: other.path).open(at: noon) == [.emptied])
        #expect(try Store(folder: other.path).open(at: noon).isEmpty)
    }

    /// A loss of power leaves zeros of what was never synced, and SQLite leaves an empty log.
    @Test(arguments: [0, 8, 4_128]) func aLogThatWasNeverSyncedIsFine(count: Int) throws {
        try fill()
        write([UInt8](repeating: 0, count: count), to: folder.file + "-wal")
        #expect(try Store(folder: folder.path).open(at: noon).isEmpty)
    }

    @Test func withoutRoomForANewFileTheDamagedOneStays() throws {
        try fill()
        try damage { $0.removeLast($0.count / 3) }
        let damaged = contents(of: folder.file)
        let vfs = FaultVFS()
        var options = StoreOptions()
        options.vfs = vfs.name
        let store = Store(folder: folder.path, options: options)
        var which: Int64 = 1
        repeat {
            vfs.arm([.write], which: which, .noRoom, isLasting: true)
            let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
            #expect(error?.kind == .full)
            #expect(contents(of: folder.file) == damaged)
            #expect(folder.names.filter { $0.contains("corrupt") }.isEmpty)
            which += 5
        } while which < 50
        vfs.disarm()
        guard case .setAside(_, _, let salvaged)? = try store.open(at: noon).first else {
            Issue.record("it was not set aside")
            return
        }
        #expect(salvaged.lastNumber == 900)
    }

    @Test func aTableThatIsMissingIsDamage() throws {
        try fill()
        let database = try Database(path: folder.file, mode: .readWrite)
        try database.run("DROP TABLE sink")
        let store = Store(folder: folder.path)
        guard case .setAside(_, let reason, let salvaged)? = try store.open(at: noon).first else {
            Issue.record("it was not set aside")
            return
        }
        #expect(reason.message == "the table sink is missing")
        #expect(salvaged == Salvaged(events: 800, lastNumber: 900, blocks: 10))
        #expect(try store.restore().cursors.isEmpty)
    }

    @Test func aTruncatedFileIsDamage() throws {
        try fill()
        try damage { $0.removeLast($0.count / 3) }
        let store = Store(folder: folder.path)
        guard case .setAside? = try store.open(at: noon).first else {
            Issue.record("it was not set aside")
            return
        }
        #expect(store.lastNumber == 900)
    }

    @Test(arguments: 1...60)
    func randomDamageIsSurvived(seed: UInt64) throws {
        try fill()
        var random = SplitMix(seed: seed)
        try damage { bytes in
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 1...6_000, using: &random))
                for place in start..<end { bytes[place] = Bool.random(using: &random) ? 0 : 0xFF & UInt8(start & 0xFF) }
            }
        }
        let store = Store(folder: folder.path)
        do {
            _ = try store.open(at: noon)
        } catch {
            // The damage is in the bytes that identify the file.
            #expect([.foreign, .otherSchema].contains(error.kind), "seed \(seed): \(error)")
            return
        }
        for attempt in 1...3 {
            guard let error = failure(of: store) else { return }
            #expect(attempt < 3 && error.kind == .corrupt, "seed \(seed): \(error)")
        }
    }

    /// Opens the store if necessary, reads it and writes it, as a daemon would; nil when all of that went well.
    private func failure(of store: Store) -> StorageError? {
        do {
            if !store.isOpen { _ = try store.open(at: noon) }
            let next = Sample.bare(max(try store.restore().lastNumber, store.lastNumber) + 1)
            try store.commit(Transaction(time: noon, events: [next], engine: .whole(.empty)))
            #expect(try store.restore().events.last == next)
            return nil
        } catch {
            return error
        }
    }
}

extension EngineSnapshot {
    fileprivate static let empty = EngineSnapshot(rules: [], alerts: [], checkpoint: [[]])
}
