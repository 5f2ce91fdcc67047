internal import Glibc

/// A program that is run to completion, with its output captured.
struct CapturedProgram {
    /// Limit on captured output. Programs that are run this way print far less; the rest is dropped.
    private static let mostBytes = 1 << 20

    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Finds a system program, regardless of the user's `PATH`; nil if it is not installed.
    static func find(_ name: String) -> CapturedProgram? {
        let paths = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map { "\($0)/\(name)" }
        return paths.first { (path: String) in unsafe access(path, X_OK) == 0 }.map { CapturedProgram($0) }
    }

    /// Runs the program and waits for it to exit.
    ///
    /// - Parameters:
    ///   - arguments: the arguments, without the program's name.
    ///   - input: the bytes for standard input; at most 64 KiB, the capacity of a pipe.
    /// - Returns: the result; nil if the program cannot be started.
    func run(_ arguments: [String], input: [UInt8] = []) -> ProgramResult? {
        guard let output = Pipe(), let errors = Pipe(), let source = Pipe(), source.fill(input) else { return nil }
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, source.readEnd, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writeEnd, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors.writeEnd, STDERR_FILENO)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, path, &actions, nil, &words, environ) == 0 else { return nil }
        // Standard output is read first. The program never blocks on standard error meanwhile, because that output
        // fits into a pipe.
        let texts = (output.finish(Self.mostBytes), errors.finish(Self.mostBytes))
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        let isNormal = status & 0x7F == 0
        return ProgramResult(code: isNormal ? status >> 8 & 0xFF : -1, output: texts.0, errors: texts.1)
    }
}

/// Both ends of a pipe, closed on exec.
private final class Pipe {
    private(set) var readEnd: Int32 = -1
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

    /// Writes at most 64 KiB, so that it does not block, and closes the write end; false if that fails.
    func fill(_ bytes: [UInt8]) -> Bool {
        defer {
            close(writeEnd)
            writeEnd = -1
        }
        return bytes.count <= 64 << 10 && writeFully(bytes[...], to: writeEnd)
    }

    /// Closes the write end and reads to the end of the file; bytes after the limit are dropped.
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
