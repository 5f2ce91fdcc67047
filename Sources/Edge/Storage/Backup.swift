internal import CSQLite
internal import Glibc

/// A copy of the state file as a single file, made a few pages at a time while the store stays in use.
///
/// The copy includes changes that are committed while it is made. Until it is complete and checked, its name ends in
/// `.partial`. A backup that is released before that removes the file.
@safe
package final class Backup {
    /// The path of the copy.
    package let path: String
    /// The number of pages of 4 KiB that remain to be copied, and their total number, as of the last step.
    package private(set) var pages: (remaining: Int, total: Int) = (0, 0)

    private let source: Database
    private var target: Database?
    private var handle: OpaquePointer?
    private var partial: String { path + ".partial" }

    /// Begins a backup.
    ///
    /// - Parameters:
    ///   - store: An open store.
    ///   - path: The path of the copy, which must not exist.
    /// - Throws: ``StorageError``: `exists` if a file of that name already exists, or the error of a system call.
    package init(of store: Store, to path: String) throws(StorageError) {
        self.path = path
        source = try store.openDatabase()
        for name in [path, path + ".partial"] where Self.exists(name) {
            throw StorageError(.exists, path: name, message: "a file of that name already exists")
        }
        let descriptor = unsafe open(path + ".partial", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw StorageError(errorNumber: errno, path: path, doing: "create the copy") }
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

    /// Copies some pages, and completes the copy after the last one.
    ///
    /// - Parameter count: The number of pages of 4 KiB to copy.
    /// - Returns: True if the copy is complete.
    /// - Throws: ``StorageError``: after `locked` the step can be retried; after any other error the backup has
    ///   failed.
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

    /// Makes the copy a single file without a log, checks it, and gives it its final name.
    private func complete(_ database: Database) throws(StorageError) {
        guard try database.pragma("PRAGMA journal_mode = DELETE") == "delete" else {
            throw StorageError(.other, path: path, message: "the copy could not be converted to a single file")
        }
        try Schema.checkIntegrity(database)
        try name()
        target = nil
    }

    /// Gives the copy its final name. A link fails if a file of that name exists; a rename would replace that file.
    private func name() throws(StorageError) {
        guard unsafe link(partial, path) == 0 else {
            throw StorageError(errorNumber: errno, path: path, doing: "rename the copy")
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
