internal import CSQLite
internal import Glibc
package import Time

/// The result of restoring a backup.
package struct Restored: Equatable, Sendable {
    /// The path of the state file.
    package var path: String
    /// The path that the previous state file was moved to, or nil if there was none.
    package var previous: String?
    /// The number of events in the backup.
    package var events: Int64
    /// The greatest event number ever assigned, in the backup or in the previous state file.
    package var lastNumber: Int64
}

/// The reason why a backup was not restored. Nothing was changed.
package enum RestorationError: Error, Equatable, Sendable {
    /// A file could not be read or written, or is not a state file.
    case storage(StorageError)
    /// The folder for the state does not exist.
    case noFolder(String)
    /// The backup has a log next to it, whose content would be lost.
    case hasLog(String)
    /// The backup is of another state file. The values are the creation times of both.
    case otherInstance(backup: String, present: String)
}

/// The replacement of the state file by a backup, while no daemon runs.
///
/// The backup is copied and checked as a whole before anything changes. The previous state file keeps its content
/// under another name. Event numbers that were assigned after the backup was made are not assigned again.
package struct Restoration {
    private let backup: String
    private let folder: StateFolder
    private let now: WallTime
    private var copy: String { folder.file + ".restoring" }

    /// Locks the folder of the state file.
    ///
    /// - Parameters:
    ///   - backup: The path of the backup, which is not changed.
    ///   - folder: The folder of the state file, which must exist.
    ///   - now: The current time.
    /// - Throws: ``RestorationError``; `in_use` if a daemon uses the folder.
    package init(of backup: String, to folder: String, at now: WallTime) throws(RestorationError) {
        self.backup = backup
        self.now = now
        guard unsafe access(folder, F_OK) == 0 else { throw .noFolder(folder) }
        do throws(StorageError) {
            self.folder = try StateFolder(folder)
            try self.folder.acquireLock()
            // Otherwise, the daemon's user could not open a lock file that root created.
            Self.giveToOwner(of: self.folder.path, "\(self.folder.path)/\(StateFolder.lockName)")
        } catch {
            throw .storage(error)
        }
    }

    /// Replaces the state file.
    ///
    /// - Parameter force: True to proceed even if the backup is of another state file.
    /// - Returns: The result.
    /// - Throws: ``RestorationError``.
    package func run(force: Bool) throws(RestorationError) -> Restored {
        guard Self.size(of: backup + "-wal") == 0 else { throw .hasLog(backup) }
        defer { for ending in ["", "-journal", "-wal", "-shm"] { unsafe unlink(copy + ending) } }
        let (new, old): (Facts, Facts?)
        do throws(StorageError) {
            let isNew = try folder.findFile() == .nothing
            try makeCopy(like: isNew ? folder.path : folder.file)
            new = try checkedFacts()
            old = isNew ? nil : try presentFacts()
        } catch {
            throw .storage(error)
        }
        if !force, let old, let theirs = new.created, let ours = old.created, theirs != ours {
            throw .otherInstance(backup: theirs, present: ours)
        }
        do throws(StorageError) {
            return try install(new, instead: old)
        } catch {
            throw .storage(error)
        }
    }

    private func install(_ new: Facts, instead old: Facts?) throws(StorageError) -> Restored {
        let last = max(new.lastNumber, old?.lastNumber ?? 0)
        try Self.raise(last, max(new.lastSilence, old?.lastSilence ?? 0), in: copy)
        // The content must be on the disk before the file gets its name.
        try Self.synchronize(copy)
        let previous = old == nil ? nil : try setAside()
        guard unsafe rename(copy, folder.file) == 0 else {
            throw StorageError(errorNumber: errno, path: folder.file, doing: "replace the state file")
        }
        syncFolder(folder.path)
        return Restored(path: folder.file, previous: previous, events: new.events, lastNumber: last)
    }
}

// MARK: Reading

extension Restoration {
    /// The facts about a state file that a restoration needs.
    private struct Facts {
        var lastNumber: Int64 = 0
        var lastSilence: Int64 = 0
        var events: Int64 = 0
        /// The time of creation, which distinguishes two state files, or nil if it cannot be read.
        var created: String?

        init() {}

        init(_ database: Database) throws(StorageError) {
            lastNumber = try database.facts.counter(.lastNumber)
            lastSilence = try database.facts.counter(.lastSilence)
            events = try database.number("SELECT count(*) FROM event") ?? 0
            created = try database.facts.value("created_at")
        }
    }

    /// Checks the whole copy. A fault of the copy is reported as a fault of the backup.
    private func checkedFacts() throws(StorageError) -> Facts {
        do throws(StorageError) {
            return try Self.facts(ofCopy: copy)
        } catch {
            guard [.corrupt, .foreign, .otherSchema].contains(error.kind) else { throw error }
            throw StorageError(error.kind, path: backup, message: error.message, code: error.code)
        }
    }

    private static func facts(ofCopy path: String) throws(StorageError) -> Facts {
        let database = try Database(path: path, mode: .readWrite)
        guard try Schema.check(database) else {
            throw StorageError(.foreign, path: path, message: "the backup is empty")
        }
        try Schema.checkIntegrity(database, thoroughly: true)
        try Schema.checkTables(database)
        return try Facts(database)
    }

    /// Reads the current state file, after writing its log into it so that the file is complete without the log.
    ///
    /// - Returns: Empty facts if the file is damaged.
    private func presentFacts() throws(StorageError) -> Facts {
        do throws(StorageError) {
            let database = try Database(path: folder.file, mode: .readWrite)
            guard try Schema.check(database) else { return Facts() }
            try database.pragma("PRAGMA wal_checkpoint(TRUNCATE)")
            return try Facts(database)
        } catch {
            guard error.kind == .corrupt else { throw error }
            return Facts()
        }
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

// MARK: Writing

extension Restoration {
    /// Copies the backup into the folder, with the owner of `model`.
    private func makeCopy(like model: String) throws(StorageError) {
        let source = unsafe open(backup, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { throw StorageError(errorNumber: errno, path: backup, doing: "open the backup") }
        defer { close(source) }
        var status = stat()
        guard unsafe fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(.foreign, path: backup, message: "it is not a regular file")
        }
        unsafe unlink(copy)
        let target = unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640 as mode_t)
        guard target >= 0 else { throw StorageError(errorNumber: errno, path: copy, doing: "create the file") }
        defer { close(target) }
        Self.giveToOwner(of: model, copy)
        try Self.copy(source, target, path: copy)
    }

    private static func copy(_ source: Int32, _ target: Int32, path: String) throws(StorageError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StorageError(errorNumber: errno, path: path, doing: "read the backup") }
            if count == 0 { return }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let written = unsafe rest.withUnsafeBytes { unsafe write(target, $0.baseAddress, $0.count) }
                guard written > 0 || errno == EINTR else {
                    throw StorageError(errorNumber: errno, path: path, doing: "write the copy")
                }
                rest = rest.dropFirst(max(0, written))
            }
        }
    }

    /// Gives a file that root created to the owner of `model`, whose daemon must be able to open it.
    private static func giveToOwner(of model: String, _ path: String) {
        var status = stat()
        guard geteuid() == 0, unsafe stat(model, &status) == 0 else { return }
        unsafe lchown(path, status.st_uid, status.st_gid)
    }

    /// Raises the counters of the copy, so that numbers used by the previous state file are not assigned again.
    private static func raise(_ number: Int64, _ silence: Int64, in path: String) throws(StorageError) {
        let database = try Database(path: path, mode: .readWrite)
        try database.setSynced(true)
        try database.transaction { () throws(StorageError) in
            for (counter, value) in [(FactTable.Counter.lastNumber, number), (.lastSilence, silence)] where value > 0 {
                try database.facts.set(counter.rawValue, "\(value)")
            }
        }
    }

    private static func synchronize(_ path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errorNumber: errno, path: path, doing: "open the copy") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StorageError(errorNumber: errno, path: path, doing: "write the copy")
        }
    }

    /// Gives the state file a second name, and returns it. The first name passes to the copy atomically, when the
    /// copy is renamed.
    private func setAside() throws(StorageError) -> String {
        let base = "\(folder.file).before-restore-\(now.compact)"
        let names = [base] + (2...99).map { "\(base)-\($0)" }
        let free = names.first { name in unsafe access(name, F_OK) != 0 }
        guard let free else { throw StorageError(.exists, path: base, message: "too many files of that name") }
        // Only a damaged file still has a log.
        for ending in ["-shm", "-wal"] { unsafe rename(folder.file + ending, free + ending) }
        guard unsafe link(folder.file, free) != 0 else { return free }
        // Some file systems have no hard links.
        guard unsafe rename(folder.file, free) == 0 else {
            throw StorageError(errorNumber: errno, path: folder.file, doing: "rename the previous state file")
        }
        return free
    }
}
