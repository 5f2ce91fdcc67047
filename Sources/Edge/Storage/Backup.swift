internal import CSQLite
internal import Glibc

/// A copy of the state file as a single file, made a few pages at a time while the store goes on being used.
///
/// What is committed in between is in the copy, too. Until it is whole and checked it is called `….partial`, and it is
/// removed if the backup is let go before.
@safe
package final class Backup {
    /// Where the copy will be.
    package let path: String
    /// How many pages of 4 KiB are still to be copied, and how many there are, as of the last step.
    package private(set) var pages: (remaining: Int, total: Int) = (0, 0)

    private let source: Database
    private var target: Database?
    private var handle: OpaquePointer?
    private var partial: String { path + ".partial" }

    /// Begins a backup.
    ///
    /// - Parameters:
    ///   - store: a store that is open.
    ///   - path: where the copy goes; nothing may be there.
    /// - Throws: ``StorageError``: `exists` when something has the name, or what the system says.
    package init(of store: Store, to path: String) throws(StorageError) {
        self.path = path
        source = try store.openDatabase()
        for name in [path, path + ".partial"] where Self.exists(name) {
            throw StorageError(.exists, path: name, message: "there is a file of that name")
        }
        let descriptor = unsafe open(path + ".partial", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw StorageError(errorNumber: errno, path: path, doing: "make the copy") }
        Glibc.close(descriptor)
        let target = try Database(path: partial, mode: .readWrite)
        self.target = target
        unsafe handle = source.beginCopy(to: target)
        guard unsafe handle != nil else { throw target.lastError() }
    }

    deinit {
        unsafe sqlite3_backup_finish(handle)
        guard target != nil else { return }
        target = nil
        for ending in ["", "-journal"] { unsafe unlink(partial + ending) }
    }

    /// Copies some pages; the last ones make the copy whole.
    ///
    /// - Parameter count: how many pages of 4 KiB.
    /// - Returns: whether the copy is done.
    /// - Throws: ``StorageError``: `locked` can be tried again; with anything else the backup has failed.
    package func step(pages count: Int32) throws(StorageError) -> Bool {
        guard let target else { return true }
        let code = unsafe sqlite3_backup_step(handle, max(1, count))
        pages = unsafe (Int(sqlite3_backup_remaining(handle)), Int(sqlite3_backup_pagecount(handle)))
        guard code == SQLITE_DONE else {
            if code != SQLITE_OK { throw unsafe StorageError(code, of: nil, path: path) }
            return false
        }
        unsafe sqlite3_backup_finish(handle)
        unsafe handle = nil
        try complete(target)
        return true
    }

    /// Makes the copy a file that needs no log beside it, checks it, and gives it its name.
    private func complete(_ database: Database) throws(StorageError) {
        guard try database.pragma("PRAGMA journal_mode = DELETE") == "delete" else {
            throw StorageError(.other, path: path, message: "the copy cannot be made a single file")
        }
        try Schema.checkIntegrity(database)
        try name()
        target = nil
    }

    /// A link fails where a file of that name exists, a renaming would replace it.
    private func name() throws(StorageError) {
        guard unsafe link(partial, path) == 0 else {
            throw StorageError(errorNumber: errno, path: path, doing: "name the copy")
        }
        unsafe unlink(partial)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        syncFolder(folder)
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}
