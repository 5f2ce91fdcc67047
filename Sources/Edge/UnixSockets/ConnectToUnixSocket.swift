package import Glibc

/// Connects to a listening Unix stream socket.
///
/// - Parameters:
///   - path: the path of the socket.
///   - timeLimit: the longest wait while the other side does not accept, and later while it does not read; nil for no
///     limit.
/// - Returns: a blocking, close-on-exec descriptor that the caller owns.
/// - Throws: ``UnixSocketError``; a refused connection, a path that does not exist and a timeout (`EAGAIN`) are
///   reported as `system`.
package func connectToUnixSocket(at path: String, timeLimit: Duration? = nil) throws(UnixSocketError) -> Int32 {
    guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system(call: "socket", path: path, errorNumber: errno) }
    if let timeLimit { limitSending(on: descriptor, to: timeLimit) }
    guard unsafe withAddress(path, { address, length in unsafe connect(descriptor, address, length) }) == 0 else {
        let number = errno
        close(descriptor)
        throw .system(call: "connect", path: path, errorNumber: number)
    }
    return descriptor
}

private func limitSending(on descriptor: Int32, to limit: Duration) {
    var time = sendingTime(limit)
    // The call fails only for an invalid time or socket.
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
}

/// Returns the limit in the form of the kernel, from 1 µs to 34 years; zero would mean no limit.
package func sendingTime(_ limit: Duration) -> timeval {
    let (seconds, attoseconds) = max(limit, .microseconds(1)).components
    guard seconds < 1 << 30 else { return timeval(tv_sec: 1 << 30, tv_usec: 0) }
    return timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
}

/// Calls `body` with the socket address of a path of at most 107 bytes, and with its length.
package func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
        unsafe target.copyBytes(from: path.utf8.prefix(107))
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            unsafe body(generic, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
