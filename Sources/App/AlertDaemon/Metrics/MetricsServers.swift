internal import Delivery
internal import EventLoop
internal import Glibc
internal import HTTPServer
internal import Journal
internal import Metrics
internal import Time

/// The HTTP servers for metrics: on sockets that the service manager passed, and at the addresses of the settings.
/// Their failures never affect alerts.
@LoopActor
final class MetricsServers {
    /// Creates the current metrics, in several turns of the loop.
    private let text: Text
    /// The requests that wait for the text in progress, by format.
    private var waiting: [MetricsFormat: [HTTPExchange]] = [:]
    private let log: Log
    private let serve: Serve
    private var passed: [LoopHTTPServer] = []
    /// Sockets without a server. Clients that connect are disconnected, because they would wait forever.
    private var closed: [UnixListener] = []
    /// The servers at the addresses of the settings.
    private var own: [(address: ListenAddress, server: LoopHTTPServer)] = []

    /// The limits are low, because only a few programs scrape, and each scrape takes a moment.
    private static let limits: HTTPServerLimits = {
        var limits = HTTPServerLimits()
        limits.connections = 16
        limits.connectionsPerUser = 8
        limits.connectionBytes = 16 << 10
        limits.response = .seconds(10)
        return limits
    }()

    /// Creates a server for a listening socket. The server owns the socket; after an error, the socket is closed.
    typealias Serve = @LoopActor (Int32, [HTTPRoute], HTTPServerLimits) throws(HTTPServerError) -> LoopHTTPServer

    typealias Text = @LoopActor @Sendable (MetricsFormat) async -> [UInt8]

    /// Serves on sockets that the service manager passed. The servers own them from now on.
    init(
        passed descriptors: [Int32], log: Log,
        serve: @escaping Serve = { socket, routes, limits throws(HTTPServerError) in
            try LoopHTTPServer(listening: socket, routes: routes, limits: limits)
        }, text: @escaping Text
    ) {
        self.text = text
        self.log = log
        self.serve = serve
        for descriptor in descriptors { adopt(descriptor) }
    }

    /// Serves on a socket of the service manager. The manager keeps it open, so clients can connect even without a
    /// server.
    private func adopt(_ descriptor: Int32) {
        let spare = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        if let server = server(on: descriptor, "the socket of alertd-metrics.socket") {
            passed.append(server)
            if spare >= 0 { close(spare) }
        } else if spare >= 0 {
            let listener = UnixListener(adopting: spare, path: "")
            listener.start { close($0) }
            closed.append(listener)
        }
    }

    /// Starts servers at new addresses, and stops those at addresses that are no longer listed. Addresses that cannot
    /// be opened are logged.
    func listen(at addresses: [ListenAddress]) {
        for (address, server) in own where !addresses.contains(address) {
            server.stop()
            address.removeFile()
        }
        own.removeAll { !addresses.contains($0.address) }
        for address in addresses where !own.contains(where: { $0.address == address }) {
            do throws(HTTPServerError) {
                let descriptor = try address.listen(mode: 0o660)
                if let server = server(on: descriptor, "\(address)") { own.append((address, server)) }
            } catch {
                log.error("metrics: \(error)", id: .metricsFailed)
            }
        }
    }

    /// Recreates Unix sockets whose file was removed, because clients can no longer connect to them.
    func restoreFiles() {
        let addresses = own.map(\.address)
        let lost = own.filter { $0.address.isFileMissing }
        guard !lost.isEmpty else { return }
        for (address, server) in lost {
            server.stop()
            log.warning("metrics: \(address) was removed; recreating it", id: .socketRemoved)
        }
        own.removeAll { $0.address.isFileMissing }
        listen(at: addresses)
    }

    func stop() {
        for server in passed { server.stop() }
        passed = []
        for listener in closed { listener.stop() }
        closed = []
        listen(at: [])
    }

    private func server(on descriptor: Int32, _ name: String) -> LoopHTTPServer? {
        do throws(HTTPServerError) {
            return try serve(descriptor, routes, Self.limits)
        } catch {
            log.error("metrics: \(name): \(error)", id: .metricsFailed)
            return nil
        }
    }

    /// The number of requests that wait.
    var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// Answers with a new text, or with the text that is already being created for an earlier request.
    private func answer(_ exchange: HTTPExchange, _ format: MetricsFormat) {
        waiting[format, default: []].append(exchange)
        guard waiting[format]?.count == 1 else { return }
        Loop.shared.start(.client) { [weak self, text] in
            let body = await text(format)
            for exchange in self?.waiting.removeValue(forKey: format) ?? [] {
                exchange.respond(HTTPServerResponse(type: format.contentType, body: body))
            }
        }
    }

    private var routes: [HTTPRoute] {
        [
            HTTPRoute(.get, "/metrics") { [weak self] exchange in
                self?.answer(exchange, MetricsFormat(accept: exchange.request.header("accept")))
            },
            HTTPRoute(.get, "/") { exchange in
                exchange.respond(HTTPServerResponse(type: "text/html; charset=utf-8", body: Array(Self.page.utf8)))
            },
        ]
    }

    private static let page = """
        <!DOCTYPE html>
        <html lang="en"><head><title>alertd</title></head>
        <body><h1>alertd</h1><p><a href="/metrics">Metrics</a></p></body></html>

        """
}

extension ListenAddress {
    /// True for a Unix socket without a file.
    fileprivate var isFileMissing: Bool {
        guard case .unix(let path) = self else { return false }
        var status = stat()
        return unsafe lstat(path, &status) != 0 && errno == ENOENT
    }

    /// Removes the file of a Unix socket.
    fileprivate func removeFile() {
        if case .unix(let path) = self { unsafe unlink(path) }
    }
}
