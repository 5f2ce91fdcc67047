internal import EventLoop
internal import Glibc

/// A descriptor for output that was handed to the process, such as standard output, written to without ever waiting.
///
/// The flag that makes a descriptor not block belongs to everybody who shares it, a shell for example, so it is not set
/// here: a pipe or terminal is opened anew, which gives a description of our own.
struct OutputDescriptor {
    private enum Kind {
        /// A file or a device that takes everything at once; it cannot be waited for.
        case file
        /// Opened by us, not blocking.
        case own
        case socket
        /// A pipe or terminal that could not be opened anew: written to in pieces, each after it said to have room.
        case shared
    }

    /// What was written, or why not.
    enum Outcome: Equatable {
        case wrote(Int)
        case full
        /// The C library's error number.
        case failed(Int32)
    }

    let number: Int32
    private let kind: Kind

    /// Duplicates or, where that helps and `mayReopen` allows it, reopens the descriptor; nil when it is not open.
    init?(_ original: Int32, mayReopen: Bool = true) {
        var status = stat()
        guard unsafe fstat(original, &status) == 0 else { return nil }
        let format = status.st_mode & S_IFMT
        if format == S_IFIFO || isatty(original) == 1 {
            let opened = mayReopen ? Self.reopened(original) : -1
            number = opened >= 0 ? opened : Self.duplicate(original)
            kind = opened >= 0 ? .own : .shared
        } else {
            number = Self.duplicate(original)
            kind = format == S_IFSOCK ? .socket : .file
        }
        guard number >= 0 else { return nil }
    }

    /// Whether ``Outcome/full`` can be waited out on the loop.
    var canWait: Bool { kind != .file }

    /// Writes as much as there is room for.
    func write(_ bytes: [UInt8]) -> Outcome {
        let result =
            switch kind {
            case .file, .own: unsafe Glibc.write(number, bytes, bytes.count)
            case .socket:
                unsafe send(number, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            case .shared: writeShared(bytes)
            }
        if result > 0 { return .wrote(result) }
        return result == 0 || errno == EAGAIN || errno == EINTR ? .full : .failed(errno)
    }

    /// A pipe that has room takes PIPE_BUF = 4,096 bytes without blocking.
    private func writeShared(_ bytes: [UInt8]) -> Int {
        var poll = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        guard unsafe Glibc.poll(&poll, 1, 0) == 1 else {
            errno = EAGAIN
            return -1
        }
        return unsafe Glibc.write(number, bytes, min(bytes.count, 4_096))
    }

    /// Fails for a pipe or terminal of another user, and for a pipe that nobody can read any more.
    private static func reopened(_ descriptor: Int32) -> Int32 {
        unsafe open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }

    private static func duplicate(_ descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    }
}
