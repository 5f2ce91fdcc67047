internal import Glibc

/// Small files that a command keeps for a user.
enum UserFile {
    private static let limit = 1 << 20

    /// The content; nil if it cannot be read, or is not a regular file of a reasonable size.
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

    /// Replaces the file, which only the user can read, and creates its folder if necessary.
    static func replace(_ path: String, _ content: [UInt8]) throws(ClientError) {
        makeFolder(of: path)
        let file = try OutputFile(path, mode: 0o600, replaces: true, takesStreams: false)
        try file.write(content)
        try file.finish()
    }

    /// Waits until no other command changes the file, whose folder is created if necessary; the lock ends with the
    /// value. On a file system without locks there is none: then the last of two changes at a time stays.
    static func lock(_ path: String) -> FileLock {
        makeFolder(of: path)
        return FileLock(path + ".lock")
    }

    /// Creates the folders of a path as far as they are missing.
    private static func makeFolder(of path: String) {
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += "/\(name)"
            _ = unsafe mkdir(folder, 0o700)
        }
    }
}

/// Locks a file against other processes of the user until its end. Whoever may read a folder could lock the folder
/// itself, so it is a file that only the user can open.
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
