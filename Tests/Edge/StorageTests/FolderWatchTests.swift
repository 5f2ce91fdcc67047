import Glibc
import Testing

@testable import Storage

/// What a commit looks up only when a name may have changed.
struct FolderWatchTests {
    private let folder: TestFolder
    private let file: String

    init() throws {
        folder = try TestFolder()
        try #require(unsafe mkdir("\(folder.path)/state", 0o700) == 0)
        file = "\(folder.path)/state/alertd.db"
        write([1], to: file)
    }

    @Test func whatIsWrittenToAFileChangesNoName() throws {
        let watch = FolderWatch(of: file)
        #expect(!watch.mayHaveChanged())
        write([2], to: file)
        unsafe chmod(file, 0o600)
        #expect(!watch.mayHaveChanged())
    }

    @Test(arguments: 0..<7)
    func changesOfNamesAreSeenOnce(number: Int) throws {
        let watch = FolderWatch(of: file)
        let state = "\(folder.path)/state"
        switch number {
        case 0: unsafe unlink(file)
        case 1: unsafe rename(file, "\(state)/other")
        case 2: unsafe rename(file, "\(folder.path)/other")
        case 3:
            write([2], to: "\(folder.path)/new")
            unsafe rename("\(folder.path)/new", file)
        case 4: write([2], to: "\(state)/new")
        case 5: unsafe rename(state, "\(folder.path)/other")
        default:
            unsafe unlink(file)
            unsafe rmdir(state)
        }
        #expect(watch.mayHaveChanged())
        // Where the folder is gone, anything may have changed at any time.
        #expect(watch.mayHaveChanged() == (number > 4))
    }

    /// Many names may change between two commits.
    @Test func nothingIsLeftToRead() throws {
        let watch = FolderWatch(of: file)
        for _ in 0..<1_000 {
            write([], to: file + ".a-longer-name")
            unsafe unlink(file + ".a-longer-name")
        }
        #expect(watch.mayHaveChanged())
        #expect(!watch.mayHaveChanged())
    }

    @Test func withoutAFolderAnythingMayHaveChanged() {
        let watch = FolderWatch(of: "\(folder.path)/nowhere/alertd.db")
        #expect(watch.mayHaveChanged() && watch.mayHaveChanged())
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func aNewFolderIsNoticed(ending: String) throws {
        let place = "\(folder.path)/state"
        unsafe unlink(file)
        let store = Store(folder: place)
        _ = try store.open(at: noon)
        try store.commit(StoreChanges(time: noon, events: [Sample.bare(1)]))
        #expect(unsafe rename(place, place + ending + "-old") == 0 && mkdir(place, 0o700) == 0)
        for ending in ["", "-wal", "-shm"] { write([], to: file + ending) }
        let error = #expect(throws: StorageError.self) {
            try store.commit(StoreChanges(time: noon, events: [Sample.bare(2)]))
        }
        #expect(error?.kind == .replaced)
    }
}
