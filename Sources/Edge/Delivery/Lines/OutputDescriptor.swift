internal import EventLoop
internal import Glibc

/// A descriptor for output that was passed to the process, such as standard output; writing to it never waits.
///
/// The non-blocking flag is shared with everyone who has the descriptor, a shell for example, so it is not set here: a
/// pipe or terminal is reopened, which gives a description of our own.
struct OutputDescriptor {
    private enum Kind {
        /// A file or device that takes everything at once; it cannot be watched.
        case file
        /// Reopened, non-blocking.
        case own
        case socket
        /// A pipe or terminal that could not be reopened: written to in pieces, each after a check that there is room.
        case shared
    }

    /// The result of a write.
    enum Outcome: Equatable {
        case wrote(Int)
        case full
        /// The error number of the system.
        case failed(Int32)
    }

    let number: Int32
    private let kind: Kind

    /// Reopens the descriptor where that helps and `mayReopen` allows it, otherwise duplicates it; nil when it is not
    /// open.
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

    /// Whether the loop can wait for room after ``Outcome/full``.
    var canWait: Bool { kind != .file }

    /// Writes as much as fits.
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

    /// Fails for a pipe or terminal of another user, and for a pipe without readers.
    private static func reopened(_ descriptor: Int32) -> Int32 {
        unsafe open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }

    private static func duplicate(_ descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    }
}
