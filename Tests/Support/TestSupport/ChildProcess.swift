internal import CChild
internal import Foundation
internal import Synchronization

/// A program that a test runs; it does not outlive its last reference.
///
/// Foundation's `Process` notices the end of a program by a socket that other programs inherit, and it is not safe to
/// start programs from several threads. This one starts programs with `posix_spawn`, which passes on nothing but the
/// three standard streams.
package final class ChildProcess: Sendable {
    /// Where a standard stream of the program comes from or goes to.
    package enum Stream {
        /// `/dev/null`.
        case null
        /// The same stream of the test.
        case inherited
        /// An open descriptor, which stays the caller's.
        case descriptor(Int32)

        fileprivate func descriptor(_ own: Int32) -> Int32 {
            switch self {
            case .null: -1
            case .inherited: own
            case .descriptor(let descriptor): descriptor
            }
        }
    }

    /// A program cannot be started, or a pipe cannot be made.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package let pid: Int32
    /// Its status as of `waitpid`, once it has ended.
    private let status = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// The path may be a name that is searched for in `PATH`. Without an environment it gets that of the test.
    ///
    /// - Throws: ``Failure``.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, input: Stream = .null,
        output: Stream = .inherited, errors: Stream = .inherited
    ) throws {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let streams = [input.descriptor(0), output.descriptor(1), errors.descriptor(2)]
        var pid: Int32 = 0
        let error = unsafe withCStrings([path] + arguments) { arguments in
            unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                unsafe child_start(&pid, arguments, variables, streams)
            }
        }
        guard error == 0 else { throw Failure(description: "\(path): \(unsafe String(cString: strerror(error)))") }
        self.pid = pid
    }

    deinit {
        send(SIGKILL)
        _ = wait()
    }

    package var isRunning: Bool { status(waiting: false) == nil }

    /// Sends a signal, unless the program has ended.
    package func send(_ signal: Int32) {
        // Holding the status keeps the number from being given to another process.
        status.withLock { if $0 == nil { kill(pid, signal) } }
    }

    /// Blocks until the program has ended.
    ///
    /// - Returns: the exit code; 128 plus the number of the signal that killed it.
    package func wait() -> Int32 {
        while true {
            if let code = status(waiting: true) { return code }
        }
    }

    /// The exit code, once it has ended.
    package var exitCode: Int32? { status(waiting: false) }

    private func status(waiting: Bool) -> Int32? {
        if waiting {
            // Leaves the process for `waitpid` below, which alone frees its number.
            var information = unsafe siginfo_t()
            while unsafe waitid(P_PID, UInt32(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        }
        return status.withLock { known in
            if known == nil {
                var status: Int32 = 0
                guard unsafe waitpid(pid, &status, WNOHANG) == pid else { return nil }
                known = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
            return known
        }
    }

    /// Runs a program to its end. Blocks, so it is for programs that end soon by themselves.
    ///
    /// - Returns: the exit code, and what it wrote to standard output; to standard error as well, with `mergesErrors`.
    /// - Throws: ``Failure``.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, mergesErrors: Bool = false
    ) throws -> (code: Int32, output: [UInt8]) {
        let pipe = try TestPipe()
        let process = try ChildProcess(
            path, arguments, environment: environment, output: .descriptor(pipe.writeEnd),
            errors: mergesErrors ? .descriptor(pipe.writeEnd) : .inherited)
        pipe.closeWriteEnd()
        let output = pipe.readToEnd()
        return (process.wait(), output)
    }
}

/// Calls the body with the strings as C has them: an array of pointers with a null at its end.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("there is always the null") }
        return unsafe body(base)
    }
}
