internal import Glibc

/// The write end of the pipe for the numbers of signals. A signal handler can use nothing but globals.
nonisolated(unsafe) private var signalPipe: Int32 = -1

private func recordSignal(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(unsafe signalPipe, &byte, 1)
    errno = saved
}

/// The signals of the program, as bytes in a pipe that can be waited for together with keys.
struct TerminalSignals {
    private static let numbers = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT]

    /// The read end of the pipe, which is readable after a signal.
    let descriptor: Int32
    private let writing: Int32

    /// - Throws: ``TerminalError/system(call:errorNumber:)``.
    init() throws(TerminalError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .system(call: "pipe", errorNumber: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    func handle() {
        unsafe signalPipe = writing
        for number in Self.numbers { _ = signal(number, recordSignal) }
    }

    func stopHandling() {
        for number in Self.numbers { _ = signal(number, SIG_DFL) }
    }

    func end() {
        close(descriptor)
        close(writing)
    }

    /// Returns the signals since the last call.
    func read() -> [Int32] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? buffer[..<count].map { Int32($0) } : []
    }
}
