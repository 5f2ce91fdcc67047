internal import Glibc

/// Access to small files that alertctl stores for the user.
enum UserFile {
    private static let limit = 1 << 20

    /// Reads a file; nil if it cannot be read, is not a regular file or is larger than 1 MiB.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = stat()
        guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_size <= limit else {
            return nil
        }
        var content = [UInt8](repeating: 0, count: Int(found.st_size))
        let count = unsafe pread(descriptor, &content, content.count, 0)
        return count == content.count ? content : nil
    }

    /// Replaces the file atomically, with mode 0600, and creates its folder if necessary.
    static func replace(_ path: String, _ content: [UInt8]) throws(ClientError) {
        makeFolder(of: path)
        let file = try OutputFile(path, mode: 0o600, replaces: true, takesStreams: false)
        try file.write(content)
        try file.finish()
    }

    /// Locks the file against changes by other commands, and waits while another command has the lock. The lock is
    /// released when the returned value is destroyed. Creates the folder if necessary. On a file system without locks
    /// nothing is locked, and the last of two concurrent changes wins.
    static func lock(_ path: String) -> FileLock {
        makeFolder(of: path)
        return FileLock(path + ".lock")
    }

    /// Creates the missing folders of a path.
    private static func makeFolder(of path: String) {
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += "/\(name)"
            _ = unsafe mkdir(folder, 0o700)
        }
    }
}

/// A lock against other processes of the user, held until this object is destroyed. It is on a separate file that only
/// the user can open: anyone who can read a folder could lock the folder itself.
final class FileLock {
    private let descriptor: Int32

    fileprivate init(_ path: String) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600 as mode_t)
        guard descriptor >= 0 else { return }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
