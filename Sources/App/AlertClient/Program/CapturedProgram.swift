internal import Glibc

/// A program that is run to its end.
struct CapturedProgram {
    /// More than a program says that is run like this.
    private static let mostBytes = 1 << 20

    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Runs it without standard input.
    ///
    /// - Returns: nil if it cannot be started.
    func run(_ arguments: [String]) -> ProgramResult? {
        guard let output = Pipe(), let errors = Pipe() else { return nil }
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writeEnd, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors.writeEnd, STDERR_FILENO)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, path, &actions, nil, &words, environ) == 0 else { return nil }
        // What it writes fits the pipes, so they can be read one after the other.
        let texts = (output.finish(Self.mostBytes), errors.finish(Self.mostBytes))
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        let isNormal = status & 0x7F == 0
        return ProgramResult(code: isNormal ? status >> 8 & 0xFF : -1, output: texts.0, errors: texts.1)
    }
}

/// Both ends of a pipe that other programs do not inherit.
private final class Pipe {
    private var readEnd: Int32 = -1
    private(set) var writeEnd: Int32 = -1

    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        if writeEnd >= 0 { close(writeEnd) }
    }

    /// Closes the end for writing, and reads until all others have closed it.
    func finish(_ limit: Int) -> String {
        close(writeEnd)
        writeEnd = -1
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe read(readEnd, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            if bytes.count < limit { bytes += buffer[..<count] }
        }
    }
}
