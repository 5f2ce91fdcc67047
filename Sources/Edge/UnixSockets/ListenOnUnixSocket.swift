internal import Glibc

/// Creates a listening Unix stream socket. A socket file that no process listens on is replaced.
///
/// - Parameters:
///   - path: the path of the socket file; its folder must exist.
///   - mode: the permission bits of the socket file.
/// - Returns: a non-blocking, close-on-exec descriptor that the caller owns.
/// - Throws: ``UnixSocketError``.
package func listenOnUnixSocket(at path: String, mode: UInt32) throws(UnixSocketError) -> Int32 {
    try removeIfStale(path)
    let descriptor = try newSocket(path)
    let failure = unsafe withAddress(path) { address, length in unsafe bind(descriptor, address, length) }
    guard failure == 0, unsafe chmod(path, mode) == 0, listen(descriptor, 128) == 0 else {
        let number = errno
        close(descriptor)
        throw .system(call: "bind", path: path, errorNumber: number)
    }
    return descriptor
}

private func removeIfStale(_ path: String) throws(UnixSocketError) {
    var status = stat()
    guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    let probe = try newSocket(path)
    defer { close(probe) }
    if unsafe withAddress(path, { address, length in unsafe connect(probe, address, length) }) == 0
        || errno == EAGAIN
    {
        throw .inUse(path)
    }
    guard errno == ECONNREFUSED, unsafe unlink(path) == 0 else {
        throw .system(call: "replace the old socket", path: path, errorNumber: errno)
    }
}

private func newSocket(_ path: String) throws(UnixSocketError) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, Int32(kind), 0)
    guard descriptor >= 0 else { throw .system(call: "socket", path: path, errorNumber: errno) }
    return descriptor
}
