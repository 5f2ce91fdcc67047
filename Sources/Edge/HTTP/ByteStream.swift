internal import CCurl
package import EventLoop
internal import Glibc
internal import Time
internal import UnixSockets

/// A connection for a protocol that libcurl does not implement. libcurl resolves the name, connects and talks to a
/// proxy; everything after that is up to the caller, who must close the connection.
@safe
@LoopActor
package final class ByteStream {
    /// True if the host is this machine.
    package let isLoopback: Bool
    /// True if unencrypted connections to another machine are allowed.
    package let allowsPlain: Bool

    private let client: HTTPClient
    private let easy: EasyHandle
    private let descriptor: Int32
    private let authorityFile: String?
    private let host: String
    private var tls: TLSSession?
    private var waiting: OneShot<Void, HTTPError>?
    private var failure: HTTPError?
    private var limit: LoopTimer?
    private var isClosed = false
    private var received = 0

    private static let portion = 16 << 10
    /// The maximum number of bytes that a server may send: twice the longest value of a key-value store of NATS.
    package nonisolated static let limit = 2 << 20

    init(
        _ client: HTTPClient, _ easy: EasyHandle, _ descriptor: Int32, host: String,
        _ configuration: HTTPConfiguration, limit: Milliseconds
    ) {
        self.client = client
        self.easy = easy
        self.descriptor = descriptor
        self.host = host
        authorityFile = configuration.authorityFile
        allowsPlain = configuration.allowsPlainHTTP
        isLoopback = (try? WebAddress("http://\(host.contains(":") ? "[\(host)]" : host)/"))?.isLoopback ?? false
        self.limit = LoopTimer { [weak self] in self?.fail(.timeout(after: configuration.totalLimit)) }
        self.limit?.arm(after: limit.duration)
    }

    isolated deinit { close() }

    private func fail(_ error: HTTPError) {
        failure = error
        waiting?.finish(.failure(error))
    }

    /// Closes the connection, which cannot be used afterwards.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        limit?.disarm()
        Glibc.close(descriptor)
        client.disconnect(easy)
    }

    /// Encrypts everything from here on. The host must have a trusted certificate.
    ///
    /// - Parameter name: the name in the certificate; the name of the host if nil.
    /// - Throws: ``HTTPError``; `tls` if the certificate is not trusted.
    package func secure(as name: String? = nil) async throws(HTTPError) {
        let session = try TLSSession(host: name ?? host, authorityFile: authorityFile)
        while true {
            let step: TLSSession.Step<Void>
            do throws(HTTPError) {
                step = try session.shakeHands()
            } catch {
                // Send the TLS alert, so that the server learns the reason.
                _ = try? send(session.output())
                throw error
            }
            try await sendAll(session.output())
            switch step {
            case .done:
                tls = session
                return
            case .waits: try session.ingest(try await receive())
            case .ended: throw .truncated
            }
        }
    }

    /// Sends bytes.
    ///
    /// - Throws: ``HTTPError``.
    package func write(_ bytes: [UInt8]) async throws(HTTPError) {
        guard let tls else { return try await sendAll(bytes) }
        try tls.write(bytes)
        try await sendAll(tls.output())
    }

    /// Waits for bytes.
    ///
    /// - Returns: at least one byte.
    /// - Throws: ``HTTPError``; `truncated` at the end of the stream.
    package func read() async throws(HTTPError) -> [UInt8] {
        guard let tls else { return try await receive() }
        while true {
            switch try tls.read() {
            case .done(let bytes): return bytes
            case .ended: throw .truncated
            case .waits: try tls.ingest(try await receive())
            }
            try await sendAll(tls.output())
        }
    }

    private func sendAll(_ bytes: [UInt8]) async throws(HTTPError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try send(Array(rest))
            rest = rest.dropFirst(count)
            if count == 0 { try await ready(.writable) }
        }
    }

    /// Sends as many bytes as there is room for.
    private func send(_ bytes: [UInt8]) throws(HTTPError) -> Int {
        if let failure { throw failure }
        let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard count < 0 else { return count }
        guard errno == EAGAIN || errno == EINTR else { throw .truncated }
        return 0
    }

    private func receive() async throws(HTTPError) -> [UInt8] {
        var portion = [UInt8](repeating: 0, count: Self.portion)
        while true {
            // Wait even if there is something to read: a server that never stops sending must not block the loop.
            try await ready(.readable)
            guard received < Self.limit else { throw .bodyTooLarge(limitBytes: Self.limit) }
            let count = unsafe recv(descriptor, &portion, min(portion.count, Self.limit - received), 0)
            received += max(0, count)
            if count > 0 { return Array(portion.prefix(count)) }
            guard count < 0, errno == EAGAIN || errno == EINTR else { throw .truncated }
        }
    }

    private func ready(_ interest: Readiness) async throws(HTTPError) {
        if let failure { throw failure }
        let wait = OneShot<Void, HTTPError>()
        waiting = wait
        let watch = DescriptorWatch(descriptor, for: interest) { _ in wait.finish(.success(())) }
        defer {
            watch.end()
            waiting = nil
        }
        try await wait.value(onCancel: .cancelled)
    }
}
