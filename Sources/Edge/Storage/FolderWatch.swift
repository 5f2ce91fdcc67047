internal import Glibc

/// Says whether a name in the folder of a file may have changed: one short system call with each poll, instead of
/// looking up three names.
final class FolderWatch {
    private let folder: String
    private var descriptor: Int32
    private var lastYes = FolderWatch.now
    /// How often a name may have changed.
    private(set) var changeCount = 0

    /// The kernel reports nothing of the folders above, of another file system that is mounted there, or of what other
    /// machines change.
    private static let period: Int64 = 10
    /// The kernel queues 16,384 changes by default; what is left is read with the next poll.
    private static let mostReads = 256
    private static let changes =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVE) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

    /// Begins to watch the folder of a file with an absolute path; if that is impossible, anything may have changed at
    /// any time.
    init(of file: String) {
        folder = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        watch()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a name may have changed since this was last asked; also true ten seconds after it was last true.
    func mayHaveChanged() -> Bool {
        let now = Self.now
        let isDue = now - lastYes >= Self.period
        guard hasEvents() || isDue else { return false }
        lastYes = now
        changeCount &+= 1
        return true
    }

    private func hasEvents() -> Bool {
        guard descriptor >= 0 else { return true }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            var isAny = false
            for _ in 0..<Self.mostReads {
                guard unsafe read(descriptor, buffer.baseAddress, buffer.count) > 0 else { break }
                isAny = true
            }
            // The folder itself may be another one.
            if isAny { watch() }
            return isAny
        }
    }

    private func watch() {
        guard descriptor >= 0, unsafe inotify_add_watch(descriptor, folder, Self.changes) < 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    /// In seconds.
    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec)
    }
}
