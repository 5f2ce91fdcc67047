internal import Glibc

/// A file that appears complete or not at all: it is written to a temporary file in the same folder and then renamed.
///
/// Only a regular file is ever replaced. Devices and pipes are written to directly, as by the shell, even through a
/// symbolic link. Other symbolic links, other special files and directories are refused.
final class OutputFile {
    private let path: String
    /// The path of the temporary file; nil for a device or pipe, which is written to directly.
    private let temporaryPath: String?
    private let replaces: Bool
    private var descriptor: Int32
    private(set) var byteCount = 0

    /// Creates the temporary file, or opens the device or pipe.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - mode: the permission bits, before the user's umask; an existing file that is replaced keeps its own.
    ///   - replaces: true to overwrite an existing file.
    ///   - takesStreams: true to accept a device or pipe, which cannot be read back.
    /// - Throws: ``ClientError/file(_:)``.
    init(_ path: String, mode: UInt32, replaces: Bool, takesStreams: Bool) throws(ClientError) {
        self.path = path
        self.replaces = replaces
        switch try OutputTarget(path, takesStreams: takesStreams) {
        case .stream(let descriptor):
            temporaryPath = nil
            self.descriptor = descriptor
        case .regular where !replaces: throw .file("\(path): already exists; --force overwrites it")
        case .regular(let oldMode):
            (temporaryPath, descriptor) = try Self.createTemporary(for: path, mode: mode)
            fchmod(descriptor, oldMode)
        case .missing:
            (temporaryPath, descriptor) = try Self.createTemporary(for: path, mode: mode)
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if let temporaryPath { unsafe unlink(temporaryPath) }
    }

    /// Creates the temporary file. Its name cannot be guessed, so that other users of a shared folder cannot create
    /// the file first.
    private static func createTemporary(
        for path: String, mode: UInt32
    ) throws(ClientError) -> (path: String, descriptor: Int32) {
        let temporaryPath = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        let descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .file(cannotCreate(path)) }
        return (temporaryPath, descriptor)
    }

    func write(_ bytes: [UInt8]) throws(ClientError) {
        guard writeFully(bytes[...], to: descriptor) else {
            let rest = temporaryPath == nil ? "" : "; no file was created"
            throw .file("\(path): cannot write: \(describe(errno))\(rest)")
        }
        byteCount += bytes.count
    }

    /// Reads the content back from the file, and passes it to the body in pieces.
    func forEachChunk(_ body: ([UInt8]) -> Void) throws(ClientError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var place = 0
        while true {
            let count = unsafe pread(descriptor, &buffer, buffer.count, place)
            guard count >= 0 else { throw .file("\(path): cannot read it back: \(describe(errno))") }
            if count == 0 { return }
            body(Array(buffer[..<count]))
            place += count
        }
    }

    /// Waits until the content is on disk.
    func synchronize() throws(ClientError) {
        guard fsync(descriptor) == 0 else { throw .file("\(path): cannot write: \(describe(errno))") }
    }

    /// Gives the file its final name, durably.
    func finish() throws(ClientError) {
        if let temporaryPath {
            try synchronize()
            try name(temporaryPath)
        }
        close(descriptor)
        descriptor = -1
        if temporaryPath != nil { synchronizeFolder() }
    }

    private func name(_ temporaryPath: String) throws(ClientError) {
        // If another file has appeared at the path in the meantime, it is replaced only if it is a regular file.
        guard case .regular = try OutputTarget(path, takesStreams: false), replaces else {
            guard link(temporaryPath) else {
                throw .file(
                    errno == EEXIST
                        ? "\(path): already exists; --force overwrites it"
                        : cannotCreate(path))
            }
            return
        }
        guard unsafe rename(temporaryPath, path) == 0 else {
            throw .file(cannotCreate(path))
        }
    }

    /// Names the file with a hard link, which, unlike a rename, never replaces a file that was created in the
    /// meantime.
    private func link(_ temporaryPath: String) -> Bool {
        guard unsafe Glibc.link(temporaryPath, path) != 0 else { return unsafe unlink(temporaryPath) == 0 }
        var found = stat()
        guard errno == EPERM || errno == EOPNOTSUPP, unsafe lstat(path, &found) != 0 else { return false }
        // Some file systems have no hard links.
        return unsafe rename(temporaryPath, path) == 0
    }

    /// Synchronizes the folder, so that the name survives a crash too. If the folder does not allow that, the file is
    /// complete anyway.
    private func synchronizeFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// Returns a message with the reason in `errno`. The message names the final file, because users do not know about the
/// temporary file.
private func cannotCreate(_ path: String) -> String {
    let (reason, folder) = (errno, path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
    let place = [EACCES, EROFS, ENOENT, ENOTDIR].contains(reason) ? " in \(folder.isEmpty ? "/" : folder)" : ""
    return "\(path): cannot create the file\(place): \(describe(reason))"
}

/// The kind of file at the path of an output file.
private enum OutputTarget {
    case missing
    /// A regular file with these permission bits.
    case regular(mode: UInt32)
    /// A device or a pipe, open for writing.
    case stream(Int32)

    init(_ path: String, takesStreams: Bool) throws(ClientError) {
        var found = stat()
        guard unsafe lstat(path, &found) == 0 else {
            // Any other error occurs again when the temporary file is created.
            self = .missing
            return
        }
        switch found.st_mode & S_IFMT {
        case S_IFREG: self = .regular(mode: found.st_mode & 0o777)
        case S_IFDIR: throw .file("\(path): is a directory")
        case S_IFLNK where takesStreams && Self.leadsToStream(path): self = .stream(try Self.open(path))
        case S_IFLNK: throw .file("\(path): is a symbolic link; name the file that it points to")
        case S_IFCHR, S_IFIFO:
            guard takesStreams else { throw .file("\(path): is not a regular file, so it cannot be verified") }
            self = .stream(try Self.open(path))
        default: throw .file("\(path): is not a regular file, device or pipe")
        }
    }

    /// Returns true if a symbolic link leads to a device or pipe, as `/dev/stdout` may.
    private static func leadsToStream(_ path: String) -> Bool {
        var found = stat()
        return unsafe stat(path, &found) == 0 && [S_IFCHR, S_IFIFO].contains(found.st_mode & S_IFMT)
    }

    /// Opens a device or pipe without creating or truncating a file, and checks its type again, because it may have
    /// been replaced in the meantime.
    private static func open(_ path: String) throws(ClientError) -> Int32 {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("\(path): cannot write: \(describe(errno))") }
        var found = stat()
        guard unsafe fstat(descriptor, &found) == 0, [S_IFCHR, S_IFIFO].contains(found.st_mode & S_IFMT) else {
            close(descriptor)
            throw .file("\(path): was replaced while it was being opened")
        }
        return descriptor
    }
}
