internal import Glibc

/// A file of text, read line by line in bounded memory, as often as one likes.
final class InputFile {
    /// One `read` asks for so many bytes.
    fileprivate static let chunk = 256 << 10

    /// The name for messages.
    let name: String
    fileprivate let descriptor: Int32

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
        var lines = LineStream(self)
        while let line = try lines.next() {
            guard try body(lines.text.span, line, lines.number) else { return }
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

/// The lines of a file, one after the other as they are asked for; it may be read by several at a time.
struct LineStream {
    /// A longer line is none of any price file.
    private static let longestLine = 64 << 10

    private let file: InputFile
    /// What of the file is at hand.
    private(set) var text: [UInt8] = []
    /// The number of the line that was given last.
    private(set) var number = 0
    private var scratch = [UInt8](repeating: 0, count: InputFile.chunk)
    /// Where the next line begins in ``text``.
    private var start = 0
    /// How much of the file was read.
    private var offset = 0
    private var isAtEnd = false

    init(_ file: InputFile) {
        self.file = file
    }

    /// The place of the next line in ``text``, without its end; nil after the last one.
    ///
    /// - Throws: ``ClientError/file(_:)`` when the file cannot be read or is no text.
    mutating func next() throws(ClientError) -> Range<Int>? {
        while true {
            if let end = lineEnd() {
                number += 1
                let last = end > start && text[end - 1] == 0x0D ? end - 1 : end
                defer { start = min(end + 1, text.count) }
                return start..<last
            }
            guard !isAtEnd else { return nil }
            text.removeFirst(start)
            start = 0
            guard text.count <= Self.longestLine else {
                throw .file("\(file.name): line \(number + 1) is longer than 64 KiB: this is no file of prices")
            }
            try readMore()
        }
    }

    /// Where the line that begins at ``start`` ends; nil when that is not to be seen yet, or there is none.
    private func lineEnd() -> Int? {
        guard start < text.count else { return nil }
        let distance = unsafe text[start...].withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, let end = unsafe memchr(base, 0x0A, bytes.count) else { return nil }
            return unsafe UnsafeRawPointer(end) - base
        }
        return distance.map { start + $0 } ?? (isAtEnd ? text.count : nil)
    }

    private mutating func readMore() throws(ClientError) {
        while true {
            let count = unsafe pread(file.descriptor, &scratch, scratch.count, offset)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .file("\(file.name): cannot be read: \(describe(errno))")
            }
            text.append(contentsOf: scratch[..<count])
            if offset == 0 { try checkBegin() }
            offset += count
            isAtEnd = count == 0
            return
        }
    }

    /// Takes a byte order mark away and knows what is no text.
    private mutating func checkBegin() throws(ClientError) {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        if text.starts(with: [0x1F, 0x8B]) {
            throw .file("\(file.name): is compressed; use 'zcat FILE | alertctl … -'")
        }
        if text.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw .file("\(file.name): is compressed; use 'unzip -p FILE | alertctl … -'")
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
