import Engine
import Events
import Glibc
import Market
import TestSupport
import Testing
import Time

@testable import Storage

/// Polls in which nothing happened wait in a log for the next commit, and are not lost there.
struct PollLogTests {
    private let folder: TestFolder
    private let store: Store
    private let log: String

    init() throws {
        folder = try TestFolder(inMemory: true)
        log = "\(folder.path)/alertd.polls"
        store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, engine: .whole(try Sample.engine())))
    }

    private static func quiet(at second: Int64) -> StoreChanges {
        Sample.quiet(at: second, [UInt8(truncatingIfNeeded: second), 200, 0], block: 7)
    }

    private func commit(_ seconds: ClosedRange<Int64>) throws {
        for second in seconds { try store.commit(Self.quiet(at: second)) }
    }

    /// What another process finds if this one is killed now.
    private func killed(_ change: (String) -> Void = { _ in }) throws -> StoredState {
        let copy = try copy()
        change("\(copy.path)/alertd.polls")
        return try Self.state(of: copy)
    }

    private func copy() throws -> TestFolder {
        let copy = try TestFolder(inMemory: true)
        for name in folder.names where name != "alertd.db-shm" {
            write(contents(of: "\(folder.path)/\(name)") ?? [], to: "\(copy.path)/\(name)")
        }
        return copy
    }

    private static func state(of folder: TestFolder) throws -> StoredState {
        let store = Store(folder: folder.path)
        #expect(try store.open(at: noon).isEmpty)
        return try store.restore()
    }

    private func expect(
        _ state: StoredState, _ seconds: some Sequence<Int64>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let polls = seconds.map { [UInt8(truncatingIfNeeded: $0), 200, 0] }
        #expect(state.parts.map(\.bytes) == polls, sourceLocation: sourceLocation)
        #expect(state.parts.map(\.firstRow) == seconds.map { Int($0) }, sourceLocation: sourceLocation)
        #expect(state.engine?.records == polls, sourceLocation: sourceLocation)
    }

    private func frames() -> Int { contents(of: folder.file + "-wal")?.count ?? 0 }

    @Test func theyAreNotCommittedButSurviveTheProcess() throws {
        let before = frames()
        try commit(1...5)
        #expect(frames() == before)
        expect(try killed(), 1...5)
        // Who reads gets them as well.
        expect(try store.restore(), 1...5)
        #expect(frames() > before)
        expect(try killed(), 1...5)
    }

    @Test func theNextCommitHasThem() throws {
        try commit(1...5)
        try store.commit(StoreChanges(time: noon.plus(seconds: 6), events: [Sample.bare(1)]))
        expect(try killed { unsafe unlink($0) }, 1...5)
        // What is left in the log counts no longer.
        expect(try killed(), 1...5)
        try commit(7...8)
        expect(try killed(), [1, 2, 3, 4, 5, 7, 8])
        #expect(try killed().events.map(\.number) == [1])
    }

    @Test func cursorsLeaveThemWhereTheyAre() throws {
        try commit(1...2)
        try store.saveCursors(["journal": 4])
        try commit(3...3)
        expect(try killed(), 1...3)
        #expect(try killed().cursors == ["journal": 4])
    }

    @Test func aProcessAfterAnotherGoesOn() throws {
        try commit(1...3)
        let copy = try copy()
        var seconds: [Int64] = [1, 2, 3]
        for start in [Int64(10), 20, 30] {
            let next = Store(folder: copy.path)
            _ = try next.open(at: noon.plus(seconds: start))
            expect(try next.restore(), seconds)
            // The first one is synced.
            for second in start...start + 4 {
                try next.commit(Self.quiet(at: second))
                seconds.append(second)
            }
            let copied = contents(of: "\(copy.path)/alertd.polls")
            next.release()
            #expect(copy.names == ["alertd.db", "alertd.lock"])
            // A log that is back, as after a loss of power, changes nothing.
            write(copied ?? [], to: "\(copy.path)/alertd.polls")
        }
        expect(try Self.state(of: copy), seconds)
    }

    /// A process that lost its last polls with the power writes others in their place.
    @Test func entriesOfAnotherProcessBehindItsOwnDoNotCount() throws {
        try commit(1...5)
        let former = try #require(contents(of: log))
        let copy = try copy()
        unsafe unlink("\(copy.path)/alertd.polls")
        let next = Store(folder: copy.path)
        _ = try next.open(at: noon)
        // Synced, but nothing to add to the file, so the token is the same.
        try next.commit(StoreChanges(time: noon.plus(seconds: 20), cursors: ["journal": 1]))
        try next.commit(Self.quiet(at: 21))
        let new = try #require(contents(of: "\(copy.path)/alertd.polls"))
        #expect(new.count * 5 == former.count)
        let end = try TestFolder(inMemory: true)
        for name in ["alertd.db", "alertd.db-wal"] {
            write(contents(of: "\(copy.path)/\(name)") ?? [], to: "\(end.path)/\(name)")
        }
        write(new + former[new.count...], to: "\(end.path)/alertd.polls")
        expect(try Self.state(of: end), [21])
    }

    @Test(arguments: UInt64(0)..<40)
    func whatIsDamagedEndsIt(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        try commit(1...6)
        let whole = try #require(contents(of: log))
        let place = Int.random(in: 0..<whole.count, using: &random)
        var bytes = whole
        switch seed % 4 {
        case 0: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
        case 1: bytes.removeLast(whole.count - place)
        case 2: for index in place..<whole.count { bytes[index] = .random(in: 0...255, using: &random) }
        default: bytes.replaceSubrange(place..<place, with: [UInt8](repeating: 0, count: 4_096))
        }
        let state = try killed { write(bytes, to: $0) }
        expect(state, (1...6).prefix(place / (whole.count / 6)))
    }

    @Test func garbageIsNoEntry() throws {
        for length in [0, 1, 3, 4, 8, 100, PollLog.capacity, PollLog.capacity * 2] {
            for byte in [UInt8(0), 1, 4, 255] {
                expect(try killed { write([UInt8](repeating: byte, count: length), to: $0) }, [])
            }
        }
    }

    @Test func theLogOfAnotherStateFileDoesNotCount() throws {
        try commit(1...3)
        let other = try TestFolder(inMemory: true)
        let store = Store(folder: other.path)
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, engine: .whole(try Sample.engine())))
        store.release()
        write(try #require(contents(of: log)), to: "\(other.path)/alertd.polls")
        expect(try Self.state(of: other), [])
    }

    @Test func aRestoredBackupBeginsWithoutTheLog() throws {
        let backup = try Backup(of: store, to: "\(folder.path)/backup.db")
        while try !backup.step(pages: 100) {}
        try commit(1...3)
        let copy = try copy()
        do {
            let restoration = try Restoration(of: "\(folder.path)/backup.db", to: copy.path, at: noon)
            _ = try restoration.run(force: false)
        }
        expect(try Self.state(of: copy), [])
    }

    @Test func aBackupHasThem() throws {
        try commit(1...3)
        let backup = try Backup(of: store, to: "\(folder.path)/backup.db")
        while try !backup.step(pages: 100) {}
        let other = try TestFolder(inMemory: true)
        write(try #require(contents(of: "\(folder.path)/backup.db")), to: other.file)
        expect(try Self.state(of: other), 1...3)
    }

    @Test func theyAreCommittedOnceAMinute() throws {
        let before = frames()
        try commit(1...59)
        #expect(frames() == before)
        try commit(60...60)
        #expect(frames() > before)
        expect(try killed { unsafe unlink($0) }, 1...60)
    }

    @Test func aFullLogIsCommitted() throws {
        let before = frames()
        var count = 0
        while frames() == before, count < 5_000 {
            count += 1
            var changes = Self.quiet(at: 1)
            changes.history.parts = [
                StoredOpenRows(
                    block: 7, firstRow: count, rowCount: 1, bytes: [UInt8](repeating: 1, count: 1_000))
            ]
            try store.commit(changes)
        }
        #expect((50...PollLog.capacity / 1_000).contains(count))
        #expect(try #require(contents(of: log)).count <= PollLog.capacity)
        #expect(try killed().parts.map(\.firstRow) == Array(1...count))
    }

    @Test func aLogThatWasRemovedIsNotWrittenTo() throws {
        try commit(1...2)
        unsafe unlink(log)
        try commit(3...3)
        expect(try killed(), 1...3)
    }

    @Test func whatIsNoFileOfItsOwnIsNotWrittenTo() throws {
        store.release()
        let target = "\(folder.path)/target"
        for kind in 0..<3 {
            switch kind {
            case 0:
                write([1], to: target)
                unsafe #expect(symlink(target, log) == 0)
            case 1: unsafe #expect(mkfifo(log, 0o600) == 0)
            default: unsafe #expect(mkdir(log, 0o700) == 0)
            }
            let next = Store(folder: folder.path)
            #expect(try next.open(at: noon).isEmpty)
            let second = Int64(kind) * 2
            for second in second...second + 1 { try next.commit(Self.quiet(at: second)) }
            expect(try next.restore(), 0...second + 1)
            next.release()
            if kind < 2 { unsafe unlink(log) }
        }
        #expect(contents(of: target) == [1])
    }

    /// Neither a poll nor a reader waits for another program that has locked the state file.
    @Test func whatHoldsUpACommitHoldsUpNoReading() throws {
        try commit(1...2)
        let other = try Database(path: folder.file, mode: .readWrite)
        try other.run("BEGIN IMMEDIATE")
        try commit(3...3)
        expect(try store.restore(), 1...3)
        // Another process continues with them.
        let copy = try copy()
        let theirs = try Database(path: copy.file, mode: .readWrite)
        try theirs.run("BEGIN IMMEDIATE")
        let next = Store(folder: copy.path)
        #expect(try next.open(at: noon).isEmpty)
        expect(try next.restore(), 1...3)
        try theirs.run("ROLLBACK")
        try next.commit(Self.quiet(at: 90))
        expect(try next.restore(), [1, 2, 3, 90])
        let error = #expect(throws: StorageError.self) {
            try store.commit(StoreChanges(time: noon.plus(seconds: 4), events: [Sample.bare(1)]))
        }
        #expect(error?.kind == .locked)
        try other.run("ROLLBACK")
        expect(try store.restore(), 1...3)
        try store.commit(StoreChanges(time: noon.plus(seconds: 4), events: [Sample.bare(1)]))
        try commit(5...5)
        expect(try killed(), [1, 2, 3, 5])
    }

    @Test func severalSourcesAreKeptApart() throws {
        let names = ["wazirx", "kraken"].map { SourceName(unchecked: $0) }
        try store.commit(
            StoreChanges(
                time: noon,
                sources: try names.map { SourceChanges($0, engine: .whole(try Sample.engine())) }))
        for second in 1...3 as ClosedRange<Int64> {
            var changes = Self.quiet(at: second)
            changes.sources = names.enumerated().map { place, name in
                var source = Self.quiet(at: second + Int64(place) * 100).sources[0]
                source.source = name
                // One has had no price.
                if second == 2, place == 1 { source.history = HistoryChanges() }
                return source
            }
            try store.commit(changes)
        }
        let sources = try killed().sources
        #expect(sources.map(\.name) == names)
        #expect(sources[0].parts.map(\.firstRow) == [1, 2, 3])
        #expect(sources[1].parts.map(\.firstRow) == [101, 103])
        #expect(sources[1].engine?.records.map { $0[0] } == [101, 102, 103])
    }
}
