internal import Delivery
internal import EventLoop
internal import HTTP
internal import Journal
internal import ServiceManager
internal import UnixSockets
internal import Varlink

/// The service manager, with everything that it passed to this process. This type adopts the passed sockets, or opens
/// new ones.
@LoopActor
struct ServiceManagerContext {
    let services: ServiceManager
    let inheritedDescriptors: InheritedDescriptors
    /// The time within which the service manager expects a keep-alive; nil without a watchdog.
    var watchdog: Duration?
    /// The secrets that the service manager passed.
    var credentials = Credentials(folder: nil)
    /// The proxy from the credential `proxy`; nil without one.
    var proxy: ProxyAddress?
    /// The permissions of the users who connect to the sockets.
    var permission = Permission.ofThisProcess()

    func control(_ path: String) throws(UnixSocketError) -> UnixListener {
        try listener(inheritedDescriptors.control, path, name: InheritedDescriptors.Name.control)
    }

    func events(_ path: String, limit: Int) throws(UnixSocketError) -> EventSocket {
        let listener = try listener(inheritedDescriptors.events, path, name: InheritedDescriptors.Name.events)
        let permission = permission
        let socket = EventSocket(listener, limit: limit, cursors: readerCursors()) { permission.rank(of: $0) }
        socket.adopt(inheritedDescriptors.readers)
        return socket
    }

    /// Adopts the passed socket, or opens one. An opened socket is stored with the service manager, so that clients
    /// that connect during a restart or after a crash wait instead of failing.
    private func listener(
        _ passed: InheritedDescriptors.Socket?, _ path: String, name: String
    ) throws(UnixSocketError) -> UnixListener {
        let mode: UInt32 = 0o660
        if let passed { return UnixListener(adopting: passed.descriptor, path: passed.path, mode: mode) }
        let listener = try UnixListener(path: path, mode: mode)
        if services.isPresent {
            services.store(listener.descriptor, name: name)
            listener.keepsFile = true
        }
        return listener
    }

    /// Recreates socket files that were removed, and logs this. Such a socket is still open, but no client can connect
    /// to it. The check runs with each poll and reload, and takes a short system call per socket.
    func restoreFiles(of server: VarlinkServer?, _ sinks: [any Sink], _ metrics: MetricsServers, _ log: Log) {
        let events = sinks.lazy.compactMap { $0 as? EventSocket }.first?.listener
        let sockets = [
            (server?.listener, inheritedDescriptors.control, InheritedDescriptors.Name.control),
            (events, inheritedDescriptors.events, InheritedDescriptors.Name.events),
        ]
        for (listener, passed, name) in sockets {
            guard let listener,
                let (level, text) = restoreFile(listener, isOfUnit: passed?.isOfUnit ?? false, name: name)
            else { continue }
            log.write(level, text, id: .socketRemoved)
        }
        metrics.restoreFiles()
    }

    private func restoreFile(
        _ listener: UnixListener, isOfUnit: Bool, name: String
    ) -> (level: LogLevel, text: String)? {
        let path = listener.path
        do throws(UnixSocketError) {
            switch try listener.checkFile(mayRemake: !isOfUnit) {
            case nil: return nil
            case .remade:
                if services.isPresent {
                    services.forget(name: name)
                    services.store(listener.descriptor, name: name)
                }
                return (.warning, "\(path) was removed; recreated it")
            case .missing:
                return (
                    .error,
                    "\(path) was removed, so nobody can connect; it belongs to alertd.socket: run "
                        + "'systemctl stop alertd.socket alertd.service' and "
                        + "'systemctl start alertd.socket alertd.service'"
                )
            case .replaced:
                return (
                    .error,
                    "\(path) is now another file, which is left alone; if no other process uses it, remove it, and the "
                        + "socket is recreated"
                )
            }
        } catch {
            return (.error, "\(path) was removed and cannot be recreated: \(error)")
        }
    }

    private func readerCursors() -> ReaderCursors? {
        guard services.isPresent else { return nil }
        let services = services
        let store = { services.store($0, name: InheritedDescriptors.Name.reader) }
        if let table = inheritedDescriptors.cursors { return ReaderCursors(table, store: store) }
        guard let table = ConnectionTable() else { return nil }
        services.store(table.descriptor, name: InheritedDescriptors.Name.cursors)
        return ReaderCursors(table, store: store)
    }
}

/// Reads the proxy from the credential `proxy`.
///
/// - Returns: nil if there is no such credential.
func proxy(from credentials: Credentials) throws(CredentialError) -> ProxyAddress? {
    guard let secret = try credentials.secret("proxy") else { return nil }
    guard let address = ProxyAddress(secret.reveal()) else {
        throw CredentialError(
            name: "proxy", reason: "not an address with a port, such as http://user:password@proxy.example:3128")
    }
    return address
}
