internal import Glibc
internal import UnixSockets

/// An address that a server listens on.
package enum ListenAddress: Equatable, Sendable {
    /// A numeric address, without brackets, and a port; port 0 selects a free one.
    case internet(host: String, port: UInt16)
    /// The path of a Unix socket.
    case unix(path: String)

    /// Reads `127.0.0.1:9464`, `[::1]:9464`, `localhost:9464`, which is 127.0.0.1, or an absolute path.
    ///
    /// - Throws: ``HTTPServerError/badAddress(_:)``.
    package init(_ text: String) throws(HTTPServerError) {
        if text.hasPrefix("/"), !text.utf8.contains(0) {
            self = .unix(path: text)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .badAddress(text)
        }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { throw .badAddress(text) }
        } else if host.contains(":") {
            throw .badAddress(text)
        }
        guard SocketAddress(host, port) != nil else { throw .badAddress(text) }
        self = .internet(host: host, port: port)
    }

    /// True if only this machine can connect.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .internet(let host, _): host.hasPrefix("127.") || host == "::1"
        }
    }

    /// Creates a listening socket.
    ///
    /// - Parameter mode: the permission bits of a Unix socket.
    /// - Returns: a non-blocking, close-on-exec descriptor that the caller owns.
    /// - Throws: ``HTTPServerError/system(call:address:errorNumber:)``.
    package func listen(mode: UInt32 = 0o600) throws(HTTPServerError) -> Int32 {
        switch self {
        case .unix(let path):
            do throws(UnixSocketError) {
                return try listenOnUnixSocket(at: path, mode: mode)
            } catch {
                throw .socket("\(error)")
            }
        case .internet(let host, let port):
            guard let address = SocketAddress(host, port) else { throw .badAddress(description) }
            return try address.listen(description)
        }
    }

    /// Returns the port that an Internet socket listens on; nil for any other socket.
    package static func port(of descriptor: Int32) -> UInt16? { SocketAddress(of: descriptor)?.port }
}

extension ListenAddress: CustomStringConvertible {
    /// The address in the form that ``init(_:)`` reads.
    package var description: String {
        switch self {
        case .unix(let path): path
        case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}

/// An Internet address in the form that the kernel uses.
private struct SocketAddress {
    private var storage = sockaddr_in6()
    private var length = socklen_t(MemoryLayout<sockaddr_in6>.size)

    init?(_ host: String, _ port: UInt16) {
        if host.contains(":") {
            storage.sin6_family = sa_family_t(AF_INET6)
            storage.sin6_port = port.bigEndian
            guard unsafe inet_pton(AF_INET6, host, &storage.sin6_addr) == 1 else { return nil }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeMutableBytes(of: &storage) { target in
                unsafe withUnsafeBytes(of: address) { unsafe target.copyMemory(from: $0) }
            }
        }
    }

    init?(of descriptor: Int32) {
        let status = unsafe withPointer { address, length in unsafe getsockname(descriptor, address, &length) }
        let family = Int32(storage.sin6_family)
        guard status == 0, family == AF_INET || family == AF_INET6 else { return nil }
    }

    /// The port, which is at the same position for both families.
    var port: UInt16 { UInt16(bigEndian: storage.sin6_port) }

    func listen(_ name: String) throws(HTTPServerError) -> Int32 {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(Int32(storage.sin6_family), Int32(kind), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", address: name, errorNumber: errno) }
        var isOn: Int32 = 1
        // Without this option, a server cannot start again for a minute after connections were closed.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var copy = self
        let status = unsafe copy.withPointer { address, length in unsafe bind(descriptor, address, length) }
        guard status == 0, Glibc.listen(descriptor, 128) == 0 else {
            let number = errno
            close(descriptor)
            throw .system(call: "bind", address: name, errorNumber: number)
        }
        return descriptor
    }

    private mutating func withPointer(
        _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32
    ) -> Int32 {
        var count = length
        defer { length = count }
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe body(generic, &count)
            }
        }
    }
}
