internal import Glibc
internal import Time

/// A folder of settings files, for changes: one change at a time, each file replaced atomically.
///
/// Only regular files directly in the folder are read and replaced. Symbolic links are not followed, so that the owner
/// of a folder cannot make root write elsewhere.
final class SettingsFolder {
    /// Attempts to get the lock, 100 ms apart: 100 × 100 ms = 10 s.
    private static let lockAttempts = 100

    /// The name of the lock file. The folder itself is not locked because anyone who can read the folder could lock
    /// it. Only users who may change the settings can open the lock file.
    private static let lockName = ".alertctl.lock"

    private let path: String
    private let descriptor: Int32
    /// The descriptor of the lock file; nil while this object does not have the lock.
    private var lockFile: Int32?

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: its path; must not be a symbolic link.
    ///   - writes: true if the user must have write permission.
    /// - Throws: ``ClientError/file(_:)``, or ``ClientError/fileDenied(_:)`` if the user may not change it.
    init(_ path: String, writes: Bool = true) throws(ClientError) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.openFailure(path, errno) }
        let mayWrite = unsafe faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0
        guard mayWrite || !writes else {
            let code = errno
            close(descriptor)
            throw Self.failure(path, "change", code)
        }
    }

    deinit {
        if let lockFile {
            // Removed while still locked, so that no process locks a file that is no longer in the folder.
            unsafe unlinkat(descriptor, Self.lockName, 0)
            close(lockFile)
        }
        close(descriptor)
    }

    private static func openFailure(_ path: String, _ code: Int32) -> ClientError {
        var found = stat()
        let isLink = unsafe lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK
        guard isLink, [ELOOP, ENOTDIR].contains(code) else { return failure(path, "open", code) }
        return .file("\(path): is a symbolic link, which is not followed; edit the files there by hand")
    }

    private static func failure(_ path: String, _ what: String, _ code: Int32) -> ClientError {
        [EACCES, EPERM].contains(code) ? .fileDenied(path) : .file("\(path): cannot \(what): \(describe(code))")
    }

    /// Creates a folder with the owner and mode of its parent, unless it exists.
    static func create(_ path: String, in parent: String) throws(ClientError) {
        var model = stat()
        guard unsafe stat(parent, &model) == 0 else { throw failure(parent, "open", errno) }
        guard unsafe mkdir(path, model.st_mode & 0o777) == 0 else {
            if errno == EEXIST { return }
            throw failure(path, "create", errno)
        }
        unsafe chown(path, model.st_uid, model.st_gid)
    }

    /// Locks the folder against changes by other alertctl processes until this object is destroyed. Waits up to 10 s.
    func lock(pause: (Milliseconds) -> Void) throws(ClientError) {
        for _ in 0..<Self.lockAttempts {
            let file = unsafe openat(
                descriptor, Self.lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600 as mode_t)
            guard file >= 0 else { throw Self.failure("\(path)/\(Self.lockName)", "lock", errno) }
            let code = flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
            if code == 0, isLockFile(file) {
                lockFile = file
                shareWithOwners(file)
                return
            }
            close(file)
            guard [0, EWOULDBLOCK, EINTR].contains(code) else {
                throw Self.failure("\(path)/\(Self.lockName)", "lock", code)
            }
            pause(Milliseconds(100))
        }
        throw .file("\(path): is locked by another alertctl; try again when it has finished")
    }

    /// True if the descriptor is still the lock file in the folder. The previous owner of the lock removes the file
    /// when it is done.
    private func isLockFile(_ file: Int32) -> Bool {
        var (own, named) = (stat(), stat())
        guard unsafe fstat(file, &own) == 0,
            unsafe fstatat(descriptor, Self.lockName, &named, AT_SYMLINK_NOFOLLOW) == 0
        else { return false }
        return (own.st_dev, own.st_ino) == (named.st_dev, named.st_ino)
    }

    /// Gives the lock file the folder's owner and group, so that all who may write to the folder can open it. If the
    /// user may not change the owner, other users cannot lock the folder until this lock file is removed.
    private func shareWithOwners(_ file: Int32) {
        var folder = stat()
        guard unsafe fstat(descriptor, &folder) == 0, fchown(file, folder.st_uid, folder.st_gid) == 0 else { return }
        _ = fchmod(file, folder.st_mode & 0o020 == 0 ? 0o600 : 0o660)
    }

    /// Reads a file; nil if it does not exist.
    func contents(of name: String, limit: Int) throws(ClientError) -> [UInt8]? {
        guard let status = try status(of: name) else { return nil }
        guard status.st_size <= limit else { throw .file("\(path)/\(name): is larger than \(limit) bytes") }
        let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure("\(path)/\(name)", "read", errno) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let received = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw Self.failure("\(path)/\(name)", "read", errno) }
            if received == 0 { return Array(bytes.prefix(count)) }
            count += received
        }
        throw .file("\(path)/\(name): is larger than \(limit) bytes")
    }

    /// Returns the status of a regular file; nil if there is no file with this name.
    private func status(of name: String) throws(ClientError) -> stat? {
        var found = stat()
        guard unsafe fstatat(descriptor, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("\(path)/\(name)", "read", errno)
        }
        switch found.st_mode & S_IFMT {
        case S_IFREG: return found
        case S_IFLNK:
            throw .file("\(path)/\(name): is a symbolic link, which is not followed; edit the file that it points to")
        default: throw .file("\(path)/\(name): is not a regular file")
        }
    }

    /// Replaces the content of a file atomically and durably. Its owner and mode are preserved; a new file gets the
    /// owner and mode of `model`.
    func replace(_ name: String, with bytes: [UInt8], like model: String) throws(ClientError) {
        let old = try status(of: name)
        try replace(name, with: bytes) { (file) throws(ClientError) in
            try copyAttributes(of: old, orOf: model, to: file, name)
        }
    }

    /// Replaces the content of a file atomically and durably, and sets its mode.
    func replace(_ name: String, with bytes: [UInt8], mode: mode_t) throws(ClientError) {
        _ = try status(of: name)
        try replace(name, with: bytes) { (file) throws(ClientError) in
            guard fchmod(file, mode) == 0 else { throw Self.failure("\(path)/\(name)", "write", errno) }
        }
    }

    private func replace(
        _ name: String, with bytes: [UInt8], prepare: (Int32) throws(ClientError) -> Void
    ) throws(ClientError) {
        let temporary = ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        let file = unsafe openat(
            descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600 as mode_t)
        guard file >= 0 else { throw Self.failure("\(path)/\(name)", "create", errno) }
        defer { close(file) }
        do throws(ClientError) {
            try prepare(file)
            guard writeFully(bytes[...], to: file), fsync(file) == 0,
                unsafe renameat(descriptor, temporary, descriptor, name) == 0
            else { throw Self.failure("\(path)/\(name)", "write", errno) }
            fsync(descriptor)
        } catch {
            unsafe unlinkat(descriptor, temporary, 0)
            throw error
        }
    }

    /// Gives a new file the owner and mode of the file that it replaces, or of the model if it replaces none.
    private func copyAttributes(
        of old: stat?, orOf model: String, to file: Int32, _ name: String
    ) throws(ClientError) {
        var status = stat()
        if let old { status = old } else { guard unsafe stat(model, &status) == 0 else { return } }
        // The owner is set first because changing it may clear mode bits.
        if fchown(file, status.st_uid, status.st_gid) != 0, old != nil {
            throw .fileDenied("\(path)/\(name)")
        }
        guard fchmod(file, status.st_mode & 0o777) == 0 else {
            throw Self.failure("\(path)/\(name)", "write", errno)
        }
    }

    /// Removes a file durably; does nothing if it does not exist.
    func remove(_ name: String) throws(ClientError) {
        guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw Self.failure("\(path)/\(name)", "remove", errno)
        }
        fsync(descriptor)
    }

    /// True if two paths lead to the same file.
    static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard unsafe stat(first, &one) == 0, unsafe stat(second, &other) == 0 else { return first == second }
        return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
    }
}
