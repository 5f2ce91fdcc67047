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
    private struct State {
        var bytes: [UInt8] = []
        var isAtEnd = false
    }

    private let state = Mutex(State())

    /// Reads the pipe on a separate thread until it ends.
    init(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            while true {
                let data = handle.availableData
                guard let self else { return }
                self.state.withLock {
                    $0.bytes += data
                    $0.isAtEnd = data.isEmpty
                }
                if data.isEmpty { return }
            }
        }
    }

    var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// The complete lines.
    var lines: [String] {
        var lines = text.components(separatedBy: "\n")
        lines.removeLast()
        return lines
    }

    /// Waits for a line that satisfies the condition; considers the lines from `start` on.
    func line(
        from start: Int = 0, limit: Duration = .seconds(20), _ what: String, where condition: (String) -> Bool
    ) async throws -> String {
        try await eventually(limit: limit, "\(what); there is:\n\(text)") {
            lines.dropFirst(start).first(where: condition)
        }
    }

    /// Waits until the process has closed its end.
    func end(limit: Duration = .seconds(20)) async throws {
        _ = try await eventually(limit: limit, "the end of the output") { state.withLock { $0.isAtEnd ? true : nil } }
    }
}

/// Polls until there is a value; for things that cannot be awaited.
func eventually<Value>(
    limit: Duration = .seconds(20), _ what: @autoclosure () -> String, _ value: () throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if let value = try value() { return value }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw TimedOut(description: "no \(what())")
}

/// A program that a test started; it does not outlive the test.
final class Program {
    let process = Process()
    let output: Output
    let errors: Output
    private let input: Pipe

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        // Variables of the test runner itself must not reach the program.
        let own = ProcessInfo.processInfo.environment.filter { !["NOTIFY_SOCKET", "JOURNAL_STREAM"].contains($0.key) }
        process.environment = own.merging(environment) { _, new in new }
        let process = process
        let pipes = try alone {
            let pipes = (input: Pipe(), output: Pipe(), errors: Pipe())
            process.standardInput = pipes.input
            process.standardOutput = pipes.output
            process.standardError = pipes.errors
            try process.run()
            return pipes
        }
        input = pipes.input
        output = Output(pipes.output)
        errors = Output(pipes.errors)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func send(line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits for its end.
    ///
    /// - Returns: the exit code; 128 plus the number of the signal that killed it.
    func exitCode(limit: Duration = .seconds(20)) async throws -> Int32 {
        _ = try await eventually(limit: limit, "end of \(process.arguments ?? [])") { process.isRunning ? nil : true }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
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
    _ path: String, _ arguments: [String], environment: [String: String] = [:], limit: Duration = .seconds(20)
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

/// A file next to the sources of these tests.
func sourceFile(_ name: String, _ here: String = #filePath) -> String {
    URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent(name).path
}
