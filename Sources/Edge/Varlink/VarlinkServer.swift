package import EventLoop
internal import Glibc
package import UnixSockets

/// A Varlink service on a Unix socket.
///
/// Calls of one connection are answered in order, one at a time. Calls of different connections are answered
/// concurrently, and users take turns, one call each. Calls of users who may change something come before all others.
/// A message that is not a call closes its connection.
@LoopActor
package final class VarlinkServer {
    package internal(set) var counters = VarlinkCounters()
    /// The connections by user, and the number of connections that were turned away.
    package private(set) var places: ConnectionPlaces

    package let listener: UnixListener
    private let interfaces: [String: VarlinkInterface]
    private let limits: VarlinkLimits
    private let rank: Rank
    private let credentials: Credentials
    private var connections: [ObjectIdentifier: VarlinkConnection] = [:]
    /// Connections with a call that waits to be answered, by the priority of their users.
    private var turns: [LoopPriority: FairTurns<VarlinkConnection>] = [:]

    /// Returns the rank of a user.
    package typealias Rank = @LoopActor (PeerCredentials) -> PeerRank
    /// Returns the user at the other end of a socket; nil if the user is not known.
    package typealias Credentials = @LoopActor (Int32) -> PeerCredentials?

    /// Creates the socket. Clients that connect wait until ``start()``.
    ///
    /// - Parameters:
    ///   - path: the path of the socket; its folder must exist.
    ///   - mode: the permission bits of the socket file.
    ///   - information: the identity of the service.
    ///   - interfaces: all interfaces except `org.varlink.service`, which every server has.
    ///   - limits: the limits on clients.
    ///   - rank: returns the rank of a user, which decides about places and turns.
    ///   - credentials: returns the user of a connection. Tests replace it to have users that the kernel does not
    ///     know.
    /// - Throws: `UnixSocketError` if the socket cannot be created.
    package convenience init(
        path: String, mode: UInt32 = 0o660, information: ServiceInformation, interfaces: [VarlinkInterface],
        limits: VarlinkLimits = VarlinkLimits(), rank: @escaping Rank = { _ in .owner },
        credentials: @escaping Credentials = { PeerCredentials(of: $0) }
    ) throws(UnixSocketError) {
        let listener = try UnixListener(path: path, mode: mode)
        self.init(
            listener, information: information, interfaces: interfaces, limits: limits, rank: rank,
            credentials: credentials)
    }

    /// Serves an existing socket; clients that connect wait until ``start()``.
    ///
    /// - Parameters:
    ///   - listener: the socket.
    ///   - information: the identity of the service.
    ///   - interfaces: all interfaces except `org.varlink.service`, which every server has.
    ///   - limits: the limits on clients.
    ///   - rank: returns the rank of a user, which decides about places and turns.
    ///   - credentials: returns the user of a connection.
    package init(
        _ listener: UnixListener, information: ServiceInformation, interfaces: [VarlinkInterface],
        limits: VarlinkLimits = VarlinkLimits(), rank: @escaping Rank = { _ in .owner },
        credentials: @escaping Credentials = { PeerCredentials(of: $0) }
    ) {
        self.listener = listener
        self.rank = rank
        self.credentials = credentials
        places = ConnectionPlaces(limits.places)
        var byName = [VarlinkInterface.serviceName: VarlinkInterface.service(information, interfaces)]
        for interface in interfaces { byName[interface.name] = interface }
        self.interfaces = byName
        self.limits = limits
    }

    package var connectionCount: Int { connections.count }

    /// Accepts clients from now on.
    package func start() {
        listener.start { [weak self] descriptor in
            if let self { accept(descriptor) } else { close(descriptor) }
        }
    }

    /// Stops listening, removes the socket file (unless ``UnixListener/keepsFile``) and closes all connections. The
    /// loop calls their close actions later.
    package func stop() {
        listener.stop()
        for connection in connections.values { connection.close() }
    }

    private func accept(_ descriptor: Int32) {
        // A peer without credentials gets no place. The kernel knows the credentials of every peer of a Unix socket.
        guard let peer = credentials(descriptor) else {
            close(descriptor)
            return
        }
        let rank = rank(peer)
        guard places.reserve(peer.user, rank) else {
            close(descriptor)
            return
        }
        counters.connections += 1
        let connection = VarlinkConnection(descriptor, peer: peer, rank: rank, limits: limits, server: self)
        connections[ObjectIdentifier(connection)] = connection
    }

    func didClose(_ connection: VarlinkConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        places.remove(connection.peer.user, connection.rank)
    }

    /// Returns true if the queues of all clients leave room for more to this one. Users who may only read share half
    /// of the limit, and one of them has at most a quarter. The last quarter is reserved for owners.
    func hasRoom(for connection: VarlinkConnection) -> Bool {
        let others = connections.values
        func queued(_ isCounted: (VarlinkConnection) -> Bool) -> Int {
            others.reduce(0) { $0 + (isCounted($1) ? $1.queued : 0) }
        }
        let total = limits.totalQueue
        return switch connection.rank {
        case .owner: queued { _ in true } <= total
        case .administrator: queued { $0.rank < .owner } <= total / 4 * 3
        case .reader:
            queued { $0.rank == .reader } <= total / 2
                && queued { $0.rank == .reader && $0.peer.user == connection.peer.user } <= total / 4
        }
    }

    /// Queues a connection, which answers one call when it is the turn of its user.
    func askForTurn(_ connection: VarlinkConnection) {
        let priority = connection.rank.priority
        let isWaiting = turns[priority].map(\.isEmpty) ?? true
        turns[priority, default: FairTurns()].add(connection, of: connection.peer.user)
        if isWaiting { Loop.shared.start(priority) { self.giveTurn(priority) } }
    }

    /// Starts to answer one call. The job of the next turn is queued behind the job of this answer.
    private func giveTurn(_ priority: LoopPriority) {
        guard let next = turns[priority]?.next() else { return }
        next.answerNextCall()
        if turns[priority]?.isEmpty == false { Loop.shared.start(priority) { self.giveTurn(priority) } }
    }

    func answer(_ head: CallHead, on connection: VarlinkConnection) async {
        counters.calls += 1
        do {
            let method = try method(for: head)
            // The reply would not be sent, so a call that changes nothing is not executed.
            guard !head.oneway || method.kind == .change else { return }
            let call = VarlinkCall(head, isStream: method.kind == .stream, connection: connection)
            await call.run(method.handler)
        } catch {
            VarlinkCall(head, isStream: false, connection: connection).fail(error)
        }
    }

    private func method(for head: CallHead) throws(VarlinkError) -> VarlinkMethod {
        guard let dot = head.method.lastIndex(of: ".") else { throw .methodNotFound(head.method) }
        let name = String(head.method[..<dot])
        guard let interface = interfaces[name] else { throw .interfaceNotFound(name) }
        guard let method = interface.methods[String(head.method[dot...].dropFirst())] else {
            throw .methodNotFound(head.method)
        }
        guard !head.upgrade else { throw .methodNotImplemented(head.method) }
        guard head.more || method.kind != .stream else { throw .expectedMore }
        return method
    }
}
