internal import CSQLite
internal import Glibc
internal import Market
internal import Time

/// The folder of the state file. It is created if it is missing, and locked by one daemon at a time.
final class StateFolder {
    static let fileName = "alertd.db"
    static let lockName = "alertd.lock"

    /// The path with symbolic links resolved. SQLite is opened so that it rejects every link in a path, but only a link
    /// in place of the file itself should be rejected.
    let path: String
    /// The descriptor of the lock file, which is locked while it is open. Nil before ``acquireLock()``, and if the
    /// folder is read-only and has no lock file.
    private var lock: Int32?

    /// - Parameter given: The folder as the user named it.
    /// - Throws: ``StorageError``.
    init(_ given: String) throws(StorageError) {
        try Self.make(given)
        guard let resolved = unsafe realpath(given, nil) else {
            throw StorageError(errorNumber: errno, path: given, doing: "open the directory")
        }
        defer { unsafe free(resolved) }
        path = unsafe String(cString: resolved)
    }

    /// Locks the folder, unless it is locked already.
    ///
    /// - Throws: ``StorageError``: `in_use` if another daemon has locked the folder.
    func acquireLock() throws(StorageError) {
        guard lock == nil else { return }
        lock = try Self.lock("\(path)/\(Self.lockName)")
    }

    deinit {
        guard let lock else { return }
        // A recently forked process may still have the descriptor, so closing it here would not release the lock.
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// The path of the state file.
    var file: String { "\(path)/\(Self.fileName)" }

    /// Creates the folder and its parents. Existing folders are not changed.
    private static func make(_ folder: String) throws(StorageError) {
        var prefix = ""
        for name in folder.split(separator: "/", omittingEmptySubsequences: true) {
            prefix += (prefix.isEmpty && !folder.hasPrefix("/") ? "" : "/") + name
            guard unsafe mkdir(prefix, 0o750) != 0, errno != EEXIST else { continue }
            let number = errno
            // On a read-only file system, an existing folder gives this error, too.
            guard unsafe access(prefix, F_OK) != 0 else { continue }
            throw StorageError(errorNumber: number, path: folder, doing: "create the directory")
        }
    }

    /// Locks a file and returns its descriptor, or nil if the file is missing and cannot be created. The lock belongs
    /// to the open file description, so it ends with the process, even after a crash.
    private static func lock(_ path: String) throws(StorageError) -> Int32? {
        var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o640)
        let isWritable = descriptor >= 0
        // A file that cannot be written can still be locked.
        if !isWritable { descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw StorageError(errorNumber: errno, path: path, doing: "open the lock file")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = refusal(errno, descriptor, path)
            close(descriptor)
            throw error
        }
        if isWritable { writeOwner(descriptor) }
        return descriptor
    }

    private static func refusal(_ number: Int32, _ descriptor: Int32, _ path: String) -> StorageError {
        guard number == EWOULDBLOCK else { return StorageError(errorNumber: number, path: path, doing: "lock it") }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { $0 &- 0x30 < 10 }
        let owner = digits.isEmpty ? "another daemon" : "process \(String(decoding: digits, as: UTF8.self))"
        return StorageError(.inUse, path: path, message: "in use by \(owner)")
    }

    /// Writes the process id for people who read the file. The lock works without it.
    private static func writeOwner(_ descriptor: Int32) {
        let line = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = unsafe pwrite(descriptor, line, line.count, 0)
    }
}

extension StateFolder {
    /// The result of looking for the state file.
    enum Found: Equatable {
        case nothing
        case file(isWritable: Bool)
    }

    /// Looks for the state file. Rejects anything but a regular file.
    func findFile() throws(StorageError) -> Found {
        try checkSideFiles()
        var status = stat()
        guard unsafe lstat(file, &status) == 0 else {
            if errno == ENOENT { return .nothing }
            throw StorageError(errorNumber: errno, path: file, doing: "check the file")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            throw StorageError(
                .foreign, path: file, message: isLink ? "it is a symbolic link" : "it is not a regular file")
        }
        // Opening and closing the file to find out would release SQLite's locks on it.
        return .file(isWritable: mayWrite(file) && mayWrite(path))
    }

    /// Rejects a log, shared memory or journal that is not a regular file. SQLite follows links to these files, and
    /// would write to their targets.
    private func checkSideFiles() throws(StorageError) {
        for ending in ["-wal", "-shm", "-journal"] {
            var status = stat()
            guard unsafe lstat(file + ending, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
            throw StorageError(.foreign, path: file + ending, message: "it is not a regular file")
        }
    }

    /// A description of each path, the folder or the state file, that users other than root and the user of this
    /// process can change, with the command that corrects its permissions. With access to the folder, such a user
    /// could replace the state file, and with it the record of notifications and silences.
    ///
    /// A group may have write access, because the administrator has chosen its members.
    var exposures: [String] {
        [path, file].compactMap { path in
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return nil }
            return exposure(of: path, status)
        }
    }

    private func exposure(of path: String, _ status: stat) -> String? {
        let user = geteuid()
        var commands: [String] = []
        if status.st_uid != 0, status.st_uid != user { commands.append("chown \(user) \(quoted(path))") }
        if status.st_mode & S_IWOTH != 0 { commands.append("chmod o-w \(quoted(path))") }
        guard !commands.isEmpty else { return nil }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return "other users may change \(path) (it belongs to user \(status.st_uid), and its mode is \(mode)); "
            + "as root, run: \(commands.joined(separator: " && "))"
    }

    /// Quotes a path for a shell.
    private func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy {
            $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || "/._-".utf8.contains($0)
        }
        let parts = path.split(separator: "'", omittingEmptySubsequences: false)
        return isPlain ? path : "'" + parts.joined(separator: "'\\''") + "'"
    }

    /// Creates an empty state file that the group can read. SQLite gives its log and shared memory the same mode.
    func makeFile() throws(StorageError) {
        let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw StorageError(errorNumber: errno, path: file, doing: "create the file") }
        close(descriptor)
        syncFolder(path)
    }

    /// Renames a damaged state file, with its log and shared memory, to an unused name.
    ///
    /// - Returns: The new path.
    func setAside(at time: WallTime) throws(StorageError) -> String {
        let base = "\(file).corrupt-\(time.compact)"
        let names = [base] + (2...99).map { "\(base)-\($0)" }
        guard let free = names.first(where: { name in ["", "-wal", "-shm"].allSatisfy { !exists(name + $0) } }) else {
            throw StorageError(.exists, path: base, message: "too many damaged files were renamed in one second")
        }
        // The main file is renamed last. As long as it has its name, the next start finishes an interrupted renaming.
        for ending in ["-shm", "-wal", ""] where exists(file + ending) {
            guard unsafe rename(file + ending, free + ending) == 0 else {
                throw StorageError(errorNumber: errno, path: file + ending, doing: "rename the damaged file")
            }
        }
        syncFolder(path)
        return free
    }

    /// Undoes ``setAside(at:)``: removes the new file and restores the name of the old one.
    func putBack(_ aside: String) {
        for ending in ["-shm", "-wal", ""] { unsafe unlink(file + ending) }
        for ending in ["-shm", "-wal", ""] where exists(aside + ending) {
            unsafe rename(aside + ending, file + ending)
        }
        syncFolder(path)
    }

    /// True if the file is not empty and has no log. If such a file has no tables, its log was removed.
    var lacksLog: Bool {
        var status = stat()
        return unsafe lstat(file, &status) == 0 && status.st_size > 0 && !exists(file + "-wal")
    }

    /// True if there is a log that is not empty.
    var hasLog: Bool {
        var status = stat()
        return unsafe lstat(file + "-wal", &status) == 0 && status.st_size > 0
    }

    private func mayWrite(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    private func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}

/// Syncs a folder, so that created and renamed files in it survive a loss of power.
func syncFolder(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
}

extension WallTime {
    /// The time as a part of file names: `20261121T144000Z`.
    var compact: String {
        String(description.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }
}
