package import EventLoop
internal import Glibc

/// An HTTP server on 127.0.0.1 that answers each request with the next answer of its script, and repeats the last one
/// after the end of the script.
@LoopActor
package final class ScriptedServer {
    /// The answer to a request.
    package enum Answer: Sendable {
        /// These bytes, including the status line; the connection stays open.
        case bytes([UInt8])
        /// These bytes, and then the connection is closed; empty to close it without an answer.
        case bytesThenClose([UInt8])
        /// One byte at a time.
        case drip([UInt8], every: Duration)
        /// No answer, and the connection stays open.
        case hang
    }

    /// A request of a client.
    package struct Request: Sendable {
        /// The first line: `GET /tickers/24hr HTTP/1.1`.
        package var line: String
        /// The headers by name, in lower case.
        package var headers: [String: String]
        /// The number of its connection, counted from 1.
        package var connection: Int

        /// The path: what is between method and version.
        package var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    package let port: UInt16
    /// All requests so far, in order.
    package private(set) var requests: [Request] = []
    /// The number of accepted connections.
    package private(set) var connectionCount = 0

    private let answers: [Answer]
    /// What is sent on each connection at once, before any request.
    private let greeting: String
    private let listener: Int32
    private var watch: DescriptorWatch?
    private var connections: [Int32: ServerConnection] = [:]
    private var allClosed: OneShot<Void, CancellationError>?
    private var waiters: [(count: Int, done: OneShot<Void, CancellationError>)] = []

    /// Listens on a free port.
    package convenience init(_ answers: [Answer]) throws {
        try self.init(answers, greeting: "")
    }

    /// Listens on a free port, and greets each connection with a text, like a server of another protocol.
    package convenience init(greeting: String) throws {
        try self.init([], greeting: greeting)
    }

    private init(_ answers: [Answer], greeting: String) throws {
        self.answers = answers
        self.greeting = greeting
        (listener, port) = try listenOnLoopback()
        watch = DescriptorWatch(listener, for: .readable) { [weak self] _ in self?.accept() }
    }

    isolated deinit {
        stop()
    }

    /// `http://127.0.0.1:port`, without a trailing slash.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Waits until this many requests have been received.
    package func waitForRequests(_ count: Int) async throws {
        guard requests.count < count else { return }
        let done = OneShot<Void, CancellationError>()
        waiters.append((count, done))
        try await done.value(onCancel: CancellationError())
    }

    /// Waits until every connection has been closed by either side.
    package func waitForNoConnection() async throws {
        guard !connections.isEmpty else { return }
        let done = OneShot<Void, CancellationError>()
        allClosed = done
        try await done.value(onCancel: CancellationError())
    }

    /// Closes all connections and stops listening.
    package func stop() {
        guard let watch else { return }
        watch.end()
        self.watch = nil
        close(listener)
        for connection in connections.values { connection.end() }
        connections = [:]
    }

    private func accept() {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        connectionCount += 1
        let number = connectionCount
        connections[descriptor] = ServerConnection(
            descriptor, request: { [weak self] in self?.answer($0, connection: number) ?? .hang },
            closed: { [weak self] in self?.closed(descriptor) })
        if !greeting.isEmpty { connections[descriptor]?.reply(.bytes(Array(greeting.utf8))) }
    }

    private func closed(_ descriptor: Int32) {
        connections[descriptor] = nil
        guard connections.isEmpty else { return }
        allClosed?.finish(.success(()))
        allClosed = nil
    }

    private func answer(_ head: String, connection: Int) -> Answer {
        let lines = head.split(separator: "\r\n")
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        let headers = Dictionary(fields) { $1 }
        requests.append(Request(line: lines.first.map(String.init) ?? "", headers: headers, connection: connection))
        for waiter in waiters where waiter.count <= requests.count { waiter.done.finish(.success(())) }
        waiters.removeAll { $0.count <= requests.count }
        return answers.isEmpty ? .hang : answers[min(requests.count, answers.count) - 1]
    }
}

extension ScriptedServer.Answer {
    /// A complete answer with a length, after which the connection stays open.
    package static func status(_ status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) -> Self {
        .bytes(message(status, headers: headers, declaredLength: body.count, body: body))
    }

    /// A complete answer with a length and a text as its body.
    package static func status(_ status: Int = 200, headers: [String: String] = [:], text: String) -> Self {
        .status(status, headers: headers, body: Array(text.utf8))
    }

    /// An answer that announces more bytes than it has, and then the connection is closed.
    package static func truncated(_ body: [UInt8], missing: Int = 1) -> Self {
        .bytesThenClose(message(200, headers: [:], declaredLength: body.count + missing, body: body))
    }

    /// Closes the connection instead of answering.
    package static var closed: Self { .bytesThenClose([]) }

    private static func message(
        _ status: Int, headers: [String: String], declaredLength: Int, body: [UInt8]
    ) -> [UInt8] {
        let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) Scripted\r\n\(fields)Content-Length: \(declaredLength)\r\n\r\n".utf8) + body
    }
}

/// One connection of a ``ScriptedServer``.
@LoopActor
private final class ServerConnection {
    private let descriptor: Int32
    private let request: @LoopActor (String) -> ScriptedServer.Answer
    private let closed: @LoopActor () -> Void
    private var watch: DescriptorWatch?
    private var dripping: LoopTimer?
    private var received: [UInt8] = []
    private var unsent: [UInt8] = []
    private var closesWhenSent = false

    init(
        _ descriptor: Int32, request: @escaping @LoopActor (String) -> ScriptedServer.Answer,
        closed: @escaping @LoopActor () -> Void
    ) {
        self.descriptor = descriptor
        self.request = request
        self.closed = closed
        watch = DescriptorWatch(descriptor, for: .readable) { [weak self] in self?.ready($0) }
    }

    func end() {
        guard let watch else { return }
        watch.end()
        self.watch = nil
        dripping = nil
        close(descriptor)
        closed()
    }

    private func ready(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) { receive() }
        if readiness.contains(.writable) { send() }
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 || errno != EAGAIN { end() }
            return
        }
        received += buffer.prefix(count)
        while watch != nil, let head = nextHead() { reply(request(head)) }
    }

    /// The head of the next request; bodies are not expected.
    private func nextHead() -> String? {
        let mark: [UInt8] = [13, 10, 13, 10]
        for start in received.indices where received[start...].starts(with: mark) {
            let head = String(decoding: received[..<start], as: UTF8.self)
            received.removeFirst(start + mark.count)
            return head
        }
        return nil
    }

    func reply(_ answer: ScriptedServer.Answer) {
        switch answer {
        case .hang: break
        case .bytes(let bytes):
            unsent += bytes
            send()
        case .bytesThenClose(let bytes):
            unsent += bytes
            closesWhenSent = true
            send()
        case .drip(let bytes, let interval): drip(bytes[...], every: interval)
        }
    }

    private func drip(_ bytes: ArraySlice<UInt8>, every interval: Duration) {
        guard let first = bytes.first else { return }
        unsent.append(first)
        send()
        dripping = LoopTimer { [weak self] in self?.drip(bytes.dropFirst(), every: interval) }
        dripping?.arm(after: interval)
    }

    private func send() {
        while !unsent.isEmpty {
            let count = unsafe Glibc.send(descriptor, unsent, unsent.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else {
                guard errno == EAGAIN else { return end() }
                watch?.interest = [.readable, .writable]
                return
            }
            unsent.removeFirst(count)
        }
        watch?.interest = .readable
        if closesWhenSent { end() }
    }
}

/// A non-blocking listening socket on a free port of 127.0.0.1.
package func listenOnLoopback() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            unsafe bind(descriptor, generic, length) | listen(descriptor, 16)
                | getsockname(descriptor, generic, &length)
        }
    }
    guard descriptor >= 0, status == 0 else { throw SocketFailure(errorNumber: errno) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

/// A socket for a test could not be created.
package struct SocketFailure: Error {
    package var errorNumber: Int32
}
