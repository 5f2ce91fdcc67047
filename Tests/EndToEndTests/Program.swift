import Foundation
import Synchronization
import TestSupport
import Testing

/// A program that runs for the length of a test, with what it has written so far.
final class Program: Sendable {
    private struct Written {
        var output = Data()
        var errors = Data()
    }

    private let process = Process()
    private let input = Pipe()
    private let written = Mutex(Written())
    private let readers = DispatchGroup()

    /// The folder that holds the programs of the package.
    static let buildFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// Starts a program of the package by its name, or any other by its path.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let isPath = program.hasPrefix("/")
        process.executableURL = isPath ? URL(filePath: program) : Self.buildFolder.appending(path: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"]
            .merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = reader { $0.output.append($1) }
        process.standardError = reader { $0.errors.append($1) }
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var output: String { written.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var errors: String { written.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// The complete lines of standard output.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    func send(line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    func endInput() throws {
        try input.fileHandleForWriting.close()
    }

    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// The first line of standard output that fits, from the line `start` on, as soon as it is there.
    func line(
        from start: Int = 0, limit: Duration = .seconds(20), where fits: (String) -> Bool
    ) async throws -> String {
        try await wait(limit) { lines.dropFirst(start).first(where: fits) }
    }

    /// How it ended: its exit code, or the negative number of the signal. All that it wrote is there then.
    func exitCode(limit: Duration = .seconds(20)) async throws -> Int32 {
        try await wait(limit) {
            guard !process.isRunning, readers.wait(timeout: .now()) == .success else { return nil }
            return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        }
    }

    /// Waits until `look` finds something; records what was written when it does not within the limit.
    func wait<Result>(_ limit: Duration, for look: () throws -> Result?) async throws -> Result {
        do {
            return try await waitFor(limit, look)
        } catch let error as NothingCame {
            Issue.record("nothing within \(limit); output:\n\(output)\nerrors:\n\(errors)")
            throw error
        }
    }

    /// A pipe whose bytes go into what was written until it ends.
    private func reader(_ store: @escaping @Sendable (inout Written, Data) -> Void) -> Pipe {
        let pipe = Pipe()
        readers.enter()
        pipe.fileHandleForReading.readabilityHandler = { [weak self, readers] handle in
            let data = handle.availableData
            guard data.isEmpty else {
                self?.written.withLock { store(&$0, data) }
                return
            }
            handle.readabilityHandler = nil
            readers.leave()
        }
        return pipe
    }
}
