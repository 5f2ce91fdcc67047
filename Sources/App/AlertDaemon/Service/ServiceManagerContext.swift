internal import Delivery
internal import EventLoop
internal import HTTP
internal import ServiceManager

/// What the service manager gave to this process, and the way back to it: makes the sockets of the daemon, or goes on
/// with those that were passed.
@LoopActor
struct ServiceManagerContext {
    let services: ServiceManager
    let inheritedDescriptors: InheritedDescriptors
    /// How often the service manager wants to hear of the process.
    var watchdog: Duration?
    /// What the credential `proxy` names.
    var proxy: ProxyAddress?

    func control(_ path: String) throws(UnixSocketError) -> UnixListener {
        try listener(inheritedDescriptors.control, path, name: InheritedDescriptors.Name.control)
    }

    func events(_ path: String, limit: Int) throws(UnixSocketError) -> EventSocket {
        let listener = try listener(inheritedDescriptors.events, path, name: InheritedDescriptors.Name.events)
        let socket = EventSocket(listener, limit: limit, places: readerPlaces())
        socket.adopt(inheritedDescriptors.readers)
        return socket
    }

    /// A socket that the daemon makes itself is left with the service manager: over a restart, and when the daemon
    /// crashes, who connects waits in it instead of being refused.
    private func listener(
        _ passed: InheritedDescriptors.Socket?, _ path: String, name: String
    ) throws(UnixSocketError) -> UnixListener {
        if let passed { return UnixListener(adopting: passed.descriptor, path: passed.path) }
        let listener = try UnixListener(path: path, mode: 0o660)
        if services.isPresent {
            services.store(listener.descriptor, name: name)
            listener.keepsFile = true
        }
        return listener
    }

    private func readerPlaces() -> ReaderCursors? {
        guard services.isPresent else { return nil }
        let services = services
        let store = { services.store($0, name: InheritedDescriptors.Name.reader) }
        if let table = inheritedDescriptors.places { return ReaderCursors(table, store: store) }
        guard let table = ConnectionTable() else { return nil }
        services.store(table.descriptor, name: InheritedDescriptors.Name.places)
        return ReaderCursors(table, store: store)
    }
}

/// Reads the credential that names a proxy.
///
/// - Returns: nil when there is none.
func proxy(from credentials: Credentials) throws(CredentialError) -> ProxyAddress? {
    guard let secret = try credentials.secret("proxy") else { return nil }
    guard let address = ProxyAddress(secret.reveal()) else {
        throw CredentialError(
            name: "proxy", reason: "it is no address like http://user:password@proxy.example:3128, with its port")
    }
    return address
}
