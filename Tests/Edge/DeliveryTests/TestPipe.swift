import Glibc

struct TestFailure: Error {
    var call: String
}

/// Both ends of a pipe.
struct TestPipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw TestFailure(call: "pipe") }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func closeWriteEnd() {
        close(writeEnd)
    }

    /// Blocks until all write ends are closed, then closes the read end too.
    func readToEnd() -> [UInt8] {
        defer { close(readEnd) }
        return readBytes(from: readEnd)
    }
}

/// Two stream sockets that are connected to each other; they block.
func socketPair() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        throw TestFailure(call: "socketpair")
    }
    return (ends[0], ends[1])
}

/// Reads what is there, at most 64 KiB: as much as a pipe holds.
func readSome(from descriptor: Int32) -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return unsafe read(descriptor, &buffer, buffer.count)
}

/// Reads until the end.
func readBytes(from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}
