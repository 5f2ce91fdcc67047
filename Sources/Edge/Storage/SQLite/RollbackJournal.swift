internal import Glibc

/// The rollback journal of an SQLite file, before SQLite reads it.
enum RollbackJournal {
    /// What a journal ends with that belongs to a transaction over several files (sqlite.org/fileformat2.html, and
    /// `readSuperJournal` in SQLite's pager.c).
    private static let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The length of the name of the super-journal, its checksum, and the mark.
    private static let tailCount = 16

    /// Refuses a journal that names a super-journal: SQLite deletes that file, whatever it is, when it rolls back the
    /// transaction. alertd never writes to several files at once, so such a journal is forged.
    ///
    /// - Parameter path: that of the SQLite file.
    /// - Throws: ``StorageError``, `foreign`.
    static func check(of path: String) throws(StorageError) {
        let journal = path + "-journal"
        let descriptor = unsafe open(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            // What cannot be read here, SQLite cannot read either; it does not follow a link, as its option says, only
            // for the file itself.
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
