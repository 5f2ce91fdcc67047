internal import Glibc

/// A file of text, read line by line in bounded memory, as often as one likes.
final class InputFile {
    /// One `read` asks for so many bytes.
    private static let chunk = 256 << 10
    /// A longer line is none of any price file.
    private static let longestLine = 64 << 10

    /// The name for messages.
    let name: String
    private let descriptor: Int32

    /// Opens a file; `-` is standard input. It and other pipes are copied to a file without a name first, because a
    /// file is read more than once.
    ///
    /// - Throws: ``ClientError/file(_:)``.
    init(_ path: String, standardInput: Int32) throws(ClientError) {
        guard path == "-" else {
            name = path
            let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard opened >= 0 else { throw .file("\(path): cannot be read: \(describe(errno))") }
            guard lseek(opened, 0, SEEK_CUR) < 0 else {
                descriptor = opened
                return
            }
            defer { close(opened) }
            descriptor = try Self.spooled(opened)
            return
        }
        name = "standard input"
        descriptor = try Self.spooled(standardInput)
    }

    deinit {
        close(descriptor)
    }

    /// Hands over line after line.
    ///
    /// - Parameter body: gets what was read, the place of the line in it without its end, and the number of the line;
    ///   false when it needs no more.
    /// - Throws: ``ClientError/file(_:)`` when the file cannot be read or is no text.
    func forEachLine(
        _ body: (_ text: Span<UInt8>, _ line: Range<Int>, _ number: Int) throws(ClientError) -> Bool
    ) throws(ClientError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .file("\(name): cannot be read: \(describe(errno))") }
        var buffer: [UInt8] = []
        var scratch = [UInt8](repeating: 0, count: Self.chunk)
        var number = 0
        var isAtEnd = false
        while !isAtEnd {
            isAtEnd = try readMore(&buffer, &scratch)
            if number == 0 { try checkBegin(&buffer) }
            var start = 0
            while let end = Self.lineEnd(in: buffer, from: start, isWhole: isAtEnd) {
                number += 1
                let last = end > start && buffer[end - 1] == 0x0D ? end - 1 : end
                guard try body(buffer.span, start..<last, number) else { return }
                start = min(end + 1, buffer.count)
            }
            buffer.removeFirst(start)
            guard buffer.count <= Self.longestLine else {
                throw .file("\(name): line \(number + 1) is longer than 64 KiB: this is no file of prices")
            }
        }
    }

    /// Where the line that begins at `start` ends; nil when that is not to be seen yet, or there is none.
    private static func lineEnd(in buffer: [UInt8], from start: Int, isWhole: Bool) -> Int? {
        guard start < buffer.count else { return nil }
        let distance = unsafe buffer[start...].withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, let end = unsafe memchr(base, 0x0A, bytes.count) else { return nil }
            return unsafe UnsafeRawPointer(end) - base
        }
        return distance.map { start + $0 } ?? (isWhole ? buffer.count : nil)
    }

    /// Reads what follows; true at the end of the file.
    private func readMore(_ buffer: inout [UInt8], _ scratch: inout [UInt8]) throws(ClientError) -> Bool {
        while true {
            let count = unsafe read(descriptor, &scratch, scratch.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .file("\(name): cannot be read: \(describe(errno))")
            }
            buffer.append(contentsOf: scratch[..<count])
            return count == 0
        }
    }

    /// Takes a byte order mark away and knows what is no text.
    private func checkBegin(_ buffer: inout [UInt8]) throws(ClientError) {
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.removeFirst(3) }
        if buffer.starts(with: [0x1F, 0x8B]) {
            throw .file("\(name): is compressed; use 'zcat FILE | alertctl import -'")
        }
        if buffer.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw .file("\(name): is compressed; use 'unzip -p FILE | alertctl import -'")
        }
    }

    private static func spooled(_ source: Int32) throws(ClientError) -> Int32 {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var name = Array((folder + "/alertctl-" + String(repeating: "X", count: 6)).utf8CString)
        let copy = unsafe mkstemp(&name)
        guard copy >= 0 else {
            throw .file("\(folder): standard input cannot be copied there: \(describe(errno)); name another in TMPDIR")
        }
        unsafe unlink(name)
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            if count == 0 { return copy }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .file("standard input cannot be read: \(describe(errno))")
            }
            guard writeFully(buffer[..<count], to: copy) else {
                throw .file(
                    "\(folder): standard input cannot be copied there: \(describe(errno)); name another in TMPDIR")
            }
        }
    }
}

/// What an error number of the system means, in words.
func describe(_ errorNumber: Int32) -> String {
    unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "error \(errorNumber)"
}

/// Writes all of the bytes; false, with the error in `errno`, when that cannot be done.
func writeFully(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return false }
        rest = rest.dropFirst(max(0, count))
    }
    return true
}
