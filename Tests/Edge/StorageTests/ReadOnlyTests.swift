import Engine
import Glibc
import Market
import Testing

@testable import Storage

/// Files and folders that are not writable. Root can write everything, so each test runs as another user in a separate
/// process.
struct ReadOnlyTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = folder.path
        let store = Store(folder: path)
        _ = try store.open(at: noon)
        try store.commit(Transaction(time: noon, events: [try Sample.full(1)], engine: .whole(try Sample.engine())))
        store.close()
    }

    @Test func whatCannotBeWrittenIsRead() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody(owning: path)
            setModes(path, folder: 0o555, files: 0o444)
            let store = Store(folder: path)
            guard case .readOnly(let error)? = try store.open(at: noon).first else {
                Issue.record("it was not opened for reading")
                return
            }
            #expect(error.kind == .readOnly)
            #expect(store.isReadOnly && store.lastNumber == 1)
            #expect(try store.restore().events == [try Sample.full(1)])
            #expect(try store.restore().engine == (try Sample.engine()))
            let changes = Transaction(time: noon, events: [Sample.bare(2)])
            for _ in 0..<2 {
                let refusal = #expect(throws: StorageError.self) { try store.commit(changes) }
                #expect(refusal?.kind == .readOnly)
                #expect(throws: StorageError.self) { try store.saveCursors(["journal": 1]) }
            }
            #expect(try store.events(EventQuery()).events.count == 1)
            setModes(path, folder: 0o755, files: 0o644)
            try store.commit(changes)
            #expect(!store.isReadOnly)
            #expect(try store.restore().lastNumber == 2)
        }
    }

    /// As where the file can be written: SQLite would take it for an empty log without a word.
    @Test func aLogThatIsJunkIsNamed() async throws {
        write(Array("junk, and not a log".utf8), to: folder.file + "-wal")
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody(owning: path)
            setModes(path, folder: 0o555, files: 0o444)
            let store = Store(folder: path)
            guard case .readOnly(let error)? = try store.open(at: noon).first else {
                Issue.record("it was not opened for reading")
                return
            }
            let lost = "its log is damaged: what was saved since the last checkpoint is lost"
            #expect(error.kind == .readOnly && error.message == "the state file cannot be written, and \(lost)")
            #expect(store.isReadOnly && store.lastNumber == 1)
        }
    }

    /// As after a crash: the log holds what the file lacks.
    @Test func theLogIsReadAsWell() async throws {
        let other = try TestFolder()
        let source = Store(folder: path)
        _ = try source.open(at: noon)
        try source.commit(Transaction(time: noon, events: [Sample.bare(2)]))
        for ending in ["", "-wal", "-shm"] {
            write(try #require(contents(of: folder.file + ending)), to: other.file + ending)
        }
        await #expect(processExitsWith: .success) { [path = other.path as String] in
            becomeNobody(owning: path)
            setModes(path, folder: 0o555, files: 0o444)
            let store = Store(folder: path)
            _ = try store.open(at: noon)
            #expect(store.lastNumber == 2)
        }
    }

    @Test func aFileThatCannotBeReadIsSaid() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody(owning: path)
            setModes(path, folder: 0o755, files: 0)
            let store = Store(folder: path)
            let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
            #expect(error?.kind == .denied)
            setModes(path, folder: 0o755, files: 0o644)
            let notices = try store.open(at: noon)
            #expect(notices.isEmpty)
        }
    }

    @Test func aFolderThatCannotBeWrittenIsSaid() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            becomeNobody(owning: path)
            unsafe unlink("\(path)/alertd.db")
            unsafe unlink("\(path)/alertd.lock")
            setModes(path, folder: 0o555, files: 0o644)
            let store = Store(folder: path)
            let error = #expect(throws: StorageError.self) { try store.open(at: noon) }
            #expect(error?.kind == .denied)
            setModes(path, folder: 0o755, files: 0o644)
            let notices = try store.open(at: noon)
            #expect(notices == [.created])
        }
    }
}

/// Continues as an unprivileged user, who becomes the owner of the folder and its files.
private func becomeNobody(owning folder: String) {
    guard geteuid() == 0 else { return }
    for name in ["", "/alertd.db", "/alertd.db-wal", "/alertd.db-shm", "/alertd.lock"] {
        _ = unsafe chown(folder + name, 65_534, 65_534)
    }
    seteuid(65_534)
}

private func setModes(_ folder: String, folder mode: mode_t, files: mode_t) {
    _ = unsafe chmod(folder, 0o755)
    for name in ["alertd.db", "alertd.db-wal", "alertd.db-shm", "alertd.lock"] {
        _ = unsafe chmod("\(folder)/\(name)", files)
    }
    _ = unsafe chmod(folder, mode)
}
