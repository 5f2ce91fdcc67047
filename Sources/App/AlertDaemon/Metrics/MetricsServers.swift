internal import Delivery
internal import EventLoop
internal import Glibc
internal import HTTPServer
internal import Journal
internal import Metrics
internal import Time

/// Serves the metrics over HTTP: on sockets that the service manager passed, and on those of the settings. Whether one
/// of them works never matters for alerts.
@LoopActor
final class MetricsServers {
    private let metrics: DaemonMetrics
    private let log: Log
    private var passed: [LoopHTTPServer] = []
    /// Those of the settings.
    private var own: [(address: ListenAddress, server: LoopHTTPServer)] = []

    /// A few programs scrape, and each scrape is over in a moment.
    private static let limits: HTTPServerLimits = {
        var limits = HTTPServerLimits()
        limits.connections = 16
        limits.connectionBytes = 16 << 10
        limits.response = .seconds(10)
        return limits
    }()

    /// Serves on sockets that the service manager passed, which belong to the servers from now on.
    init(_ metrics: DaemonMetrics, passed descriptors: [Int32], log: Log) {
        self.metrics = metrics
        self.log = log
        passed = descriptors.compactMap { server(on: $0, "the socket of alertd-metrics.socket") }
    }

    /// Serves at these addresses, and no longer at others. What cannot be opened is logged.
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

    func stop() {
        for server in passed { server.stop() }
        passed = []
        listen(at: [])
    }

    private func server(on descriptor: Int32, _ name: String) -> LoopHTTPServer? {
        do throws(HTTPServerError) {
            return try LoopHTTPServer(listening: descriptor, routes: routes, limits: Self.limits)
        } catch {
            log.error("metrics: \(name): \(error)", id: .metricsFailed)
            return nil
        }
    }

    private var routes: [HTTPRoute] {
        [
            HTTPRoute(.get, "/metrics") { [weak metrics] exchange in
                let format = MetricsFormat(accept: exchange.request.header("accept"))
                let text = metrics?.text(format) ?? []
                exchange.respond(HTTPServerResponse(type: format.contentType, body: text))
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
    /// Removes the file of a Unix socket.
    fileprivate func removeFile() {
        if case .unix(let path) = self { unsafe unlink(path) }
    }
}
