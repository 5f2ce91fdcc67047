internal import CMicroHTTPD
internal import Time

/// The connections of a server, and what its callbacks do.
@safe
final class ServerState {
    let limits: HTTPServerLimits
    let now: () -> BootTime
    private let routes: [HTTPRoute]
    private let gate: (HTTPServerRequest) -> HTTPServerResponse?
    private var connections: [OpaquePointer: ServerConnection] = unsafe [:]
    private var accepted = 0
    private var isStopping = false
    /// Whether the library has to run again although its descriptor is not readable: it does not wake itself for a
    /// resumed connection, and listens again after the end of a connection only when it runs the next time.
    var mustRun = false
    var onWork: (() -> Void)?

    init(
        _ routes: [HTTPRoute], _ limits: HTTPServerLimits, gate: @escaping (HTTPServerRequest) -> HTTPServerResponse?,
        now: @escaping () -> BootTime
    ) {
        self.routes = routes
        self.limits = limits
        self.gate = gate
        self.now = now
    }

    private var all: [ServerConnection] { unsafe Array(connections.values) }
    var connectionCount: Int { all.count }
    var streamCount: Int { all.count(where: \.isStreaming) }
    var nextDeadline: BootTime? { all.compactMap(\.deadline).min() }

    func connection(_ pointer: OpaquePointer) -> ServerConnection? { unsafe connections[pointer] }

    func closeOverdue() {
        let now = now()
        for connection in all where connection.deadline.map({ $0 <= now }) ?? false { connection.shutDown() }
    }

    func runAgain() {
        guard !mustRun else { return }
        mustRun = true
        onWork?()
    }

    func stop() {
        isStopping = true
        for connection in all { connection.shutDown() }
    }

    func begin(_ pointer: OpaquePointer) {
        accepted += 1
        unsafe connections[pointer] = unsafe ServerConnection(pointer, of: self, number: accepted)
        let open = all.filter { !$0.isShutDown }
        guard open.count > limits.connections else { return }
        // The connection that has been idle for longest makes room, and if there is no other, the new one.
        let idle = open.compactMap { connection in connection.idleSince.map { ($0, connection.number, connection) } }
        idle.min { ($0.0, $0.1) < ($1.0, $1.1) }?.2.shutDown()
    }

    func end(_ pointer: OpaquePointer) {
        unsafe connections[pointer] = nil
        runAgain()
    }

    // MARK: Requests

    /// Looks at the header of a request.
    ///
    /// - Returns: the exchange, or the response that refuses the request.
    func open(
        _ request: HTTPServerRequest, on connection: ServerConnection
    ) -> Result<HTTPExchange, RoutingFailure> {
        if let refusal = gate(request) { return .failure(RoutingFailure(refusal)) }
        if request.declaredBytes > limits.bodyBytes { return .failure(.bodyTooLong) }
        return routes.route(request).map { HTTPExchange(request, $0, on: connection) }
    }

    /// Hands a complete request to its handler, once.
    func handle(_ exchange: HTTPExchange, on connection: ServerConnection) {
        guard !exchange.isHandled, !isStopping else { return }
        exchange.isHandled = true
        connection.beginHandling()
        exchange.route.handler(exchange)
    }
}

extension RoutingFailure {
    static let bodyTooLong = RoutingFailure(.text(413, "The body is too long"))
}

extension HTTPServerRequest {
    /// The length of the body according to the header; 0 if it does not say. The library checks that it is a number.
    fileprivate var declaredBytes: Int {
        guard let text = header("content-length") else { return 0 }
        return Int(text) ?? .max
    }
}
