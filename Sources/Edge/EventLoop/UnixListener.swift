internal import CSystemd.Event
internal import Glibc
package import UnixSockets

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
