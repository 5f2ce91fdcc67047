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
        let user = unsafe connections[pointer]?.user
        let own = open.filter { $0.user != nil && $0.user == user }
        if own.count > limits.connectionsPerUser {
            own.leastUseful?.shutDown()
        } else if open.count > limits.connections {
            open.leastUseful?.shutDown()
        }
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
        return routes.route(request).map { route in
            connection.accept()
            return HTTPExchange(request, route, on: connection)
        }
    }

    /// Hands a complete request to its handler, once.
    func handle(_ exchange: HTTPExchange, on connection: ServerConnection) {
        guard !exchange.isHandled, !isStopping else { return }
        exchange.isHandled = true
        connection.beginHandling()
        exchange.route.handler(exchange)
    }
}

extension [ServerConnection] {
    /// The connection that makes room: the oldest one without an accepted request, so that half a header keeps nobody
    /// out, unless its request is complete and only waits to be read, as many clients may come at once; else the one
    /// that has been idle for longest, or whose client has not read its response for longest; else the new one.
    fileprivate var leastUseful: ServerConnection? {
        let newest = self.max { $0.number < $1.number }
        let others = filter { $0 !== newest }
        let undecided = others.filter { !$0.isAccepted }.sorted { $0.number < $1.number }
        return undecided.first { !$0.hasUnreadRequest } ?? others.longest(\.idleSince)
            ?? others.longest(\.respondingSince) ?? newest
    }

    private func longest(_ start: (ServerConnection) -> BootTime?) -> ServerConnection? {
        let begun = compactMap { connection in start(connection).map { (since: $0, connection: connection) } }
        return begun.min { ($0.since, $0.connection.number) < ($1.since, $1.connection.number) }?.connection
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
