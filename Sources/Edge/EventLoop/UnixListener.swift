internal import CSystemd.Event
internal import Glibc
package import UnixSockets

/// How many connections a socket accepts, so that clients that connect and hang up without end cost little.
package struct AcceptRation: Sendable {
    /// In one turn of the loop: at some 20 µs each, what polls may wait for is below a millisecond.
    package var perTurn = 16
    /// In a period. With 2,560 a second, a queue of 128 clients is served in 50 ms, and refusing them all costs a
    /// twentieth of a processor.
    package var perPeriod = 128
    /// The time in which ``perPeriod`` connections are accepted.
    package var period = Duration.milliseconds(50)

    package init() {}
}

/// A listening Unix stream socket on the loop. New connections come after the daemon's own work.
@LoopActor
package final class UnixListener {
    /// The path of the socket file.
    package let path: String
    /// The listening socket, owned by the listener; another one after ``checkFile()`` has made the file again.
    package private(set) var descriptor: Int32
    /// Whether the socket file is kept when listening ends because another process also holds the socket: clients that
    /// connect meanwhile wait for the next listener.
    package var keepsFile = false
    private var pause: LoopTimer?
    private var watch: DescriptorWatch?
    private var isOpen = true
    private var file: SocketFile?
    /// What was last found at the path.
    private var fileState = SocketFile.State.present
    private var accept: (@LoopActor (Int32) -> Void)?
    private let ration: AcceptRation
    /// When the current period began, and how many connections it had.
    private var period: (start: ContinuousClock.Instant, accepted: Int)?

    /// Makes the socket and listens. A socket file that no process listens on is replaced.
    ///
    /// - Parameters:
    ///   - path: the socket file; its folder must exist.
    ///   - mode: the permission bits of the socket file.
    ///   - ration: how many connections it accepts.
    /// - Throws: ``UnixSocketError``.
    package init(path: String, mode: UInt32, ration: AcceptRation = AcceptRation()) throws(UnixSocketError) {
        self.path = path
        self.ration = ration
        descriptor = try listenOnUnixSocket(at: path, mode: mode)
        file = SocketFile(at: path)
    }

    /// Takes over a socket that is already listening; its file is kept.
    ///
    /// - Parameters:
    ///   - descriptor: a listening Unix stream socket.
    ///   - path: the path that it is bound to.
    ///   - mode: the permission bits of the socket file if it is missing; nil if there should be none.
    package init(adopting descriptor: Int32, path: String, mode: UInt32? = nil) {
        self.path = path
        ration = AcceptRation()
        self.descriptor = descriptor
        file = SocketFile(at: path) ?? mode.map { SocketFile(missingAt: path, mode: $0) }
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
        self.accept = accept
        watch(accept)
    }

    private func watch(_ accept: @escaping @LoopActor (Int32) -> Void) {
        pause = LoopTimer(priority: .administration) { [weak self] in self?.watch?.interest = .readable }
        watch = DescriptorWatch(descriptor, for: .readable, priority: .administration) { [weak self] _ in
            self?.acceptSome(accept)
        }
    }

    /// Accepts what one turn may: the rest comes after everything that is more important.
    private func acceptSome(_ accept: @LoopActor (Int32) -> Void) {
        let now = ContinuousClock.now
        if period.map({ now - $0.start >= ration.period }) ?? true { period = (now, 0) }
        for _ in 0..<ration.perTurn {
            guard let current = period, current.accepted < ration.perPeriod else { return rest(at: now) }
            let connection = alertd_accept(descriptor)
            guard connection >= 0 else { return acceptFailed(errno) }
            period?.accepted += 1
            accept(connection)
            // What accepts may have stopped listening.
            guard isOpen else { return }
        }
    }

    /// Leaves connections waiting until the period is over.
    private func rest(at now: ContinuousClock.Instant) {
        guard let period else { return }
        watch?.interest = []
        pause?.arm(after: max(.milliseconds(1), ration.period - (now - period.start)))
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
        // Another process may have a socket of its own there by now.
        if !keepsFile, file?.check() == .present { unsafe unlink(path) }
    }

    // MARK: The file

    /// A change of the socket file.
    package enum FileChange: Equatable, Sendable {
        /// It was removed, and is there again, with the same owner, mode and access control list.
        case remade
        /// It was removed, and stays so, as the socket belongs to a socket unit; reported once.
        case missing
        /// Another file is in its place, which stays there; reported once.
        case replaced
    }

    /// Looks whether the socket file is still there, and makes it again if it is not. Clients that have connected stay.
    ///
    /// - Parameter mayRemake: false for a socket that belongs to a socket unit.
    /// - Returns: nil when there is nothing to report.
    /// - Throws: ``UnixSocketError`` when the file cannot be made again; reported each time.
    package func checkFile(mayRemake: Bool = true) throws(UnixSocketError) -> FileChange? {
        guard isOpen, let old = file, let state = file?.check() else { return nil }
        let isNew = state != fileState
        fileState = state
        switch state {
        case .present: return nil
        case .replaced: return isNew ? .replaced : nil
        case .missing where !mayRemake: return isNew ? .missing : nil
        case .missing:
            try remake(old)
            return .remade
        }
    }

    private func remake(_ old: SocketFile) throws(UnixSocketError) {
        // Nobody may connect before the access is as it was.
        let new = try listenOnUnixSocket(at: path, mode: 0)
        old.restoreAccess()
        pause?.disarm()
        watch?.end()
        watch = nil
        // Clients that connected just before the file was removed still wait in the old socket.
        if let accept { acceptSome(accept) }
        guard isOpen else {
            close(new)
            return
        }
        close(descriptor)
        descriptor = new
        file = SocketFile(at: path)
        fileState = .present
        if let accept { watch(accept) }
    }
}
