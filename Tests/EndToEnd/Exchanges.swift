import Foundation
import TestSupport
import Testing

/// Several exchanges, and a daemon that polls all of them.
final class Exchanges {
    let folder = TestFolder()
    /// By the names of the sources.
    let all: [String: Exchange]
    private(set) var daemon: Program
    private let sources: [(name: String, type: String)]
    private let settings: String

    private var runtime: String { "\(folder.path)/run" }
    /// The file with its metrics.
    var metricsPath: String { "\(folder.path)/alertd.prom" }

    /// Starts exchanges and the daemon.
    ///
    /// - Parameters:
    ///   - sources: the name and the type of each.
    ///   - tickers: what all of them have.
    ///   - rest: the other settings.
    ///   - prepare: called with the settings file and the state folder before the daemon starts.
    /// - Throws: when the daemon does not start.
    init(
        _ sources: [(name: String, type: String)], tickers: [[String: String]] = Stage.tickers, _ rest: String,
        prepare: (_ settings: String, _ state: String) async throws -> Void = { _, _ in }
    ) async throws {
        var all: [String: Exchange] = [:]
        for source in sources {
            let exchange = try await Exchange(tls: nil)
            try await exchange.serve(tickers)
            all[source.name] = exchange
        }
        (self.all, self.sources) = (all, sources)
        let metrics = "[metrics]\ntextfile = \"\(folder.path)/alertd.prom\"\n"
        settings = try folder.write(Self.settings(sources, all, metrics + rest), to: "alertd.toml")
        try await prepare(settings, "\(folder.path)/run")
        daemon = try Self.start(settings, runtime: "\(folder.path)/run")
        try await waitUntilReady()
    }

    private static func settings(
        _ sources: [(name: String, type: String)], _ exchanges: [String: Exchange], _ rest: String
    ) -> String {
        let tables = sources.map { name, type in
            let url = exchanges[name]?.url() ?? ""
            let (path, keys) = type == "json" ? ("/tickers/24hr", pointers) : ("", "")
            return """
                [[source]]
                name = "\(name)"
                type = "\(type)"
                url = "\(url)\(path)"
                interval = "100ms"
                max_gap = "1h"
                \(keys)
                """
        }
        return """
            \(tables.joined(separator: "\n"))
            [rates]
            enabled = false
            [sinks]
            journal = false
            \(rest)
            """
    }

    /// Where the exchange has the fields of its tickers.
    private static let pointers = """
        items = "/"
        symbol = "/symbol"
        last = "/lastPrice"
        bid = "/bidPrice"
        ask = "/askPrice"
        volume = "/volume"
        quote = "/quoteAsset"
        """

    private static func start(_ settings: String, runtime: String) throws -> Program {
        try Program(
            try builtProgram("alertd"), ["--config", settings, "--runtime-dir", runtime, "--state-dir", runtime])
    }

    private func waitUntilReady() async throws {
        _ = try await daemon.errors.line("start message", where: { $0.contains("version") })
    }

    func start() async throws {
        daemon = try Self.start(settings, runtime: runtime)
        try await waitUntilReady()
    }

    func kill() async throws {
        daemon.signal(SIGKILL)
        _ = try await daemon.exitCode()
    }

    /// Writes other settings and reloads them; `others` are the exchanges of sources that are not polled at their own.
    func reload(_ names: [String], _ rest: String, others: [String: String] = [:]) async throws -> [String: Any] {
        let polled = all.merging(others.compactMapValues { all[$0] }) { $1 }
        _ = try folder.write(
            Self.settings(sources.filter { names.contains($0.name) }, polled, rest), to: "alertd.toml")
        return try await json("reload")
    }

    /// Runs `alertctl` to its end.
    func ctl(_ arguments: String...) async throws -> Finished { try await ctl(words: arguments) }

    func ctl(words: [String]) async throws -> Finished {
        try await run(try builtProgram("alertctl"), ["--socket", "\(runtime)/org.alertd.Control"] + words)
    }

    /// What a shell is offered for the last of these words.
    func complete(_ words: String...) async throws -> Finished {
        try await run(
            try builtProgram("alertctl"), ["__complete", "--socket", "\(runtime)/org.alertd.Control"] + words)
    }

    func json(_ arguments: String...) async throws -> [String: Any] {
        let finished = try await ctl(words: arguments + ["--json"])
        let value = try? JSONSerialization.jsonObject(with: Data(finished.output.utf8))
        return try #require(value as? [String: Any], "\(arguments): \(finished)")
    }

    /// All events so far, oldest first.
    func events() async throws -> [[String: Any]] {
        let events = try #require(try await json("events", "--limit", "10000")["events"] as? [[String: Any]])
        return events.sorted { ($0["number"] as? Int ?? 0) < ($1["number"] as? Int ?? 0) }
    }

    /// Waits until a source, or the daemon itself if it is nil, has this many events of a kind.
    ///
    /// - Returns: the last one.
    @discardableResult
    func event(_ kind: String, of source: String?, count: Int = 1) async throws -> [String: Any] {
        var last: [String: Any]?
        try await holds("\(count) \(kind) of \(source ?? "the daemon")") {
            let found = try await events().filter {
                $0["kind"] as? String == kind && $0["source"] as? String == source
            }
            last = found.last
            return found.count >= count
        }
        return try #require(last)
    }

    /// Waits until the status of the sources satisfies the condition.
    @discardableResult
    func sources(_ condition: ([[String: Any]]) -> Bool) async throws -> [[String: Any]] {
        var found: [[String: Any]] = []
        try await holds("status of the sources") {
            found = try #require(try await json("status")["sources"] as? [[String: Any]])
            return condition(found)
        }
        return found
    }

    func price(_ name: String, _ symbol: String, _ price: String) async throws {
        try await all[name]?.price(symbol, price)
    }

    func behave(_ name: String, as preset: String) async throws {
        try await all[name]?.command(["do": "behave", "as": preset])
    }
}
