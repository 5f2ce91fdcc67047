internal import CMicroHTTPD
internal import Glibc
package import Time

/// An HTTP/1.1 server based on libmicrohttpd, without threads. The code that waits for its descriptor calls
/// ``run()``.
///
/// ```swift
/// let server = try HTTPServer(
///     listening: listener, routes: [HTTPRoute(.get, "/health") { $0.respond(.text(200, "ok")) }],
///     now: { clock.now().boot })
/// while true {
///     wait(for: server.descriptor, atMost: server.timeout)
///     server.run()
/// }
/// ```
///
/// A server belongs to one thread, and calls its handlers only in ``run()``. The first server loads libmicrohttpd.
@safe
package final class HTTPServer {
    /// The descriptor to wait for. It is readable when ``run()`` has something to do, and is owned by the server.
    package let descriptor: Int32
    private let daemon: OpaquePointer
    private let state: ServerState
    private var isRunning = true

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - listener: a listening stream socket, Internet or Unix. The server owns it from now on, even if an error is
    ///     thrown.
    ///   - routes: the routes; all other paths get status 404.
    ///   - limits: the limits on clients.
    ///   - gate: called with the header of each request, before its body is read and its path looked up. A request is
    ///     refused with the response that the gate returns, if any.
    ///   - now: returns the current time.
    /// - Throws: ``HTTPServerError``.
    package init(
        listening listener: Int32, routes: [HTTPRoute], limits: HTTPServerLimits = HTTPServerLimits(),
        gate: @escaping (HTTPServerRequest) -> HTTPServerResponse? = { _ in nil }, now: @escaping () -> BootTime
    ) throws(HTTPServerError) {
        // The library accepts connections until a call would block.
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        let state = ServerState(routes, limits, gate: gate, now: now)
        var options = unsafe alertd_mhd_options(
            listener: listener, connection_limit: UInt32(clamping: limits.connections + 1),
            connection_bytes: max(limits.connectionBytes, 4_096),
            context: Unmanaged.passUnretained(state).toOpaque(),
            connection: connectionChanged, line: lineArrived, request: requestArrived, completed: requestCompleted)
        guard let daemon = unsafe alertd_mhd_start(&options) else {
            close(listener)
            let reason = unsafe alertd_mhd_failure().map { unsafe String(cString: $0) }
            throw reason.map { .libraryMissing($0) } ?? .refused
        }
        unsafe self.daemon = unsafe daemon
        self.state = state
        descriptor = unsafe alertd_mhd_descriptor(daemon)
    }

    deinit {
        stop()
    }

    /// Accepts connections, reads requests, calls handlers and writes responses, as far as that is possible without
    /// blocking, and closes connections that have reached a time limit.
    package func run() {
        guard isRunning else { return }
        state.closeOverdue()
        state.mustRun = false
        unsafe alertd_mhd_run(daemon)
    }

    /// The longest time to wait for the descriptor before calling ``run()``: zero for no wait, nil for no limit.
    package var timeout: Milliseconds? {
        guard isRunning else { return nil }
        if unsafe state.mustRun || alertd_mhd_is_ready(daemon) { return .zero }
        return state.nextDeadline.map { max(.zero, $0.since(state.now())) }
    }

    /// Called when ``timeout`` becomes zero because a response or a part of a stream can be sent.
    package var onWork: (() -> Void)? {
        get { state.onWork }
        set { state.onWork = newValue }
    }

    package var connectionCount: Int { state.connectionCount }

    /// Closes all connections and the listening socket. Handlers are not called again.
    package func stop() {
        guard isRunning else { return }
        isRunning = false
        state.stop()
        unsafe alertd_mhd_stop(daemon)
    }
}
