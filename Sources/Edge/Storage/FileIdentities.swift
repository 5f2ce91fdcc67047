internal import Glibc

/// The identities of the files of a database: the file itself, its log and its shared memory.
///
/// SQLite keeps writing to files that were removed or replaced, and that data is lost.
struct FileIdentities: Equatable {
    private let file: Identity
    private let log: Identity
    private let memory: Identity

    private struct Identity: Equatable {
        var device: UInt64
        var number: UInt64
    }

    /// Nil when one of them is missing.
    init?(_ path: String) {
        guard let file = Self.identity(of: path), let log = Self.identity(of: path + "-wal"),
            let memory = Self.identity(of: path + "-shm")
        else { return nil }
        self.file = file
        self.log = log
        self.memory = memory
    }

    /// Whether the database file still has its name.
    func isInPlace(_ path: String) -> Bool {
        Self.identity(of: path) == file
    }

    /// Removes the log and the shared memory of a database that no longer has its name: SQLite would take them for
    /// those of the file that has it now, and write to it what belongs to the old one.
    func removeOrphans(_ path: String) {
        guard !isInPlace(path) else { return }
        for (name, own) in [(path + "-wal", log), (path + "-shm", memory)] where Self.identity(of: name) == own {
            unsafe unlink(name)
        }
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
