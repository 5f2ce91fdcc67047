import EventLoop
import Foundation
import Glibc
import TestSupport
import UnixSockets

/// A client that writes any bytes and reads with time limits.
final class RawClient {
    private let descriptor: Int32
    private var received: [UInt8] = []
    private(set) var hasEnded = false

    init(_ path: String) throws {
        descriptor = try connectToUnixSocket(at: path, timeLimit: .seconds(600))
    }

    deinit { close(descriptor) }

    /// Writes all bytes, or as many as the other side takes before it closes.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes a few bytes, and a descriptor with them.
    func send(_ bytes: [UInt8], with passed: Int32) {
        let control = UnsafeMutableRawBufferPointer.allocate(byteCount: 24, alignment: 8)
        defer { unsafe control.deallocate() }
        // struct cmsghdr: its length of 16 + 4, the level and the kind.
        unsafe control.storeBytes(of: 20, as: Int.self)
        unsafe control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
        unsafe control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
        unsafe control.storeBytes(of: passed, toByteOffset: 16, as: Int32.self)
        var bytes = bytes
        let sent = unsafe bytes.withUnsafeMutableBytes { data in
            var vector = unsafe iovec(iov_base: data.baseAddress, iov_len: data.count)
            return unsafe withUnsafeMutablePointer(to: &vector) { vector in
                var message = unsafe msghdr()
                unsafe message.msg_iov = vector
                unsafe message.msg_iovlen = 1
                unsafe message.msg_control = control.baseAddress
                unsafe message.msg_controllen = control.count
                return unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            }
        }
        precondition(sent == bytes.count, "the descriptor could not be sent")
    }

    /// Writes the text and the NUL that ends a message.
    func send(_ message: String) {
        send(Array(message.utf8) + [0])
    }

    /// Says that nothing more will be written.
    func endWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next message without its NUL; nil at the end, and when nothing comes for ten minutes.
    func next() async -> String? {
        while true {
            if let end = received.firstIndex(of: 0) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard await receive() else { return nil }
        }
    }

    /// Whether the other side closes within ten minutes; what it still sends is dropped.
    func waitForEnd() async -> Bool {
        while await receive() { received.removeAll() }
        return hasEnded
    }

    private func receive() async -> Bool {
        let descriptor = descriptor
        guard await onThread({ isReadable(descriptor) }) else { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        hasEnded = count <= 0
        received += chunk.prefix(max(0, count))
        return count > 0
    }
}

/// Waits for something to read, or the end, for at most ten minutes.
private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 600_000) == 1
}
