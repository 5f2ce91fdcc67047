internal import Glibc

/// A file that appears complete or not at all: it is written to a temporary file in the same folder and then renamed.
final class OutputFile {
    private let path: String
    private let temporaryPath: String
    private let replaces: Bool
    private var descriptor: Int32
    private(set) var byteCount = 0

    /// Creates the temporary file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - mode: the permission bits, before the user's umask.
    ///   - replaces: whether an existing file is overwritten.
    /// - Throws: ``ClientError/file(_:)``.
    init(_ path: String, mode: UInt32, replaces: Bool) throws(ClientError) {
        self.path = path
        self.replaces = replaces
        temporaryPath = "\(path).\(getpid()).part"
        let isThere = unsafe access(path, F_OK) == 0
        guard replaces || !isThere else { throw .file("\(path): already exists; --force overwrites it") }
        descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .file("\(temporaryPath): cannot create the file: \(describe(errno))") }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unsafe unlink(temporaryPath)
    }

    func write(_ bytes: [UInt8]) throws(ClientError) {
        guard writeFully(bytes[...], to: descriptor) else {
            throw .file("\(path): cannot write: \(describe(errno)); no file was created")
        }
        byteCount += bytes.count
    }

    /// Hands over the content in pieces, read back from the file.
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
        try synchronize()
        guard nameIt() else {
            throw .file(
                errno == EEXIST
                    ? "\(path): already exists; --force overwrites it"
                    : "\(path): cannot create the file: \(describe(errno))")
        }
        close(descriptor)
        descriptor = -1
        synchronizeFolder()
    }

    /// A hard link, unlike a rename, never replaces a file that was created in the meantime.
    private func nameIt() -> Bool {
        guard !replaces, unsafe link(temporaryPath, path) != 0 else {
            return replaces ? unsafe rename(temporaryPath, path) == 0 : unsafe unlink(temporaryPath) == 0
        }
        guard errno == EPERM || errno == EOPNOTSUPP, unsafe access(path, F_OK) != 0 else { return false }
        // Some file systems have no hard links.
        return unsafe rename(temporaryPath, path) == 0
    }

    /// So that the name survives a crash too; if the folder does not allow it, the file is complete all the same.
    private func synchronizeFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
