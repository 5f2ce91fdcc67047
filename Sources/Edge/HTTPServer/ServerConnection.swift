internal import CMicroHTTPD
internal import Glibc
internal import Time

/// One connection of a client.
@safe
final class ServerConnection {
    /// The number of the connection, counted from 1.
    let number: Int
    private let pointer: OpaquePointer
    private let descriptor: Int32
    private unowned let server: ServerState
    /// The user whose process connected; nil for another machine.
    let user: UInt32?
    /// True after a request of the connection was accepted. Until then, the connection may be anyone's, and is the
    /// first to be closed if there are too many.
    private(set) var isAccepted = false
    private var isSuspended = false
    private(set) var isShutDown = false
    private var stream: HTTPStream?
    /// The time when the connection is closed unless the client makes progress; nil while nothing is
    /// expected of the client.
    private(set) var deadline: BootTime?
    /// The start of the wait for a request; nil during a request.
    private(set) var idleSince: BootTime?
    /// The time at which the response began; nil for a stream, and without a response.
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

    /// True if a whole header has arrived that the library has not read.
    var hasUnreadRequest: Bool {
        var bytes = [UInt8](repeating: 0, count: Self.peekBytes)
        let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        let end = Array("\r\n\r\n".utf8)
        return count >= end.count && (0...count - end.count).contains { bytes[$0..<$0 + end.count].elementsEqual(end) }
    }

    /// The number of bytes that are searched for the end of a header. Browsers and scrapers send a few hundred bytes.
    private static let peekBytes = 2_048

    var isStreaming: Bool { stream != nil }

    /// Starts the wait for the next request, with the time limit for idle connections.
    func waitForRequest() {
        (stream, respondingSince) = (nil, nil)
        guard !isShutDown else { return }
        idleSince = server.now()
        deadline = server.now().advanced(by: server.limits.idle)
    }

    /// Starts the time limit of a request, whose first line has arrived.
    func beginRequest() {
        guard !isShutDown else { return }
        idleSince = nil
        deadline = server.now().advanced(by: server.limits.request)
    }

    /// Marks the connection as accepted. The header of a request is complete, and was not refused.
    func accept() { isAccepted = true }

    /// Removes the time limit. The request is complete, and its handler runs.
    func beginHandling() { deadline = nil }

    /// Starts the time within which the client must read the response; a stream has no limit.
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

    /// Suspends the connection, which the library then ignores until ``resume()``.
    ///
    /// - Returns: false if the connection is about to end.
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

    /// Shuts the connection down. The library detects that nothing more can be read or written, and closes it.
    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        (deadline, idleSince, respondingSince) = (nil, nil, nil)
        Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
        resume()
    }
}
