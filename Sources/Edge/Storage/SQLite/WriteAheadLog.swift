internal import Glibc

/// The check of the write-ahead log of an SQLite file, before SQLite reads it.
enum WriteAheadLog {
    /// The length of the header (sqlite.org/fileformat2.html, section 4.1).
    private static let headerCount = 32
    /// The possible first bytes, one for each byte order of the checksums.
    private static let beginnings: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]

    /// Rejects a file that is not a log. SQLite would treat such a file as an empty log and overwrite it, although
    /// everything that was saved since the last checkpoint may have been in it.
    ///
    /// A crash may leave part of a header, and a loss of power only zeros. Nothing had been saved in such a log, so
    /// it is accepted.
    ///
    /// - Parameter path: The path of the SQLite file.
    /// - Throws: ``StorageError``, `corrupt`.
    static func check(of path: String) throws(StorageError) {
        let descriptor = unsafe open(path + "-wal", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        // If the log cannot be read here, SQLite cannot read it either.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: headerCount)
        let count = unsafe pread(descriptor, &header, headerCount, 0)
        let start = header.prefix(min(4, max(0, count)))
        let isLog = beginnings.contains { $0.starts(with: start) } || header.allSatisfy { $0 == 0 }
        guard !isLog else { return }
        throw StorageError(
            .corrupt, path: path, message: "its log is damaged: what was saved since the last checkpoint is lost")
    }
}
