import Foundation
import Testing

/// A journald for the test alone, and a shell next to it, in private namespaces: with-journald.sh.
final class Journald {
    private let shell: Program
    private var linesSeen = 1

    /// Starts both, and fails with the message of the script where that is not possible.
    init() async throws {
        let program = try Program(
            "/bin/bash", [sourceFile("with-journald.sh"), "/bin/bash", "-c", "echo ready; exec /bin/bash"])
        shell = program
        let isReady = try await eventually("journald") { () -> Bool? in
            if !program.output.lines.isEmpty { return true }
            return program.isRunning ? nil : false
        }
        if !isReady { try await program.errors.end() }
        try #require(isReady, "\(program.errors.text)")
    }

    /// Whether it is possible. With CI=true the answer is always yes, so that the tests fail where it is not.
    static func isPossible() async throws -> Bool {
        if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
        return try await EndToEndTests.run("/bin/bash", [sourceFile("with-journald.sh"), "true"]).code == 0
    }

    /// Runs a command line in the namespaces of the journald.
    ///
    /// - Returns: the lines on its standard output.
    /// - Throws: when it fails.
    @discardableResult
    func run(_ command: String) async throws -> [String] {
        try shell.send(line: "\(command)\necho end of command $?")
        let mark = "end of command"
        let end = try await shell.output.line(from: linesSeen, "end of \(command); errors: \(shell.errors.text)") {
            $0.hasPrefix(mark)
        }
        let lines = Array(shell.output.lines.dropFirst(linesSeen).prefix { !$0.hasPrefix(mark) })
        linesSeen += lines.count + 1
        try #require(end == "\(mark) 0", "\(command): \(end)\n\(shell.errors.text)")
        return lines
    }

    /// What alertd has logged, oldest first: all the fields of each entry.
    func entries() async throws -> [[String: Any]] {
        let read = "journalctl --sync && journalctl --directory=/run/log/journal -o json SYSLOG_IDENTIFIER=alertd"
        return try await run(read).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }
}

/// A daemon whose events go to a journald that was started for it, and the exchange that it polls.
final class JournalStage {
    let folder = TestFolder()
    let exchange: Exchange
    private let journald: Journald
    private let rules: String
    private let interval: String

    /// Starts all of them.
    ///
    /// - Parameters:
    ///   - rules: the rules of the daemon's settings.
    ///   - ownStreams: whether standard output and standard error are connected to the journal, as for a systemd
    ///     service.
    ///   - interval: the time between two polls.
    /// - Throws: when one of them does not start.
    init(rules: String, ownStreams: Bool, interval: String = "100ms") async throws {
        self.interval = interval
        journald = try await Journald()
        exchange = try await Exchange(tls: nil)
        self.rules = rules
        try await exchange.serve(Stage.tickers)
        try write(rules: rules)
        let run = "\(folder.path)/run"
        let options = "--config \(folder.path)/alertd.toml --runtime-dir \(run) --state-dir \(folder.path)/state"
        let daemon = "\(try builtProgram("alertd")) \(options)"
        // What systemd sets for a service whose streams it has connected; systemd-cat leaves that to its caller.
        let notified = "export JOURNAL_STREAM=$(stat --dereference --format=%d:%i /dev/fd/2)"
        let errors = "\(folder.path)/errors"
        try await journald.run(
            ownStreams
                ? "systemd-cat -t alertd bash -c '\(notified); exec \(daemon)' & daemon=$!"
                : "\(daemon) >\(folder.path)/output 2>\(errors) & daemon=$!")
        // By then it accepts readers, which it does not yet when the file of its socket appears.
        try await polls(1)
    }

    func reader() throws -> EventReader {
        try EventReader("\(folder.path)/run/events.sock")
    }

    func write(rules: String) throws {
        let text = Stage.settings(url: exchange.url(), feed: "", rules: rules, interval: interval)
        _ = try folder.write(
            text.replacingOccurrences(of: "journal = false", with: "journal = true"), to: "alertd.toml")
    }

    /// Runs a command line in the namespaces of the journald; see ``Journald/run(_:)``.
    @discardableResult
    func run(_ command: String) async throws -> [String] {
        try await journald.run(command)
    }

    /// Reloads the settings file.
    func reload() async throws {
        try await journald.run("kill -HUP $daemon")
    }

    /// Waits until the exchange has been polled this many more times.
    func polls(_ count: Int = 2) async throws {
        let answered = try await exchange.report()["answered"] as? Int ?? 0
        try await exchange.command(["do": "wait", "answered": answered + count, "limit_ms": 110_000])
    }

    /// What is in the journal after the daemon has shut down.
    func entriesAfterItsEnd() async throws -> [[String: Any]] {
        try await journald.run("kill -TERM $daemon; wait $daemon")
        return try await journald.entries()
    }

    /// The lines that went to standard output, where that is a file.
    func output() throws -> [String] {
        try String(contentsOfFile: "\(folder.path)/output", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Waits for a message on standard error, where that is a file.
    func message(_ text: String) async throws {
        _ = try await eventually("message \(text)") {
            try String(contentsOfFile: "\(folder.path)/errors", encoding: .utf8).contains(text) ? true : nil
        }
    }
}
