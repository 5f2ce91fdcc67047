internal import EventLoop
internal import Glibc
internal import UnixSockets

/// A web server on loopback that sends its responses in rotation.
@LoopActor
final class Exchange {
    private let descriptor: Int32
    private let responses: [[UInt8]]
    private var connections: [Int32: DescriptorWatch] = [:]
    private var watch: DescriptorWatch?
    /// The number of requests answered so far.
    private(set) var answerCount = 0
    let port: UInt16
    /// The time at which the last byte of the last response was passed to the kernel.
    private(set) var answered = ContinuousClock.now

    /// Starts serving.
    ///
    /// - Parameter bodies: the bodies of the responses, in turn.
    /// - Throws: ``BenchmarkError`` if no port is free.
    init(bodies: [[UInt8]]) throws {
        responses = bodies.map { body in
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
            return Array(head.utf8) + body
        }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        port = try Self.listenOnLoopback(descriptor)
        watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in self?.accept() }
    }

    func stop() {
        for (connection, watch) in connections {
            watch.end()
            close(connection)
        }
        watch?.end()
        close(descriptor)
    }

    private static func listenOnLoopback(_ descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard failure else { throw BenchmarkError(message: "loopback: \(describe(errorNumber: errno))") }
        return UInt16(bigEndian: address.sin_port)
    }

    private func accept() {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        // The buffer must be large enough to send a response in one call.
        var size: Int32 = 1 << 20
        unsafe setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        connections[connection] = DescriptorWatch(connection, for: .readable) { [weak self] _ in
            self?.answer(connection)
        }
    }

    private func answer(_ connection: Int32) {
        var request = [UInt8](repeating: 0, count: 4_096)
        guard unsafe recv(connection, &request, request.count, 0) > 0 else {
            connections.removeValue(forKey: connection)?.end()
            close(connection)
            return
        }
        let response = responses[answerCount % responses.count]
        answerCount += 1
        var sent = 0
        while sent < response.count {
            let written = unsafe response.withUnsafeBytes { bytes in
                unsafe send(
                    connection, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard written > 0 else { break }
            sent += written
        }
        answered = ContinuousClock.now
    }
}
