import Engine
import Glibc
import Market
import Testing

@testable import Storage

/// Files of every kind under the name of the state file, and what opening does with them.
struct OpeningTests {
    private let folder: TestFolder
    private let store: Store

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
    }

    private func database(_ mode: Database.Mode = .readWrite) throws -> Database {
        try Database(path: folder.file, mode: mode)
    }

    private func mode(of path: String) -> UInt32 {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    // MARK: What is made

    @Test func theGroupMayReadAndNobodyElse() throws {
        let old = umask(0)
        defer { umask(old) }
        let store = Store(folder: "\(folder.path)/a/b")
        _ = try store.open(at: noon)
        for name in ["alertd.db", "alertd.db-wal", "alertd.db-shm", "alertd.lock"] {
            #expect(mode(of: "\(folder.path)/a/b/\(name)") == 0o640, "\(name)")
        }
        #expect(mode(of: "\(folder.path)/a/b") == 0o750)
    }

    @Test func theFileSaysWhatItIs() throws {
        _ = try store.open(at: noon)
        try checkFacts(try store.openDatabase())
        store.close()
        #expect(contents(of: folder.file).map { Array($0[68..<72]) } == Array("aldb".utf8))
    }

    private func checkFacts(_ database: Database) throws {
        #expect(try database.pragma("PRAGMA journal_mode") == "wal")
        #expect(try database.pragma("PRAGMA synchronous") == "2")
        #expect(try database.pragma("PRAGMA foreign_keys") == "1")
        #expect(try database.pragma("PRAGMA trusted_schema") == "0")
        #expect(try database.pragma("PRAGMA auto_vacuum") == "2")
        #expect(try database.pragma("PRAGMA application_id") == "\(Schema.applicationID)")
        #expect(try database.pragma("PRAGMA user_version") == "\(Schema.version)")
        #expect(try database.facts.value("created_by") == "alertd")
        #expect(try database.facts.value("created_at") == "2026-11-21T14:40:00.000Z")
    }

    @Test func everyTableIsStrict() throws {
        _ = try store.open(at: noon)
        let loose = try store.openDatabase().number(
            "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%'")
        #expect(loose == 0)
    }

    // MARK: Versions

    @Test(arguments: [0, 2, 11, 1_000])
    func aFileOfAnotherVersionIsLeftAsItIs(version: Int) throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        switch version {
        case 0: try store.openDatabase().pragma("PRAGMA user_version = 0")
        case 2: try store.openDatabase().pragma("PRAGMA user_version = 2")
        case 11: try store.openDatabase().pragma("PRAGMA user_version = 11")
        default: try store.openDatabase().pragma("PRAGMA user_version = 1000")
        }
        // With a log that holds something, as after a crash.
        let bytes = [contents(of: folder.file), contents(of: folder.file + "-wal")]
        let other = try TestFolder()
        write(try #require(bytes[0]), to: other.file)
        write(try #require(bytes[1]), to: other.file + "-wal")
        let error = #expect(throws: StorageError.self) { try Store(folder: other.path).open(at: noon) }
        #expect(error?.kind == .otherSchema)
        #expect(
            error?.description
                == "\(other.file): it has format version \(version), but this program only reads version 1; "
                + "run the version that created it, or move the file away")
        #expect([contents(of: other.file), contents(of: other.file + "-wal")] == bytes)
    }

    @Test func theDatabaseOfAnotherProgramIsLeftAsItIs() throws {
        write([], to: folder.file)
        try database().run("CREATE TABLE event (a INTEGER)")
        let bytes = contents(of: folder.file)
        let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
        #expect(error?.kind == .foreign)
        #expect(contents(of: folder.file) == bytes)
        #expect(!store.isOpen)
    }

    // MARK: Links and other files

    @Test func aLinkIsRefused() throws {
        write([], to: "\(folder.path)/elsewhere")
        #expect(unsafe symlink("\(folder.path)/elsewhere", folder.file) == 0)
        let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
        #expect(error?.kind == .foreign)
        #expect(error?.message == "it is a symbolic link")
        #expect(contents(of: "\(folder.path)/elsewhere") == [])
    }

    /// SQLite would follow it, and write to what it leads to.
    @Test(arguments: ["-wal", "-shm", "-journal"], [true, false])
    func aLinkInThePlaceOfTheLogIsRefused(ending: String, isNew: Bool) throws {
        if !isNew {
            let first = Store(folder: folder.path)
            _ = try first.open(at: noon)
            first.release()
        }
        let path = folder.file + ending
        unsafe unlink(path)
        write([], to: "\(folder.path)/elsewhere")
        #expect(unsafe symlink("\(folder.path)/elsewhere", path) == 0)
        let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
        #expect(error?.kind == .foreign)
        #expect(contents(of: "\(folder.path)/elsewhere") == [])
        unsafe unlink(path)
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let other = #expect(throws: StorageError.self) { try store.open(at: noon) }
        #expect(other?.kind == .foreign)
    }

    @Test func aLinkToTheFolderIsFollowed() throws {
        let link = "\(folder.path)/link"
        #expect(unsafe symlink(folder.path, link) == 0)
        let store = Store(folder: link)
        #expect(try store.open(at: noon) == [.created])
        #expect(store.path == folder.file)
    }

    @Test func aFolderInThePlaceOfTheFileIsRefused() throws {
        #expect(unsafe mkdir(folder.file, 0o700) == 0)
        let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
        #expect(error?.kind == .foreign)
    }

    @Test func aLockFileThatIsALinkIsRefused() throws {
        write([1], to: "\(folder.path)/elsewhere")
        #expect(unsafe symlink("\(folder.path)/elsewhere", "\(folder.path)/alertd.lock") == 0)
        #expect(throws: StorageError.self) { try store.open(at: noon) }
        #expect(contents(of: "\(folder.path)/elsewhere") == [1])
    }

    @Test func aFileInThePlaceOfTheFolderIsSaid() throws {
        write([1], to: "\(folder.path)/file")
        let error = #expect(throws: StorageError.self) { try Store(folder: "\(folder.path)/file/x").open(at: noon) }
        #expect(error?.kind == .denied)
    }

    /// SQLite deletes the file whose name is at the end of a journal, whatever it is.
    @Test func aJournalThatNamesAnotherFileIsRefused() throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        store.close()
        let victim = "\(folder.path)/victim"
        let children = "\(folder.path)/nothing-journal"
        write(Array(children.utf8) + [0], to: victim)
        // A header, and the name with its length, checksum and mark.
        var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + [UInt8](repeating: 0, count: 16)
        journal += [0, 0, 2, 0, 0, 0, 16, 0] + [UInt8](repeating: 0, count: 480)
        let sum = victim.utf8.reduce(0) { $0 + Int($1) }
        journal += [0, 4, 0, 1] + Array(victim.utf8) + [0, 0, 0, UInt8(victim.utf8.count)]
        journal += (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) } + journal.prefix(8)
        write(journal, to: folder.file + "-journal")
        let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
        #expect(error?.kind == .foreign && error?.path == folder.file + "-journal")
        #expect(throws: StorageError.self) { try database() }
        #expect(throws: StorageError.self) { try database(.readOnly) }
        #expect(contents(of: victim) != nil)
        #expect(unsafe unlink(folder.file + "-journal") == 0)
        #expect(try store.open(at: noon) == [] && store.lastNumber == 1)
    }

    /// A crash while the file was made leaves a journal that names nothing: it is rolled back as always.
    @Test func anOrdinaryJournalIsRolledBack() throws {
        _ = try store.open(at: noon)
        store.close()
        write([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], to: folder.file + "-journal")
        #expect(try store.open(at: noon) == [])
        store.close()
        write([UInt8](repeating: 0, count: 512), to: folder.file + "-journal")
        #expect(try store.open(at: noon) == [])
    }

    // MARK: Who may change it

    @Test func whatOthersMayChangeIsReportedOnce() throws {
        #expect(unsafe chmod(folder.path, 0o777) == 0)
        let text =
            "other users may change \(folder.path) (it belongs to user \(geteuid()), and its mode is 777); as root, "
            + "run: chmod o-w \(folder.path)"
        #expect(try store.open(at: noon) == [.created, .exposed(text)])
        #expect(try store.open(at: noon) == [])
        #expect(unsafe chmod(folder.path, 0o770) == 0)
        #expect(try Store(folder: "\(folder.path)/other").open(at: noon) == [.created])
        store.release()
        #expect(try Store(folder: folder.path).open(at: noon) == [], "its group may be trusted")
    }

    @Test func aFileThatEverybodyMayWriteIsReported() throws {
        _ = try store.open(at: noon)
        store.release()
        #expect(unsafe chmod(folder.file, 0o646) == 0)
        let notices = try Store(folder: folder.path).open(at: noon)
        #expect("\(notices)".contains("chmod o-w \(folder.file)") && notices.count == 1, "\(notices)")
    }

    /// What belongs to another user is that user's to change; what belongs to root is not.
    @Test(.enabled(if: geteuid() == 0)) func theOwnerIsReported() throws {
        _ = try store.open(at: noon)
        store.release()
        let odd = "\(folder.path)/it's"
        #expect(unsafe mkdir(odd, 0o755) == 0 && chown(odd, 1_234, 0) == 0 && chown(folder.file, 4_321, 0) == 0)
        let other = try Store(folder: odd).open(at: noon)
        #expect("\(other)".contains("it belongs to user 1234, and its mode is 755"), "\(other)")
        let command = #"chown 0 '\#(folder.path)/it'\''s'"#
        let texts = other.compactMap { if case .exposed(let text) = $0 { text } else { nil } }
        #expect(texts.contains { $0.hasSuffix(command) }, "\(other)")
        let own = try Store(folder: folder.path).open(at: noon)
        #expect(own.count == 1 && "\(own)".contains("chown 0 \(folder.file)"), "\(own)")
    }

    // MARK: While it is open

    @Test(arguments: ["", "-wal", "-shm"])
    func aFileThatWasRemovedIsNoticed(ending: String) throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        #expect(unsafe unlink(folder.file + ending) == 0)
        let error = #expect(throws: StorageError.self) { try store.commit(Transaction(time: noon)) }
        #expect(error?.kind == .replaced)
        #expect(!store.isOpen)
        _ = try store.open(at: noon)
        #expect(try store.restore().events.count == (ending.isEmpty ? 0 : 1))
        try store.commit(Transaction(time: noon, events: [try Sample.full(1), try Sample.full(2)]))
        #expect(try store.restore().events == [try Sample.full(1), try Sample.full(2)])
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func aFolderThatWasReplacedIsNoticed(ending: String) throws {
        let place = "\(folder.path)/state"
        let store = Store(folder: place)
        #expect(unsafe mkdir(place, 0o700) == 0)
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [Sample.bare(1)]))
        #expect(unsafe rename(place, place + ending + "-old") == 0 && mkdir(place, 0o700) == 0)
        for ending in ["", "-wal", "-shm"] { write([], to: "\(place)/alertd.db" + ending) }
        let error = #expect(throws: StorageError.self) {
            try store.commit(Transaction(time: noon, events: [Sample.bare(2)]))
        }
        #expect(error?.kind == .replaced)
    }

    @Test func aFileThatWasReplacedIsNotWrittenOver() throws {
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        let other = try TestFolder()
        let second = Store(folder: other.path)
        _ = try second.open(at: noon)
        try second.commit(Transaction(time: noon, events: (1...7).map { Sample.bare($0) }))
        second.close()
        #expect(unsafe rename(other.file, folder.file) == 0)
        let error = #expect(throws: StorageError.self) { try store.commit(Transaction(time: noon)) }
        #expect(error?.kind == .replaced)
        _ = try store.open(at: noon)
        #expect(store.lastNumber == 7)
    }

    @Test func aLockOfAnotherProgramIsWaitedOutByTheNextCommit() throws {
        _ = try store.open(at: noon)
        let other = try database()
        try other.run("BEGIN IMMEDIATE")
        let error = #expect(throws: StorageError.self) { try store.commit(Transaction(time: noon)) }
        #expect(error?.kind == .locked)
        #expect(store.isOpen)
        try other.run("ROLLBACK")
        try store.commit(Transaction(time: noon, events: [Sample.bare(1)]))
    }

    @Test func aValueThatIsTooLargeChangesNothing() throws {
        _ = try store.open(at: noon)
        let block = try Sample.block(1, bytes: [UInt8](repeating: 0, count: 33 << 20))
        #expect(throws: StorageError.self) {
            try store.commit(Transaction(time: noon, events: [Sample.bare(1)], history: .init(sealed: [block])))
        }
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)]))
        #expect(try store.restore().events == [try Sample.full(1)])
    }
}
