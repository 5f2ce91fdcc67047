import Foundation
import Synchronization
import TestSupport
import Testing

/// Acts as the service manager: receives what a program sends to `NOTIFY_SOCKET`, message by message.
final class ServiceManagerSocket: Sendable {
    /// The value of `NOTIFY_SOCKET`.
    let address: String
    private let descriptor: Int32
    private let received = Mutex<[String]>([])

    /// Listens; an abstract socket has a name instead of a file.
    init(isAbstract: Bool = false) throws {
        let name = "alertd-notify-\(UUID().uuidString.prefix(8))"
        address = isAbstract ? "@\(name)" : NSTemporaryDirectory() + name
        let path = isAbstract ? "\0\(name)" : address
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &socketAddress.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let status = unsafe withUnsafePointer(to: &socketAddress) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, socklen_t(2 + path.utf8.count))
            }
        }
        try #require(status == 0)
        self.descriptor = descriptor
        startThread { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 8_192)
            // Descriptors that come with a message are dropped by the kernel, as there is no buffer for them.
            while case let count = unsafe recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                let text = String(decoding: buffer.prefix(count), as: UTF8.self)
                guard let self else { return }
                self.received.withLock { $0.append(text) }
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        if !address.hasPrefix("@") { unsafe unlink(address) }
    }

    var messages: [String] { received.withLock { $0 } }

    /// Waits for a message with this beginning; those before `start` are skipped.
    func message(_ beginning: String, from start: Int = 0) async throws -> String {
        try await eventually("message \(beginning) in \(messages)") {
            messages.dropFirst(start).first { $0.hasPrefix(beginning) }
        }
    }
}
