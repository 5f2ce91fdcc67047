internal import CMicroHTTPD
internal import Time

/// The connections of a server, and the code that its callbacks run.
@safe
final class ServerState {
    let limits: HTTPServerLimits
    let now: () -> BootTime
    private let routes: [HTTPRoute]
    private let gate: (HTTPServerRequest) -> HTTPServerResponse?
    private var connections: [OpaquePointer: ServerConnection] = unsafe [:]
    private var accepted = 0
    private var isStopping = false
    /// True if the library must run again although its descriptor is not readable. The library does not wake itself
    /// for a resumed connection, and after the end of a connection, it accepts new ones only in its next run.
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

    /// Checks the header of a request.
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

    /// Passes a complete request to its handler, once.
    func handle(_ exchange: HTTPExchange, on connection: ServerConnection) {
        guard !exchange.isHandled, !isStopping else { return }
        exchange.isHandled = true
        connection.beginHandling()
        exchange.route.handler(exchange)
    }
}

extension [ServerConnection] {
    /// The connection to close to make room. It is the oldest one without an accepted request, so that incomplete
    /// headers keep no other client out. A complete request that only waits to be read does not count, because many
    /// clients may connect at the same time. Otherwise, it is the connection that has been idle for longest, then the
    /// one whose client has not read its response for longest, then the new one.
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
    /// The length of the body according to the header; 0 if the header lacks it. The library checks that it is a
    /// number.
    fileprivate var declaredBytes: Int {
        guard let text = header("content-length") else { return 0 }
        return Int(text) ?? .max
    }
}
