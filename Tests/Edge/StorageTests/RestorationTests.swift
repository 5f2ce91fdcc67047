import Events
import Glibc
import Testing
import Time

@testable import Storage

struct RestorationTests {
    private let afterwards = WallTime(milliseconds: noon.milliseconds + 60_000)
    private let folder: TestFolder
    private let backup: String

    /// A state with an event, a backup of it, and two more events after that; closed.
    init() throws {
        folder = try TestFolder()
        backup = folder.path + "-backup.db"
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        unsafe unlink(backup)
        let copy = try Backup(of: store, to: backup)
        while try !copy.step(pages: 16) {}
        try store.commit(Transaction(time: noon, events: [Sample.bare(2), Sample.bare(3)]))
    }

    private func restore(_ path: String? = nil, to other: TestFolder? = nil, force: Bool = false) throws -> Restored {
        defer { unsafe unlink(backup) }
        return try Restoration(of: path ?? backup, to: (other ?? folder).path, at: noon).run(force: force)
    }

    private func numbers(in folder: TestFolder) throws -> (events: [Int64], last: Int64) {
        let store = Store(folder: folder.path)
        #expect(try store.open(at: noon).isEmpty)
        let state = try store.restore()
        return (state.events.map(\.number), state.lastNumber)
    }

    @Test func theBackupReplacesTheStateThatIsKept() throws {
        let done = try restore()
        let previous = try #require(done.previous)
        #expect(done == Restored(path: folder.file, previous: previous, events: 1, lastNumber: 3))
        #expect(previous.hasPrefix(folder.file + ".before-restore-"))
        #expect(
            folder.names.sorted() == ["alertd.db", previous.split(separator: "/").last.map(String.init), "alertd.lock"])
        // Numbers of events that have been seen are not given to others.
        #expect(try numbers(in: folder) == ([1], 3))
        let other = try TestFolder()
        #expect(unsafe rename(previous, other.file) == 0)
        #expect(try numbers(in: other) == ([1, 2, 3], 3))
    }

    /// What a daemon that was killed has left in its log belongs to the state.
    @Test func theLogOfTheStateIsKeptToo() throws {
        let killed = try TestFolder()
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [Sample.bare(4)]))
        for ending in ["", "-wal"] {
            let bytes = try #require(contents(of: folder.file + ending))
            write(bytes, to: killed.file + ending)
        }
        #expect(contents(of: killed.file + "-wal")?.isEmpty == false)
        let done = try restore(to: killed)
        #expect(done.lastNumber == 4)
        let other = try TestFolder()
        let previous = try #require(done.previous)
        #expect(unsafe rename(previous, other.file) == 0)
        #expect(try numbers(in: other) == ([1, 2, 3, 4], 4))
    }

    @Test func aMissingOrDamagedStateIsReplaced() throws {
        let empty = try TestFolder()
        #expect(try Restoration(of: backup, to: empty.path, at: noon).run(force: false).previous == nil)
        #expect(try numbers(in: empty) == ([1], 1))
        let damaged = try TestFolder()
        write([UInt8](repeating: 7, count: 8_192), to: damaged.file)
        let done = try restore(to: damaged)
        let previous = try #require(done.previous)
        #expect(contents(of: previous) == [UInt8](repeating: 7, count: 8_192))
        #expect(try numbers(in: damaged) == ([1], 1))
    }

    @Test func aDaemonThatRunsIsNotDisturbed() throws {
        let store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        #expect {
            try restore()
        } throws: { error in
            guard case .storage(let error) = error as? RestorationError else { return false }
            return error.kind == .inUse && error.message == "in use by process \(getpid())"
        }
        #expect(try store.restore().events.count == 3)
    }

    @Test func aBackupOfAnotherStateNeedsForce() throws {
        let other = try TestFolder()
        do {
            let store = Store(folder: other.path)
            _ = try store.open(at: afterwards)
            try store.commit(Transaction(time: afterwards, events: [Sample.bare(1)]))
        }
        #expect(throws: RestorationError.otherInstance(backup: "\(noon)", present: "\(afterwards)")) {
            try Restoration(of: backup, to: other.path, at: noon).run(force: false)
        }
        #expect(other.names == ["alertd.db", "alertd.lock"])
        #expect(try restore(to: other, force: true).events == 1)
    }

    @Test func whatIsNoGoodBackupChangesNothing() throws {
        let place = try TestFolder()
        let path = place.path + "/copy.db"
        let good = try #require(contents(of: backup))
        var damaged = good
        for index in 4_096..<min(12_288, damaged.count) { damaged[index] = 0xA5 }
        let before = contents(of: folder.file)
        for bytes in [damaged, Array(good.dropLast(4_096)), Array("no database".utf8), [], Array(good[..<100])] {
            write(bytes, to: path)
            #expect {
                try restore(path)
            } throws: { error in
                guard case .storage(let fault)? = error as? RestorationError else { return false }
                return fault.path == path
            }
            #expect(contents(of: folder.file) == before)
            #expect(folder.names == ["alertd.db", "alertd.lock"])
        }
        #expect(throws: RestorationError.self) { try restore(place.path) }
        #expect(throws: RestorationError.self) { try restore(place.path + "/missing.db") }
        #expect(throws: RestorationError.noFolder(place.path + "/missing")) {
            try Restoration(of: backup, to: place.path + "/missing", at: noon)
        }
        write(good, to: path)
        write([1], to: path + "-wal")
        #expect(throws: RestorationError.hasLog(path)) { try restore(path) }
        #expect(contents(of: folder.file) == before)
    }

    private func write(_ bytes: [UInt8], to path: String) {
        guard let file = unsafe fopen(path, "w") else {
            Issue.record("\(path) cannot be written")
            return
        }
        defer { unsafe fclose(file) }
        #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
