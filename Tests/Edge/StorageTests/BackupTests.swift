import Engine
import Glibc
import Market
import Testing

@testable import Storage

struct BackupTests {
    private let folder: TestFolder
    private let store: Store
    private var copy: String { "\(folder.path)/copy.db" }

    init() throws {
        folder = try TestFolder()
        store = Store(folder: folder.path)
        _ = try store.open(at: noon)
        let blocks = try (1...20).map { try Sample.block($0, bytes: [UInt8](repeating: UInt8($0), count: 50_000)) }
        try store.commit(
            Transaction(
                time: noon, events: [try Sample.full(1)], engine: .whole(try Sample.engine()),
                history: HistoryChanges(sealed: blocks)))
    }

    /// Opens the copy as the state file of another folder.
    private func restored() throws -> StoredState {
        let other = try TestFolder()
        #expect(unsafe link(copy, other.file) == 0)
        let store = Store(folder: other.path)
        #expect(try store.open(at: noon).isEmpty)
        return try store.restore()
    }

    @Test func theCopyIsOneFileThatHoldsEverything() throws {
        let backup = try Backup(of: store, to: copy)
        var steps = 1
        while try !backup.step(pages: 16) {
            #expect(folder.names.contains("copy.db.partial") && !folder.names.contains("copy.db"))
            steps += 1
        }
        #expect(steps > 10)
        #expect(backup.pages.remaining == 0)
        #expect(folder.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
        // The bytes that say whether the file needs a log: 1 is no.
        #expect(contents(of: copy).map { $0[18...19] } == [1, 1])
        let state = try restored()
        #expect(state.events == [try Sample.full(1)])
        #expect(state.engine == (try Sample.engine()))
        #expect(state.blocks.map(\.bytes.count) == Array(repeating: 50_000, count: 20))
    }

    @Test func whatIsCommittedMeanwhileIsInIt() throws {
        let backup = try Backup(of: store, to: copy)
        var number: Int64 = 1
        while try !backup.step(pages: 16) {
            number += 1
            try store.commit(Transaction(time: noon, events: [Sample.bare(number)]))
        }
        #expect(number > 10)
        #expect(try restored().lastNumber == number)
    }

    @Test func nothingIsOverwritten() throws {
        write([1, 2, 3], to: copy)
        let error = #expect(throws: StorageError.self) { try Backup(of: store, to: copy) }
        #expect(error?.kind == .exists)
        #expect(contents(of: copy) == [1, 2, 3])
    }

    @Test func aNameThatIsTakenMeanwhileStays() throws {
        let backup = try Backup(of: store, to: copy)
        write([1, 2, 3], to: copy)
        let error = #expect(throws: StorageError.self) { while try !backup.step(pages: 1_000) {} }
        #expect(error?.kind == .exists)
        #expect(contents(of: copy) == [1, 2, 3])
    }

    @Test func aBackupThatIsLetGoLeavesNothing() throws {
        var backup: Backup? = try Backup(of: store, to: copy)
        #expect(try backup?.step(pages: 5) == false)
        backup = nil
        #expect(folder.names.filter { $0.hasPrefix("copy") }.isEmpty)
        try store.commit(Transaction(time: noon, events: [Sample.bare(2)]))
    }

    @Test func aFolderThatIsNotThereIsSaid() throws {
        let error = #expect(throws: StorageError.self) { try Backup(of: store, to: "\(folder.path)/no/copy.db") }
        #expect(error?.kind == .denied)
    }
}
