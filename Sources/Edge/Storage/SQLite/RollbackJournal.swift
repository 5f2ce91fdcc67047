internal import Glibc

/// The check of the rollback journal of an SQLite file, before SQLite reads it.
enum RollbackJournal {
    /// The last bytes of a journal that belongs to a transaction over several files (sqlite.org/fileformat2.html, and
    /// `readSuperJournal` in SQLite's pager.c).
    private static let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The number of bytes at the end of a journal: the length of the super-journal's name, its checksum, and
    /// ``mark``.
    private static let tailCount = 16

    /// Rejects a journal that names a super-journal: SQLite deletes that file, whatever it is, when it rolls back the
    /// transaction. alertd never writes to several files in one transaction, so such a journal is forged.
    ///
    /// - Parameter path: The path of the SQLite file.
    /// - Throws: ``StorageError``, `foreign`.
    static func check(of path: String) throws(StorageError) {
        let journal = path + "-journal"
        let descriptor = unsafe open(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            // If the journal cannot be read here, SQLite cannot read it either. The exception is a link, because
            // SQLite's option against links applies only to the database file.
            guard errno != ELOOP else {
                throw StorageError(.foreign, path: journal, message: "it is a symbolic link")
            }
            return
        }
        defer { close(descriptor) }
        var status = stat()
        var tail = [UInt8](repeating: 0, count: tailCount)
        guard unsafe fstat(descriptor, &status) == 0, Int(status.st_size) >= tailCount,
            unsafe pread(descriptor, &tail, tailCount, status.st_size - off_t(tailCount)) == tailCount
        else { return }
        guard tail.suffix(mark.count).elementsEqual(mark) else { return }
        throw StorageError(
            .foreign, path: journal, message: "it names another file, which would be deleted; alertd never writes one")
    }
}
