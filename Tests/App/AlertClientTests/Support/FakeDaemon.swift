import Configuration
import Control
import Diagnostics
import JSON
import Market
import TestSupport
import Testing
import Time

@testable import AlertClient
@testable import Arguments

/// A daemon that answers as the test says.
final class FakeDaemon: ControlConnection {
    var replies: [ControlInterface.Method: any JSONWritable & Sendable] = [:]
    var errors: [ControlInterface.Method: ClientError] = [:]
    /// What connecting fails with, one attempt after the other; nil for one that does not fail.
    var connectionErrors: [ClientError?] = []
    /// What answers a method in place of ``replies``, from its parameters.
    var answers: [ControlInterface.Method: (any JSONWritable) -> any JSONWritable & Sendable] = [:]
    /// What a method fails with, by its parameters; nil where it does not fail.
    var failures: [ControlInterface.Method: (any JSONWritable) -> ClientError?] = [:]
    /// What each call of `MonitorEvents` hands over before the daemon goes away.
    var monitored: [[MonitorEventsReply]] = []
    /// The replies of each call of another method that streams replies.
    var streamed: [ControlInterface.Method: [any JSONWritable]] = [:]
    private(set) var monitorParameters: [MonitorEventsParameters] = []
    private(set) var asked: [ControlInterface.Method] = []
    private(set) var parameters: [any JSONWritable] = []

    init() {
        replies = Sample.replies
    }

    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        meanwhile work: () -> Void
    ) throws(ClientError) -> Reply {
        work()
        asked.append(method)
        self.parameters.append(parameters)
        if let error = errors[method] ?? failures[method]?(parameters) { throw error }
        guard let reply = (answers[method]?(parameters) ?? replies[method]) as? Reply else {
            throw .malformed("no reply for \(method)")
        }
        return reply
    }

    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        within limit: Milliseconds?, each: (Reply) -> Bool
    ) throws(ClientError) {
        if let parameters = parameters as? MonitorEventsParameters { monitorParameters.append(parameters) }
        if let error = errors[method] { throw error }
        let isMonitor = method == .monitorEvents
        let replies = isMonitor ? (monitored.isEmpty ? [] : monitored.removeFirst()) : streamed[method] ?? []
        for case let reply as Reply in replies where !each(reply) { return }
        if let limit { throw .timedOut(limit) }
    }

    func connect() throws(ClientError) -> any ControlConnection {
        if !connectionErrors.isEmpty, let error = connectionErrors.removeFirst() { throw error }
        return self
    }
}

/// One run of the program, with all that it wrote.
final class Run {
    let daemon = FakeDaemon()
    var environment: ClientEnvironment
    private(set) var output = ""
    private(set) var errors = ""
    private(set) var pauses = 0
    private(set) var target: ConnectionTarget?

    init(
        width: Int? = nil, variables: [String: String] = ["LANG": "C.UTF-8", "NO_COLOR": "1"], findings: [Finding] = []
    ) {
        environment = ClientEnvironment(
            now: { Sample.now }, write: { _ in }, warn: { _ in }, connect: { _ throws(ClientError) in throw .closed },
            pause: { _ in }, checkFiles: { _ in [SettingsCheck(findings: findings)] })
        environment.variables = variables
        environment.isTerminal = width != nil
        environment.width = width
        environment.zone = { _ in LocalZone(offsetSeconds: 3_600, name: "CET") }
        environment.write = { [unowned self] in output += $0 }
        environment.warn = { [unowned self] in errors += $0 }
        environment.pause = { [unowned self] _ in pauses += 1 }
        environment.connect = { [unowned self] (target) throws(ClientError) in
            self.target = target
            return try daemon.connect()
        }
    }

    /// Runs the program; the words of the line are separated by spaces.
    @discardableResult
    func callAsFunction(_ line: String) -> Int32 {
        self(line.split(separator: " ").map(String.init))
    }

    @discardableResult
    func callAsFunction(_ words: [String]) -> Int32 {
        let before = (output.utf8.count, errors.utf8.count)
        let code = runClient(words, in: environment)
        if words.contains("--json") {
            expectDescribed(
                words, String(decoding: output.utf8.dropFirst(before.0), as: UTF8.self),
                String(decoding: errors.utf8.dropFirst(before.1), as: UTF8.self))
        }
        return code
    }

    /// Whatever the program writes for programs is as the JSON Schemas say.
    private func expectDescribed(_ words: [String], _ output: String, _ errors: String) {
        guard let parsed = try? ClientCommandLine.specification.parse(words) else { return }
        let path = parsed.has("version") ? ["version"] : parsed.path
        #expect(SchemaCheck.faults(inOutput: output, of: path, strings: .any) == [], "\(words)")
        for line in errors.split(separator: "\n") where line.hasPrefix("{") {
            #expect(SchemaCheck.faults(inOutput: String(line), of: ["error"]) == [], "\(words)")
        }
    }

    /// The formatter that commands get.
    var formatter: HumanFormatter { HumanFormatter(ParsedArguments(), in: environment) }

    /// What the program writes to standard output.
    func output(_ line: String) -> String {
        self(line)
        return output
    }
}

/// The arguments of a command line without any.
enum ParsedArgumentsFixture {
    static let empty = ParsedArguments()
}
