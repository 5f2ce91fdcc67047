package import EventLoop
internal import Glibc
package import UnixSockets

/// A Varlink service on a Unix socket.
///
/// Calls of one connection are answered in their order, those of different connections concurrently. Anything
/// but a call closes its connection.
@LoopActor
package final class VarlinkServer {
    package internal(set) var counters = VarlinkCounters()

    private let listener: UnixListener
    private let interfaces: [String: VarlinkInterface]
    private let limits: VarlinkLimits
    private var connections: [ObjectIdentifier: VarlinkConnection] = [:]

    /// Makes the socket; clients that connect wait until ``start()``.
    ///
    /// - Parameters:
    ///   - path: of the socket; its folder exists.
    ///   - mode: the permission bits of the socket file.
    ///   - information: who serves.
    ///   - interfaces: all but `org.varlink.service`, which is always there.
    ///   - limits: how much it takes.
    /// - Throws: `UnixSocketError` when the socket cannot be made.
    package convenience init(
        path: String, mode: UInt32 = 0o660, information: ServiceInformation, interfaces: [VarlinkInterface],
        limits: VarlinkLimits = VarlinkLimits()
    ) throws(UnixSocketError) {
        let listener = try UnixListener(path: path, mode: mode)
        self.init(listener, information: information, interfaces: interfaces, limits: limits)
    }

    /// Serves an existing socket; clients that connect wait until ``start()``.
    ///
    /// - Parameters:
    ///   - listener: the socket.
    ///   - information: who serves.
    ///   - interfaces: all but `org.varlink.service`, which is always there.
    ///   - limits: how much it takes.
    package init(
        _ listener: UnixListener, information: ServiceInformation, interfaces: [VarlinkInterface],
        limits: VarlinkLimits = VarlinkLimits()
    ) {
        self.listener = listener
        var byName = [VarlinkInterface.serviceName: VarlinkInterface.service(information, interfaces)]
        for interface in interfaces { byName[interface.name] = interface }
        self.interfaces = byName
        self.limits = limits
    }

    /// How many clients are connected.
    package var connectionCount: Int { connections.count }

    /// Serves from now on.
    package func start() {
        listener.start { [weak self] descriptor in
            if let self { accept(descriptor) } else { close(descriptor) }
        }
    }

    /// Stops listening, removes the socket file (unless ``UnixListener/keepsFile``) and closes all connections; their
    /// close actions are called by the loop later.
    package func stop() {
        listener.stop()
        for connection in connections.values { connection.close() }
    }

    private func accept(_ descriptor: Int32) {
        guard connections.count < limits.connections, let peer = PeerCredentials(of: descriptor) else {
            counters.refused += 1
            close(descriptor)
            return
        }
        counters.connections += 1
        let connection = VarlinkConnection(descriptor, peer: peer, limits: limits, server: self)
        connections[ObjectIdentifier(connection)] = connection
    }

    func didClose(_ connection: VarlinkConnection) {
        connections[ObjectIdentifier(connection)] = nil
    }

    /// Whether what waits for all clients is within its limit.
    var hasRoom: Bool {
        connections.values.reduce(0) { $0 + $1.queued } <= limits.totalQueue
    }

    func answer(_ head: CallHead, on connection: VarlinkConnection) async {
        counters.calls += 1
        do {
            let method = try method(for: head)
            let call = VarlinkCall(head, isStream: method.isStream, connection: connection)
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
        guard head.more || !method.isStream else { throw .expectedMore }
        return method
    }
}
