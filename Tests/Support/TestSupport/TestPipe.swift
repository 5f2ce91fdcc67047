internal import CChild
internal import Glibc

/// A call of the system that a test needs failed.
package struct TestFailure: Error {
    package var call: String

    package init(call: String) {
        self.call = call
    }
}

/// Both ends of a pipe, which no other program inherits.
package struct TestPipe {
    package let readEnd: Int32
    package let writeEnd: Int32

    /// - Throws: ``TestFailure``.
    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe child_pipe(&ends) == 0 else { throw TestFailure(call: "pipe2") }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    package func closeWriteEnd() {
        close(writeEnd)
    }

    /// Blocks until all write ends are closed, then closes the read end too.
    package func readToEnd() -> [UInt8] {
        defer { close(readEnd) }
        return readBytes(from: readEnd)
    }
}

/// Two stream sockets that are connected to each other; they block.
package func socketPair() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        throw TestFailure(call: "socketpair")
    }
    return (ends[0], ends[1])
}

/// Reads what is there, at most 64 KiB: as much as a pipe holds.
///
/// - Returns: the number of bytes; 0 at the end, and -1 when nothing can be read.
package func readSome(from descriptor: Int32) -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return readSome(from: descriptor, into: &buffer)
}

/// Reads until the end.
package func readBytes(from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    readChunks(from: descriptor) { bytes += $0 }
    return bytes
}

/// Reads until the end, and calls the body with what has come each time.
package func readChunks(from descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = readSome(from: descriptor, into: &buffer)
        guard count > 0 else { return }
        body(buffer[..<count])
    }
}

private func readSome(from descriptor: Int32, into buffer: inout [UInt8]) -> Int {
    while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        // A signal that a debugger or a profiler sends is not the end.
        if count >= 0 || errno != EINTR { return count }
    }
}
