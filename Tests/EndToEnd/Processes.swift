import Foundation
import Synchronization
import TestSupport
import Testing

/// What a test waited for did not happen in time.
struct TimedOut: Error, CustomStringConvertible {
    var description: String
}

/// The text that a process has written so far, and a way to wait for more.
final class Output: Sendable {
    private struct Written {
        var bytes: [UInt8] = []
        /// The complete lines.
        var lines: [String] = []
        /// Where the first incomplete line begins.
        var rest = 0

        mutating func append(_ new: ArraySlice<UInt8>) {
            bytes += new
            while let end = bytes[rest...].firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(String(decoding: bytes[rest..<end], as: UTF8.self))
                rest = end + 1
            }
        }
    }

    private final class State: Sendable {
        let written = Mutex(Written())
        let isAtEnd = Atomic(false)
    }

    private let state = State()
    /// What the same process writes to standard error, if this is its standard output.
    private let errors: Output?

    /// Reads the pipe on a separate thread until it ends, and closes it.
    init(_ pipe: TestPipe, errors: Output? = nil) {
        self.errors = errors
        pipe.closeWriteEnd()
        startThread { [state = self.state] in
            readChunks(from: pipe.readEnd) { bytes in state.written.withLock { $0.append(bytes) } }
            close(pipe.readEnd)
            state.isAtEnd.store(true, ordering: .releasing)
        }
    }

    var text: String { state.written.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// The complete lines.
    var lines: [String] { state.written.withLock { $0.lines } }

    /// Waits for a line that satisfies the condition; considers each line from `start` on once.
    func line(
        from start: Int = 0, limit: Duration = .seconds(600), _ what: String, where condition: (String) -> Bool
    ) async throws -> String {
        var seen = start
        return try await eventually(limit: limit, "\(what); there is:\n\(text)\(errors?.text ?? "")") {
            let new = lines.dropFirst(seen)
            seen += new.count
            return new.first(where: condition)
        }
    }

    /// Waits until the process has closed its end.
    func end(limit: Duration = .seconds(600)) async throws {
        try await eventually(limit: limit, "the end of the output") {
            state.isAtEnd.load(ordering: .acquiring) ? true : nil
        }
    }
}

/// Polls until there is a value; for things that cannot be awaited.
@discardableResult
func eventually<Value>(
    limit: Duration = .seconds(600), _ what: @autoclosure () -> String, _ value: () throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if let value = try value() { return value }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw TimedOut(description: "no \(what())")
}

/// Polls until the condition holds.
func holds(_ what: String, limit: Duration = .seconds(600), _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw TimedOut(description: "no \(what)") }
        try await Task.sleep(for: .milliseconds(50))
    }
}

/// Ports that nothing listens on at the moment.
func freePorts(_ count: Int) async throws -> [Int] {
    let program = """
        import socket
        all = [socket.socket() for _ in range(\(count))]
        for one in all: one.bind(('127.0.0.1', 0))
        print(*[one.getsockname()[1] for one in all])
        """
    let made = try await run("/usr/bin/env", ["python3", "-c", program])
    return made.output.split { $0 == " " || $0.isNewline }.compactMap { Int($0) }
}

/// A program that a test started; it does not outlive the test.
final class Program {
    private let process: ChildProcess
    let output: Output
    let errors: Output
    private let arguments: [String]
    private let input: TestPipe

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        // Variables of the test runner itself must not reach the program.
        let own = ProcessInfo.processInfo.environment.filter { !["NOTIFY_SOCKET", "JOURNAL_STREAM"].contains($0.key) }
        self.arguments = arguments
        let (input, output, errors) = (try TestPipe(), try TestPipe(), try TestPipe())
        process = try ChildProcess(
            path, arguments, environment: own.merging(environment) { _, new in new },
            input: .descriptor(input.readEnd), output: .descriptor(output.writeEnd),
            errors: .descriptor(errors.writeEnd))
        close(input.readEnd)
        self.input = input
        self.errors = Output(errors)
        self.output = Output(output, errors: self.errors)
    }

    deinit {
        input.closeWriteEnd()
    }

    var pid: Int32 { process.pid }
    var isRunning: Bool { process.isRunning }

    /// How much of its files it has mapped: code and constants of the program and its libraries.
    func residentFileKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) })
    }

    func send(line: String) throws {
        let text = line + "\n"
        let count = unsafe write(input.writeEnd, text, text.utf8.count)
        try #require(count == text.utf8.count)
    }

    func signal(_ number: Int32) {
        process.send(number)
    }

    /// Waits for its end.
    ///
    /// - Returns: the exit code; 128 plus the number of the signal that killed it.
    func exitCode(limit: Duration = .seconds(600)) async throws -> Int32 {
        try await eventually(limit: limit, "end of \(arguments)") { process.exitCode }
    }
}

/// The result of a program that has ended.
struct Finished {
    var code: Int32
    var output: String
    var errors: String
}

/// Runs a program to its end.
func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], limit: Duration = .seconds(600)
) async throws -> Finished {
    let program = try Program(path, arguments, environment: environment)
    let code = try await program.exitCode(limit: limit)
    try await program.output.end()
    try await program.errors.end()
    return Finished(code: code, output: program.output.text, errors: program.errors.text)
}

/// The path of a program of this build.
func builtProgram(_ name: String) throws -> String {
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    // The runner may be part of the toolchain; then the test bundle that it loaded is in the build folder.
    let candidates = [path] + CommandLine.arguments
    for candidate in candidates {
        let folder = URL(fileURLWithPath: candidate).deletingLastPathComponent().path
        if FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") { return "\(folder)/\(name)" }
    }
    throw TimedOut(description: "program \(name) next to \(candidates)")
}

/// A copy of a program of this build that every user can execute, in a folder that every user can enter. The build is
/// out of their reach where a parent folder is closed, such as `/root`.
func programForEveryone(_ name: String, in folder: TestFolder) throws -> String {
    let copy = "\(folder.path)/\(name)"
    if !FileManager.default.fileExists(atPath: copy) {
        try FileManager.default.copyItem(atPath: try builtProgram(name), toPath: copy)
    }
    return copy
}

/// A file next to the sources of these tests.
func sourceFile(_ name: String, _ here: String = #filePath) -> String {
    URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent(name).path
}
