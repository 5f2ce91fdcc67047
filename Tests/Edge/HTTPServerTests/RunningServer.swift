import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Time
import UnixSockets

/// A server on a thread of its own, with a clock that is set by hand.
final class RunningServer: Sendable {
    let port: UInt16
    private let time = Mutex(BootTime(milliseconds: 1_000_000))
    /// Written to in order to wake the thread.
    private let wake: (read: Int32, write: Int32)
    private let isEnding = Mutex(false)
    private let count = Mutex(0)

    /// Starts a server; `routes` is called on its thread.
    init(
        _ address: ListenAddress = .internet(host: "127.0.0.1", port: 0),
        limits: HTTPServerLimits = HTTPServerLimits(),
        gate: @escaping @Sendable (HTTPServerRequest) -> HTTPServerResponse? = { _ in nil },
        routes: @escaping @Sendable () -> [HTTPRoute]
    ) throws {
        let listener = try address.listen()
        port = ListenAddress.port(of: listener) ?? 0
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        wake = (ends[0], ends[1])
        let failure = Mutex<(any Error)?>(nil)
        let started = DispatchSemaphore(value: 0)
        startThread { [self] in
            do {
                let server = try HTTPServer(listening: listener, routes: routes(), limits: limits, gate: gate) {
                    self.time.withLock { $0 }
                }
                started.signal()
                serve(server)
            } catch {
                failure.withLock { $0 = error }
                started.signal()
            }
        }
        started.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private func serve(_ server: HTTPServer) {
        while !isEnding.withLock({ $0 }) {
            var polled = [
                pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
            ]
            // Time passes only in `advance`, so only "at once" and "not yet" matter.
            let wait: Int32 = server.timeout == .zero ? 0 : -1
            unsafe poll(&polled, 2, wait)
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = unsafe read(wake.read, &bytes, bytes.count)
            server.run()
            count.withLock { $0 = server.connectionCount }
        }
        server.stop()
    }

    /// How many clients were connected after the last turn.
    var connectionCount: Int { count.withLock { $0 } }

    func advance(by length: Milliseconds) {
        time.withLock { $0 = $0.advanced(by: length) }
        turn()
    }

    private func turn() {
        _ = unsafe write(wake.write, [0], 1)
    }

    func stop() {
        isEnding.withLock { $0 = true }
        turn()
    }

    func connect() throws -> RawClient { try RawClient(port: port) }

    /// Sends a request on a connection of its own, and reads up to the end.
    func answer(to request: String) throws -> String {
        let client = try connect()
        defer { client.close() }
        client.send(request.replacing("\n", with: "\r\n") + "Connection: close\r\n\r\n")
        return client.readToEnd()
    }
}

/// A client that sends bytes as they are.
final class RawClient: Sendable {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw NothingCame() }
        limitReading()
    }

    init(path: String) throws {
        descriptor = try connectToUnixSocket(at: path)
        limitReading()
    }

    /// A test that waits for nothing fails instead of hanging.
    private func limitReading() {
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next bytes; empty at the end, nil after a minute without any.
    func read() -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &room, room.count, 0)
        guard count >= 0 else { return errno == ECONNRESET ? [] : nil }
        return Array(room.prefix(count))
    }

    func readToEnd() -> String {
        var all: [UInt8] = []
        while let part = read(), !part.isEmpty { all += part }
        return String(decoding: all, as: UTF8.self)
    }

    /// Reads until the text has come; what has come otherwise.
    func read(until text: String) -> String {
        var all = ""
        while !all.contains(text), let part = read(), !part.isEmpty { all += String(decoding: part, as: UTF8.self) }
        return all
    }

    /// Whether the server ends the connection, whatever it sends before.
    func isClosed() -> Bool {
        while let part = read() { if part.isEmpty { return true } }
        return false
    }

    func close() { Foundation.close(descriptor) }
}
