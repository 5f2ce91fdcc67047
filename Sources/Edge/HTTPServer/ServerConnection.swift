internal import CMicroHTTPD
internal import Glibc
internal import Time

/// One connection of a client.
@safe
final class ServerConnection {
    /// Counted from 1.
    let number: Int
    private let pointer: OpaquePointer
    private let descriptor: Int32
    private unowned let server: ServerState
    /// The user whose process connected; nil for another machine.
    let user: UInt32?
    /// Whether a request of the connection was accepted: until then, anyone may have made it, and others come first.
    private(set) var isAccepted = false
    private var isSuspended = false
    private(set) var isShutDown = false
    private var stream: HTTPStream?
    /// When the connection is closed unless it has got further; nil while nothing is expected of the client.
    private(set) var deadline: BootTime?
    /// Since when it has waited for a request; nil during one.
    private(set) var idleSince: BootTime?
    /// Since when the client could have read the response; nil for a stream.
    private(set) var respondingSince: BootTime?

    init(_ pointer: OpaquePointer, of server: ServerState, number: Int) {
        self.number = number
        unsafe self.pointer = unsafe pointer
        self.server = server
        descriptor = unsafe alertd_mhd_connection_descriptor(pointer)
        var peer: UInt32 = 0
        user = unsafe alertd_mhd_peer_user(descriptor, &peer) ? peer : nil
        waitForRequest()
    }

    /// Whether a whole header has arrived that the library has not read yet.
    var hasUnreadRequest: Bool {
        var bytes = [UInt8](repeating: 0, count: Self.peekBytes)
        let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        let end = Array("\r\n\r\n".utf8)
        return count >= end.count && (0...count - end.count).contains { bytes[$0..<$0 + end.count].elementsEqual(end) }
    }

    /// Browsers and programs that scrape send some hundred bytes.
    private static let peekBytes = 2_048

    var isStreaming: Bool { stream != nil }

    /// The next request may take its time.
    func waitForRequest() {
        (stream, respondingSince) = (nil, nil)
        guard !isShutDown else { return }
        idleSince = server.now()
        deadline = server.now().advanced(by: server.limits.idle)
    }

    /// The first line of a request has arrived.
    func beginRequest() {
        guard !isShutDown else { return }
        idleSince = nil
        deadline = server.now().advanced(by: server.limits.request)
    }

    /// The header of a request is complete, and was not refused.
    func accept() { isAccepted = true }

    /// The request is complete; now it is the handler's turn.
    func beginHandling() { deadline = nil }

    /// The response waits for the client to read it; a stream waits without a limit.
    func beginResponse(isStream: Bool) {
        guard !isShutDown else { return }
        respondingSince = isStream ? nil : server.now()
        deadline = respondingSince?.advanced(by: server.limits.response)
    }

    func makeStream() -> HTTPStream? {
        guard server.streamCount < server.limits.streams else { return nil }
        let new = HTTPStream(on: self, limitBytes: server.limits.streamBytes)
        stream = new
        return new
    }

    /// The library leaves the connection alone until ``resume()``.
    ///
    /// - Returns: false when the connection is about to end.
    func suspend() -> Bool {
        guard !isShutDown else { return false }
        if !isSuspended { unsafe alertd_mhd_suspend(pointer) }
        isSuspended = true
        return true
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        unsafe alertd_mhd_resume(pointer)
        server.runAgain()
    }

    /// Ends the connection: the library sees that nothing more can be read or written, and closes it.
    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        (deadline, idleSince, respondingSince) = (nil, nil, nil)
        Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
        resume()
    }
}
