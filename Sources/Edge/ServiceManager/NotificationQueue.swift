internal import CSystemd.Daemon
internal import Glibc
internal import Synchronization

/// A queue of messages to the service manager, which are sent without waiting for it. A manager that does not keep up
/// gets the messages later and in order, but only the newest status.
final class NotificationQueue: Sendable {
    /// The handling of a message while others wait.
    enum Kind {
        /// Every message is sent: ready, reloading, stopping, failed.
        case certain
        /// Only the newest message is sent: status and keep-alive.
        case latest
        /// A descriptor to store.
        case descriptor
    }

    private struct Message {
        var kind: Kind
        var lines: [String]
        /// A duplicate of the descriptor to send along. By the time of sending, the number of the original may belong
        /// to another file.
        var descriptor: Int32?
    }

    private struct State {
        var socket: Int32 = -1
        var waiting: [Message] = []
    }

    /// The maximum number of descriptors that may wait. Further ones are not stored, so their readers lose the
    /// connection in a crash.
    private static let descriptorLimit = 256
    /// The maximum number of messages of the kind `certain` that may wait. A reload adds two, and only users who may
    /// change something can reload.
    private static let certainLimit = 32

    private let state = Mutex(State())

    deinit {
        state.withLock {
            for message in $0.waiting { Self.closeCopy(of: message) }
            if $0.socket >= 0 { close($0.socket) }
        }
    }

    /// True while messages wait, so that ``flush()`` must be called again.
    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Sends a message, or queues it behind the messages that wait.
    func send(_ lines: [String], _ kind: Kind, descriptor: Int32? = nil) {
        state.withLock { state in
            Self.add(Message(kind: kind, lines: lines, descriptor: descriptor), to: &state)
            Self.flush(&state)
        }
    }

    /// Sends the messages that wait, as far as there is room.
    func flush() {
        state.withLock { Self.flush(&$0) }
    }

    /// Sends the messages that wait, and waits for room for at most half a second, because the process is about to
    /// end.
    func drain() {
        for _ in 0..<50 {
            flush()
            guard isWaiting else { return }
            var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
            unsafe nanosleep(&pause, nil)
        }
    }

    private static func add(_ message: Message, to state: inout State) {
        var message = message
        if message.kind == .latest, let position = state.waiting.firstIndex(where: { $0.kind == .latest }) {
            // A newer status must not discard a keep-alive that waits.
            let hasAlive = state.waiting[position].lines.contains("WATCHDOG=1")
            let status = state.waiting[position].lines.filter { $0.hasPrefix("STATUS=") }
            if hasAlive, !message.lines.contains("WATCHDOG=1") { message.lines.insert("WATCHDOG=1", at: 0) }
            if !message.lines.contains(where: { $0.hasPrefix("STATUS=") }) { message.lines += status }
            state.waiting.remove(at: position)
        }
        let limit = message.kind == .descriptor ? descriptorLimit : certainLimit
        if state.waiting.count(where: { $0.kind == message.kind }) >= limit {
            guard message.kind == .certain,
                let position = state.waiting.dropFirst().firstIndex(where: { $0.kind == .certain })
            else { return }
            state.waiting.remove(at: position)
        }
        // The caller may close its descriptor before the message is sent.
        if let descriptor = message.descriptor { message.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
        state.waiting.append(message)
    }

    private static func flush(_ state: inout State) {
        while let message = state.waiting.first {
            guard let address = NotifyAddress.ofThisProcess() else {
                forget(&state)
                return
            }
            if state.socket < 0 {
                let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
                state.socket = socket(AF_UNIX, Int32(kind), 0)
            }
            let text = message.lines.joined(separator: "\n")
            let wasSent = address.send(Array(text.utf8), message.descriptor, from: state.socket)
            // A manager that is not listening is treated as absent, because its failure must not harm the service.
            guard wasSent || (errno != EAGAIN && errno != ENOBUFS && errno != EINTR) else { return }
            closeCopy(of: message)
            state.waiting.removeFirst()
        }
    }

    private static func forget(_ state: inout State) {
        for message in state.waiting { closeCopy(of: message) }
        state.waiting = []
    }

    private static func closeCopy(of message: Message) {
        if let descriptor = message.descriptor, descriptor >= 0 { close(descriptor) }
    }
}

/// The socket of the service manager.
struct NotifyAddress {
    private var address = sockaddr_un()
    private var length: socklen_t

    /// Returns the address in `NOTIFY_SOCKET`; nil without a service manager.
    static func ofThisProcess() -> NotifyAddress? {
        guard let text = unsafe getenv("NOTIFY_SOCKET") else { return nil }
        return NotifyAddress(unsafe String(cString: text))
    }

    /// Reads a path, or an abstract name with `@` as its first byte, of at most 107 bytes.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"), bytes.count <= 107
        else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        // An abstract name has no final zero.
        let end = first == UInt8(ascii: "@") ? 0 : 1
        length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + bytes.count + end)
    }

    /// Sends one datagram, with a descriptor if there is one. Returns false on failure and sets `errno`.
    func send(_ bytes: [UInt8], _ descriptor: Int32?, from socket: Int32) -> Bool {
        var (address, bytes) = (address, bytes)
        // struct cmsghdr on 64-bit systems: a length of 16 + 4 bytes, the level, the kind and the descriptor.
        let control = UnsafeMutableRawBufferPointer.allocate(byteCount: 24, alignment: 8)
        defer { unsafe control.deallocate() }
        unsafe control.storeBytes(of: 20, as: Int.self)
        unsafe control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
        unsafe control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
        unsafe control.storeBytes(of: descriptor ?? -1, toByteOffset: 16, as: Int32.self)
        let (length, count) = (length, bytes.count)
        return unsafe withUnsafeMutablePointer(to: &address) { target in
            unsafe bytes.withUnsafeMutableBytes { data in
                var vector = unsafe iovec(iov_base: data.baseAddress, iov_len: count)
                return unsafe withUnsafeMutablePointer(to: &vector) { vector in
                    var message = unsafe msghdr()
                    unsafe message.msg_name = UnsafeMutableRawPointer(target)
                    unsafe message.msg_namelen = length
                    unsafe message.msg_iov = vector
                    unsafe message.msg_iovlen = 1
                    if descriptor != nil {
                        unsafe message.msg_control = control.baseAddress
                        unsafe message.msg_controllen = control.count
                    }
                    return unsafe sendmsg(socket, &message, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) >= 0
                }
            }
        }
    }
}
