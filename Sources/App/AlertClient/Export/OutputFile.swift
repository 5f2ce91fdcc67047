internal import Glibc

/// A file that is there as a whole or not at all: it is written under another name beside the place where it is to be.
final class OutputFile {
    private let path: String
    private let temporaryPath: String
    private let replaces: Bool
    private var descriptor: Int32
    private(set) var byteCount = 0

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - path: where the file is to be.
    ///   - mode: the permission bits, of which the user's mask takes away some.
    ///   - replaces: whether a file that is there already is replaced.
    /// - Throws: ``ClientError/file(_:)``.
    init(_ path: String, mode: UInt32, replaces: Bool) throws(ClientError) {
        self.path = path
        self.replaces = replaces
        temporaryPath = "\(path).\(getpid()).part"
        let isThere = unsafe access(path, F_OK) == 0
        guard replaces || !isThere else { throw .file("\(path): is there already; --force replaces it") }
        descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .file("\(temporaryPath): cannot be made: \(describe(errno))") }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unsafe unlink(temporaryPath)
    }

    func write(_ bytes: [UInt8]) throws(ClientError) {
        guard writeFully(bytes[...], to: descriptor) else {
            throw .file("\(path): cannot be written: \(describe(errno)); nothing was left there")
        }
        byteCount += bytes.count
    }

    /// Hands over what was written, read back from the file.
    func forEachChunk(_ body: ([UInt8]) -> Void) throws(ClientError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var place = 0
        while true {
            let count = unsafe pread(descriptor, &buffer, buffer.count, place)
            guard count >= 0 else { throw .file("\(path): cannot be read back: \(describe(errno))") }
            if count == 0 { return }
            body(Array(buffer[..<count]))
            place += count
        }
    }

    /// Makes sure that all of it is on the disk.
    func synchronize() throws(ClientError) {
        guard fsync(descriptor) == 0 else { throw .file("\(path): cannot be written: \(describe(errno))") }
    }

    /// Gives it its name, for good.
    func finish() throws(ClientError) {
        try synchronize()
        guard nameIt() else {
            throw .file(
                errno == EEXIST
                    ? "\(path): is there already; --force replaces it"
                    : "\(path): cannot be made: \(describe(errno))")
        }
        close(descriptor)
        descriptor = -1
        synchronizeFolder()
    }

    /// A second name, unlike another name, never replaces what somebody else has made meanwhile.
    private func nameIt() -> Bool {
        guard !replaces, unsafe link(temporaryPath, path) != 0 else {
            return replaces ? unsafe rename(temporaryPath, path) == 0 : unsafe unlink(temporaryPath) == 0
        }
        guard errno == EPERM || errno == EOPNOTSUPP, unsafe access(path, F_OK) != 0 else { return false }
        // Some file systems know no second names.
        return unsafe rename(temporaryPath, path) == 0
    }

    /// So that the name outlives a crash as well; a folder that does not allow it is no reason to fail.
    private func synchronizeFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
