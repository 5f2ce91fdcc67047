internal import Glibc

/// The result of reading a file or directory.
package enum FileAnswer<Value: Sendable>: Sendable {
    case found(Value)
    case missing
    /// The file or directory exists but cannot be read, for the given reason. The advice is nil if no remedy is
    /// known.
    case failed(String, advice: String? = nil)
}

/// A file system that settings are read from.
package protocol SettingsFiles: Sendable {
    /// Returns the bytes of a regular file of at most `limit` bytes.
    func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]>
    /// Returns the names of the entries of a directory, in any order.
    func names(in folder: String) -> FileAnswer<[String]>
}

/// The files of this machine.
package struct LocalFiles: SettingsFiles {
    private let reader: FileReader?

    /// The maximum number of names in a directory: 10,000 × 256 bytes = 2.5 MB.
    private static let maximumNameCount = 10_000

    /// Creates access to the files of this machine.
    ///
    /// - Parameter reader: The user whose permissions apply, or nil for the user of this process. Only root may name
    ///   another user.
    package init(as reader: FileReader? = nil) {
        self.reader = reader
    }

    package func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> {
        FileReader.asking(reader) { contents(path, limit: limit) }
    }

    package func names(in folder: String) -> FileAnswer<[String]> {
        FileReader.asking(reader) { names(folder) }
    }

    private func contents(_ path: String, limit: Int) -> FileAnswer<[UInt8]> {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return failure(errno, of: path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return failure(errno, of: path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return read(descriptor, of: path, size: Int(status.st_size), limit: limit)
        case S_IFDIR: return .failed("it is a directory", advice: "name a file in it")
        default: return .failed("it is not a regular file")
        }
    }

    private func names(_ folder: String) -> FileAnswer<[String]> {
        guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) else { return failure(errno, of: folder) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            guard names.count < Self.maximumNameCount else {
                return .failed("it has more than \(Self.maximumNameCount) files")
            }
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return .found(names)
    }

    /// Reads a file. `size` is the reported size: a file of a virtual file system may report 0, and a growing file
    /// may have more.
    private func read(_ descriptor: Int32, of path: String, size: Int, limit: Int) -> FileAnswer<[UInt8]> {
        // One byte more than the limit distinguishes a file that is too large from one exactly at the limit.
        var bytes = [UInt8](repeating: 0, count: min(max(size, 4_096), limit) + 1)
        var count = 0
        while count < bytes.count {
            let received = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { return failure(errno, of: path) }
            if received == 0 { return .found(Array(bytes.prefix(count))) }
            count += received
            if count == bytes.count, count <= limit {
                bytes.append(contentsOf: repeatElement(0, count: min(count, limit + 1 - count)))
            }
        }
        return .failed("it is larger than \(limit) bytes")
    }

    private func failure<Value>(_ code: Int32, of path: String) -> FileAnswer<Value> {
        if code == ENOENT { return .missing }
        if code == EACCES, let denial = FileDenial(path) { return .failed(denial.reason, advice: denial.advice) }
        guard let words = unsafe strerror(code) else { return .failed("error \(code)") }
        return .failed(unsafe String(cString: words))
    }
}
