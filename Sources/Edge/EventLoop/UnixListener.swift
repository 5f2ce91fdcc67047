internal import CSystemd.Event
internal import Glibc

/// Why a listening socket could not be made.
package enum UnixSocketError: Error, Equatable, Sendable {
    /// The path is longer than the kernel allows: 107 bytes.
    case pathTooLong(String)
    /// A running process listens there.
    case inUse(String)
    /// Something that is not a socket is there.
    case notASocket(String)
    /// A call failed, with the C library's error number.
    case system(call: String, path: String, errorNumber: Int32)
}

extension UnixSocketError: CustomStringConvertible {
    /// The problem and what to do about it, in one line.
    package var description: String {
        switch self {
        case .pathTooLong(let path): "\(path): longer than the 107 bytes of a socket path; use a shorter directory"
        case .inUse(let path): "\(path): another alertd is listening there; stop it, or use another --runtime-dir"
        case .notASocket(let path): "\(path): exists and is not a socket; remove it, or use another --runtime-dir"
        case .system(let call, let path, let number): "\(path): \(call): \(describe(errorNumber: number))"
        }
    }
}

/// A listening Unix stream socket on the loop.
@LoopActor
package final class UnixListener {
    /// The path of the socket file.
    package let path: String
    /// The listening socket, owned by the listener.
    package let descriptor: Int32
    /// Whether the socket file is kept when listening ends because another process also holds the socket: clients that
    /// connect meanwhile wait for the next listener.
    package var keepsFile = false
    private var pause: LoopTimer?
    private var watch: DescriptorWatch?
    private var isOpen = true

    /// Makes the socket and listens. A socket file that no process listens on is replaced.
    ///
    /// - Parameters:
    ///   - path: the socket file; its folder must exist.
    ///   - mode: the permission bits of the socket file.
    /// - Throws: ``UnixSocketError``.
    package init(path: String, mode: UInt32) throws(UnixSocketError) {
        self.path = path
        descriptor = try Self.bound(to: path, mode: mode)
    }

    /// Takes over a socket that is already listening; its file is kept.
    ///
    /// - Parameters:
    ///   - descriptor: a listening Unix stream socket.
    ///   - path: the path that it is bound to.
    package init(adopting descriptor: Int32, path: String) {
        self.path = path
        self.descriptor = descriptor
        keepsFile = true
        // Accepting happens in turns of the loop and must never block. The call fails only for an invalid descriptor.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    isolated deinit {
        stop()
    }

    /// Accepts connections from now on.
    ///
    /// - Parameter accept: called with the descriptor of each connection, non-blocking and close-on-exec, which it
    ///   owns.
    package func start(accept: @escaping @LoopActor (Int32) -> Void) {
        let descriptor = descriptor
        pause = LoopTimer { [weak self] in self?.watch?.interest = .readable }
        watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in
            // A bound on the work of one turn; the rest is accepted in the next.
            for _ in 0..<64 {
                let connection = alertd_accept(descriptor)
                guard connection >= 0 else {
                    self?.acceptFailed(errno)
                    return
                }
                accept(connection)
            }
        }
    }

    /// Without a free descriptor the connection remains ready to be accepted: pausing the watch keeps the loop from
    /// spinning.
    private func acceptFailed(_ number: Int32) {
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) else { return }
        watch?.interest = []
        pause?.arm(after: .seconds(1))
    }

    /// Stops listening and removes the socket file, unless it is to be kept.
    package func stop() {
        guard isOpen else { return }
        isOpen = false
        pause?.disarm()
        watch?.end()
        watch = nil
        close(descriptor)
        if !keepsFile { unsafe unlink(path) }
    }

    private static func bound(to path: String, mode: UInt32) throws(UnixSocketError) -> Int32 {
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

    private static func removeIfStale(_ path: String) throws(UnixSocketError) {
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

    private static func newSocket(_ path: String) throws(UnixSocketError) -> Int32 {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, Int32(kind), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", path: path, errorNumber: errno) }
        return descriptor
    }
}

/// Connects to a listening Unix stream socket.
///
/// - Parameters:
///   - path: the path of the socket.
///   - timeLimit: how long to wait while the other side does not accept, and later while it does not read; nil for no
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
    // Zero would mean no limit.
    let microseconds = max(1, min(limit.microseconds, 1 << 50))
    var time = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
    // It can fail only for an invalid time or socket.
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
}

/// Calls `body` with the socket address of a path of at most 107 bytes.
private func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
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
