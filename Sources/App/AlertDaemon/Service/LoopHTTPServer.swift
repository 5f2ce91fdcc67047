internal import EventLoop
internal import HTTPServer
internal import Time

/// An HTTP server on the event loop. Its clients are served after the daemon's own work.
@LoopActor
final class LoopHTTPServer {
    private let server: HTTPServer
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?

    /// Starts listening; see ``HTTPServer``.
    init(
        listening listener: Int32, routes: [HTTPRoute], limits: HTTPServerLimits = HTTPServerLimits(),
        gate: @escaping (HTTPServerRequest) -> HTTPServerResponse? = { _ in nil }, clock: any TimeSource = SystemClock()
    ) throws(HTTPServerError) {
        server = try HTTPServer(listening: listener, routes: routes, limits: limits, gate: gate) { clock.now().boot }
        timer = LoopTimer(priority: .client) { [weak self] in self?.turn() }
        watch = DescriptorWatch(server.descriptor, for: .readable, priority: .client) { [weak self] _ in self?.turn() }
        server.onWork = { [weak timer] in timer?.arm(after: .zero) }
    }

    isolated deinit {
        stop()
    }

    private func turn() {
        server.run()
        guard let timeout = server.timeout else { return timer?.disarm() ?? () }
        timer?.arm(after: timeout.duration)
    }

    /// Closes the listening socket and all connections.
    func stop() {
        watch?.end()
        watch = nil
        timer?.disarm()
        server.stop()
    }
}
