internal import Glibc

/// The identities of the files of a database: the file itself, its log and its shared memory.
///
/// SQLite keeps writing to files that were removed or replaced, and that data is lost.
struct FileIdentities {
    private let file: NamedFile
    private let log: NamedFile
    private let memory: NamedFile

    /// Identifies the files. Nil if one of them is missing.
    init?(_ path: String) {
        guard let file = NamedFile(path), let log = NamedFile(path + "-wal"), let memory = NamedFile(path + "-shm")
        else { return nil }
        self.file = file
        self.log = log
        self.memory = memory
    }

    /// True if all files still have their names.
    var areInPlace: Bool { file.isInPlace && log.isInPlace && memory.isInPlace }

    /// True if the database file still has its name.
    var isInPlace: Bool { file.isInPlace }

    /// Removes the log and the shared memory of a database that no longer has its name. Otherwise, SQLite would use
    /// them with the file that has the name now, and write pages of the old file to it.
    func removeOrphans() {
        guard !isInPlace else { return }
        for own in [log, memory] where own.isInPlace {
            unsafe unlink(own.path)
        }
    }
}

/// A file, identified by its device and inode.
private struct NamedFile {
    let path: String
    private let device: UInt64
    private let number: UInt64

    /// Identifies the file that has the name now. Nil if there is none.
    init?(_ path: String) {
        guard let (device, number) = Self.identity(of: path) else { return nil }
        (self.path, self.device, self.number) = (path, device, number)
    }

    var isInPlace: Bool {
        guard let (device, number) = Self.identity(of: path) else { return false }
        return device == self.device && number == self.number
    }

    private static func identity(of path: String) -> (device: UInt64, number: UInt64)? {
        var status = stat()
        guard unsafe path.withCString({ unsafe lstat($0, &status) }) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
