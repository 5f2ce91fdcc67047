internal import CSystemd.Event
internal import Glibc
package import UnixSockets

/// Limits on accepting connections, so that clients that keep connecting and hanging up cost little.
package struct AcceptRation: Sendable {
    /// The maximum number of connections accepted in one turn of the loop. At about 20 µs each, a poll is delayed by
    /// less than a millisecond.
    package var perTurn = 16
    /// The maximum number of connections accepted in one period. At 2,560 a second, a queue of 128 clients is served
    /// in 50 ms, and refusing all of them takes a twentieth of a processor.
    package var perPeriod = 128
    package var period = Duration.milliseconds(50)

    package init() {}
}

/// A listening Unix stream socket on the loop. New connections are accepted after the daemon's own work.
@LoopActor
package final class UnixListener {
    /// The path of the socket file.
    package let path: String
    /// The listening socket, owned by the listener. It changes when ``checkFile()`` creates the file again.
    package private(set) var descriptor: Int32
    /// True to keep the socket file when listening ends, because another process also has the socket open. Clients
    /// that connect meanwhile wait for the next listener.
    package var keepsFile = false
    private var pause: LoopTimer?
    private var watch: DescriptorWatch?
    private var isOpen = true
    private var file: SocketFile?
    /// The last known state of the path.
    private var fileState = SocketFile.State.present
    private var accept: (@LoopActor (Int32) -> Void)?
    private let ration: AcceptRation
    /// The start of the current period, and the number of connections accepted in it.
    private var period: (start: ContinuousClock.Instant, accepted: Int)?

    /// Creates the socket and listens. A socket file that no process listens on is replaced.
    ///
    /// - Parameters:
    ///   - path: the socket file; its folder must exist.
    ///   - mode: the permission bits of the socket file.
    ///   - ration: the limits on accepting connections.
    /// - Throws: ``UnixSocketError``.
    package init(path: String, mode: UInt32, ration: AcceptRation = AcceptRation()) throws(UnixSocketError) {
        self.path = path
        self.ration = ration
        descriptor = try listenOnUnixSocket(at: path, mode: mode)
        file = SocketFile(at: path)
    }

    /// Adopts a socket that is already listening; its file is kept.
    ///
    /// - Parameters:
    ///   - descriptor: a listening Unix stream socket.
    ///   - path: the path that the socket is bound to.
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
    /// - Parameter accept: called with the descriptor of each connection, non-blocking and close-on-exec, which the
    ///   callee owns.
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

    /// Accepts up to the limit of one turn. The other connections wait until everything more important was
    /// dispatched.
    private func acceptSome(_ accept: @LoopActor (Int32) -> Void) {
        let now = ContinuousClock.now
        if period.map({ now - $0.start >= ration.period }) ?? true { period = (now, 0) }
        for _ in 0..<ration.perTurn {
            guard let current = period, current.accepted < ration.perPeriod else { return rest(at: now) }
            let connection = alertd_accept(descriptor)
            guard connection >= 0 else { return acceptFailed(errno) }
            period?.accepted += 1
            accept(connection)
            // The closure may have stopped the listener.
            guard isOpen else { return }
        }
    }

    /// Stops accepting until the period is over; connections wait meanwhile.
    private func rest(at now: ContinuousClock.Instant) {
        guard let period else { return }
        watch?.interest = []
        pause?.arm(after: max(.milliseconds(1), ration.period - (now - period.start)))
    }

    /// Handles a failure to accept. Without a free descriptor, the connection remains ready to be accepted, so the
    /// watch is paused to keep the loop from spinning.
    private func acceptFailed(_ number: Int32) {
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) else { return }
        watch?.interest = []
        pause?.arm(after: .seconds(1))
    }

    /// Stops listening and removes the socket file, unless it should be kept.
    package func stop() {
        guard isOpen else { return }
        isOpen = false
        pause?.disarm()
        watch?.end()
        watch = nil
        close(descriptor)
        // By now another process may have a socket of its own at the path.
        if !keepsFile, file?.check() == .present { unsafe unlink(path) }
    }

    // MARK: The file

    /// A change of the socket file.
    package enum FileChange: Equatable, Sendable {
        /// The file was removed, and was created again with the same owner, mode and access control list.
        case remade
        /// The file was removed, and is not created again because the socket belongs to a socket unit. Reported once.
        case missing
        /// Another file is at the path now, and stays there. Reported once.
        case replaced
    }

    /// Checks that the socket file exists, and creates it again if it does not. Connected clients are not affected.
    ///
    /// - Parameter mayRemake: false for a socket that belongs to a socket unit.
    /// - Returns: nil if there is nothing to report.
    /// - Throws: ``UnixSocketError`` if the file cannot be created again; reported each time.
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
        // No client may connect before the access is restored.
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
