internal import Glibc

/// A text file, read line by line in bounded memory, any number of times.
final class InputFile {
    /// The number of bytes that one `read` requests.
    fileprivate static let chunk = 256 << 10

    /// The name of the file in messages.
    let name: String
    fileprivate let descriptor: Int32

    /// Opens a file; `-` is standard input. Standard input and pipes are first copied to an unnamed file, because a
    /// file is read more than once.
    ///
    /// - Throws: ``ClientError/file(_:)``.
    init(_ path: String, standardInput: Int32) throws(ClientError) {
        guard path == "-" else {
            name = path
            let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard opened >= 0 else { throw .file("\(path): cannot read it: \(describe(errno))") }
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

    /// Passes the lines to the body, one at a time and in order.
    ///
    /// - Parameter body: gets the part of the file that was read last, and the position of the line in this part;
    ///   returns false to stop.
    /// - Throws: ``ClientError/file(_:)`` if the file cannot be read or is not text.
    func forEachLine(
        _ body: (_ text: Span<UInt8>, _ line: TextLine) throws(ClientError) -> Bool
    ) throws(ClientError) {
        var lines = LineStream(self)
        while let line = try lines.next() {
            guard try body(lines.text.span, line) else { return }
        }
    }

    private static func spooled(_ source: Int32) throws(ClientError) -> Int32 {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var name = Array((folder + "/alertctl-" + String(repeating: "X", count: 6)).utf8CString)
        let copy = unsafe mkstemp(&name)
        guard copy >= 0 else {
            throw .file("\(folder): cannot copy standard input there: \(describe(errno)); set TMPDIR to another one")
        }
        unsafe unlink(name)
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            if count == 0 { return copy }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .file("cannot read standard input: \(describe(errno))")
            }
            guard writeFully(buffer[..<count], to: copy) else {
                throw .file(
                    "\(folder): cannot copy standard input there: \(describe(errno)); set TMPDIR to another one")
            }
        }
    }
}

/// The position of a line.
package struct TextLine: Sendable {
    /// The range in the part of the file that was read last, without the line end.
    package var range: Range<Int>
    /// The line number in the file, from 1.
    package var number: Int
    /// The number of the part of the file. Lines with the same number are in the same part.
    package var block: Int

    package init(range: Range<Int>, number: Int, block: Int) {
        self.range = range
        self.number = number
        self.block = block
    }
}

/// A stream of the lines of a file. Several streams may read the same file.
struct LineStream {
    /// The maximum length of a line in bytes. No price file has longer lines.
    private static let longestLine = 64 << 10

    private let file: InputFile
    /// The part of the file that was read last.
    private(set) var text: [UInt8] = []
    /// The number of the last line returned.
    private var number = 0
    /// The number of the part of the file in ``text``.
    private var block = 0
    private var scratch = [UInt8](repeating: 0, count: InputFile.chunk)
    /// The start of the next line in ``text``.
    private var start = 0
    /// The number of bytes read so far.
    private var offset = 0
    private var isAtEnd = false

    init(_ file: InputFile) {
        self.file = file
    }

    /// Returns the next line in ``text``; nil after the last one.
    ///
    /// - Throws: ``ClientError/file(_:)`` if the file cannot be read or is not text.
    mutating func next() throws(ClientError) -> TextLine? {
        while true {
            if let end = lineEnd() {
                number += 1
                let last = end > start && text[end - 1] == 0x0D ? end - 1 : end
                defer { start = min(end + 1, text.count) }
                return TextLine(range: start..<last, number: number, block: block)
            }
            guard !isAtEnd else { return nil }
            text.removeFirst(start)
            start = 0
            guard text.count <= Self.longestLine else {
                throw .file("\(file.name): line \(number + 1) is longer than 64 KiB; this is not a price file")
            }
            try readMore()
        }
    }

    /// Returns the end of the line that begins at ``start``; nil if the end of the line has not been read yet, or if
    /// there is no line.
    private func lineEnd() -> Int? {
        guard start < text.count else { return nil }
        let distance = unsafe text[start...].withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, let end = unsafe memchr(base, 0x0A, bytes.count) else { return nil }
            return unsafe UnsafeRawPointer(end) - base
        }
        return distance.map { start + $0 } ?? (isAtEnd ? text.count : nil)
    }

    private mutating func readMore() throws(ClientError) {
        block += 1
        while true {
            let count = unsafe pread(file.descriptor, &scratch, scratch.count, offset)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .file("\(file.name): cannot read it: \(describe(errno))")
            }
            text.append(contentsOf: scratch[..<count])
            if offset == 0 { try checkBegin() }
            offset += count
            isAtEnd = count == 0
            return
        }
    }

    /// Removes a byte order mark, and refuses compressed files.
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

/// Returns the message of a system error number.
func describe(_ errorNumber: Int32) -> String {
    unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "error \(errorNumber)"
}

/// Writes all bytes; returns false with the error in `errno` if that fails.
func writeFully(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return false }
        rest = rest.dropFirst(max(0, count))
    }
    return true
}

extension Span<UInt8> {
    /// Returns a part as text, with replacement characters for bytes that are not UTF-8.
    func string(in range: Range<Int>) -> String {
        String(decoding: range.map { self[$0] }, as: UTF8.self)
    }
}
