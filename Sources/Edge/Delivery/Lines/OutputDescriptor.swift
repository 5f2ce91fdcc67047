internal import EventLoop
internal import Glibc

/// An output descriptor that was passed to the process, such as standard output. Writing to it never blocks.
///
/// The non-blocking flag is shared by every process that has the descriptor, a shell for example, so it is not set
/// here. Instead, a pipe or terminal is reopened, which creates a separate open file description.
struct OutputDescriptor {
    private enum Kind {
        /// A file or device that accepts every write immediately; it cannot be watched.
        case file
        /// A pipe or terminal that was reopened as non-blocking.
        case own
        case socket
        /// A pipe or terminal that could not be reopened. It is written in pieces, each after a check for room.
        case shared
    }

    /// The result of a write.
    enum Outcome: Equatable {
        case wrote(Int)
        case full
        /// The write failed with this error number.
        case failed(Int32)
    }

    let number: Int32
    private let kind: Kind

    /// Reopens a pipe or terminal if `mayReopen` is true. Duplicates any other descriptor, and one that cannot be
    /// reopened. Returns nil if the descriptor is not open.
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

    /// True if the loop can wait for room after ``Outcome/full``.
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

    /// Writes at most PIPE_BUF = 4,096 bytes, which a pipe that has room accepts without blocking.
    private func writeShared(_ bytes: [UInt8]) -> Int {
        var poll = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        guard unsafe Glibc.poll(&poll, 1, 0) == 1 else {
            errno = EAGAIN
            return -1
        }
        return unsafe Glibc.write(number, bytes, min(bytes.count, 4_096))
    }

    /// Reopens a descriptor as non-blocking. Fails for a pipe or terminal of another user, and for a pipe without
    /// readers.
    private static func reopened(_ descriptor: Int32) -> Int32 {
        unsafe open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }

    private static func duplicate(_ descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    }
}
