import Foundation
import TestSupport
import Testing

/// A scripted exchange, a daemon that polls it, and a reader of its events: the stage of every end-to-end test.
final class Stage {
    let folder = TestFolder()
    let exchange: Exchange
    let settings: String
    private(set) var daemon: Program
    let environment: [String: String]
    /// What a shell does before it becomes the daemon.
    private let shell: String

    var runtime: String { "\(folder.path)/run" }
    var controlSocket: String { "\(runtime)/org.alertd.Control" }
    var eventSocket: String { "\(runtime)/events.sock" }

    /// Starts an exchange and a daemon with the given rules, and waits until the daemon is ready.
    ///
    /// `prepare` is called with the settings file and the state folder before the daemon starts.
    init(
        rules: String, feed: String = "", tickers: [[String: String]] = Stage.tickers, rates: String? = nil,
        sequence: String? = nil, tls: Certificates? = nil, speaksOldTLS: Bool = false,
        environment: [String: String] = [:], shell: String = "", candles: [String: Int]? = nil,
        interval: String = "100ms",
        prepare: (_ settings: String, _ state: String) async throws -> Void = { _, _ in }
    ) async throws {
        exchange = try await Exchange(tls: tls, isOld: speaksOldTLS)
        try await exchange.serve(tickers)
        if let sequence { try await exchange.command(["do": "sequence", "file": sequence]) }
        if let candles {
            let command: [String: Any] = ["do": "candles"]
            try await exchange.command(command.merging(candles) { first, _ in first })
        }
        if let rates { try await exchange.command(["do": "rates", "text": rates]) }
        let url = exchange.url(tls: tls != nil)
        let text = Self.settings(url: url, feed: feed, rules: rules, hasRates: rates != nil, interval: interval)
        settings = try folder.write(text, to: "alertd.toml")
        self.environment = environment
        self.shell = shell
        try await prepare(settings, "\(folder.path)/run")
        daemon = try Self.start(settings, runtime: "\(folder.path)/run", environment, shell)
        try await waitUntilReady()
    }

    /// A busy machine may miss three polls in a row at the usual interval, and the feed becomes stale. Tests that count
    /// events need a longer one.
    static func settings(
        url: String, feed: String, rules: String, hasRates: Bool = false, interval: String = "100ms"
    ) -> String {
        """
        [feed]
        url = "\(url)"
        interval = "\(interval)"
        max_gap = "1h"
        \(feed)

        [rates]
        enabled = \(hasRates)
        url = "\(url)/eurofxref-daily.xml"

        [sinks]
        journal = false

        \(rules)
        """
    }

    private static func start(
        _ settings: String, runtime: String, _ environment: [String: String], _ shell: String
    ) throws -> Program {
        try Program(
            "/bin/bash",
            [
                "-c", "\(shell)\nexec \"$0\" \"$@\"", try builtProgram("alertd"), "--config", settings, "--runtime-dir",
                runtime, "--state-dir", runtime,
            ], environment: environment)
    }

    private func waitUntilReady() async throws {
        _ = try await daemon.errors.line("start message", where: { $0.contains("version") })
    }

    /// Restarts the daemon after it has ended.
    func restart() async throws {
        daemon = try Self.start(settings, runtime: runtime, environment, shell)
        try await waitUntilReady()
    }

    /// A busy machine may take longer than the five seconds that `alertctl` waits.
    private var options: [String] { ["--socket", controlSocket, "--timeout", "600s"] }

    /// Runs `alertctl` to its end.
    func ctl(_ arguments: String...) async throws -> Finished { try await ctl(arguments) }

    func ctl(_ arguments: [String]) async throws -> Finished {
        try await run(try builtProgram("alertctl"), options + arguments)
    }

    /// The output of `alertctl … --json`.
    func json(_ arguments: String...) async throws -> [String: Any] {
        let finished = try await run(try builtProgram("alertctl"), options + arguments + ["--json"])
        let isLong = arguments.count > 1 && !SchemaCheck.isMissing(for: Array(arguments.prefix(2)))
        let path = Array(arguments.prefix(isLong ? 2 : 1))
        #expect(SchemaCheck.faults(inOutput: finished.output, of: path) == [], "\(arguments)")
        let value = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
        return try #require(value as? [String: Any], "\(finished.output) \(finished.errors)")
    }

    /// Connects to the event stream with netcat, and waits until the daemon counts it.
    func reader() async throws -> EventReader {
        let before = try await readerCount()
        let reader = try EventReader(eventSocket)
        while try await readerCount() == before { try await polls(1) }
        return reader
    }

    private func readerCount() async throws -> Int {
        try #require(try await json("status")["event_readers"] as? Int)
    }

    /// Waits until this many more requests have been answered, so that the daemon has seen the current responses of the
    /// exchange.
    func polls(_ count: Int = 2) async throws {
        let report = try await exchange.report()
        let answered = report["answered"] as? Int ?? 0
        try await exchange.command(["do": "wait", "answered": answered + count, "limit_ms": 110_000])
    }

    static let tickers = [
        ticker("btcinr", "100", quote: "inr"), ticker("ethinr", "50", quote: "inr"),
        ticker("btcusdt", "2", quote: "usdt"),
    ]

    static func ticker(_ symbol: String, _ price: String, quote: String) -> [String: String] {
        [
            "symbol": symbol, "baseAsset": String(symbol.dropLast(quote.count)), "quoteAsset": quote,
            "openPrice": price,
            "lowPrice": price, "highPrice": price, "lastPrice": price, "volume": "5.5", "bidPrice": price,
            "askPrice": price,
        ]
    }
}

/// A folder that is removed with its contents; it is created with its first file.
final class TestFolder {
    let path: String

    /// - Parameter inMemory: whether to use a file system in memory if there is one, for tests that write much.
    init(inMemory: Bool = false) {
        let shared = "/dev/shm/"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: shared)
        path = (isThere ? shared : NSTemporaryDirectory()) + "alertd-\(UUID().uuidString.prefix(8))"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, and creates its parent folders.
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// Writes credentials, which only their owner can read, and gives the environment in which the daemon finds them.
    func credentials(_ secrets: [String: String]) throws -> [String: String] {
        for (name, secret) in secrets {
            let file = try write(secret, to: "credentials/\(name)")
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file)
        }
        return ["CREDENTIALS_DIRECTORY": "\(path)/credentials"]
    }
}

/// The scripted exchange of exchange.py.
final class Exchange {
    private let program: Program
    private var answers = 1
    private let ports: [String: Any]

    init(tls: Certificates?, isOld: Bool = false) async throws {
        let options =
            (tls.map { ["--tls-cert", $0.certificate, "--tls-key", $0.key] } ?? []) + (isOld ? ["--old-tls"] : [])
        program = try Program("/usr/bin/env", ["python3", sourceFile("exchange.py")] + options)
        let line = try await program.output.line("ports of the exchange", where: { $0.hasPrefix("{") })
        ports = try Self.object(line)
    }

    func url(tls: Bool = false) -> String {
        let port = ports[tls ? "https" : "http"] as? Int ?? 0
        return "\(tls ? "https" : "http")://\(tls ? "localhost" : "127.0.0.1"):\(port)/sapi/v1"
    }

    func serve(_ tickers: [[String: String]]) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let list = tickers.map { ticker in ticker.reduce(into: ["at": now] as [String: Any]) { $0[$1.key] = $1.value } }
        try await command(["do": "tickers", "list": list])
    }

    func price(_ symbol: String, _ price: String) async throws {
        try await command(["do": "change", "symbol": symbol, "fields": ["lastPrice": price]])
    }

    /// The requests so far.
    func report() async throws -> [String: Any] {
        try await command(["do": "report"])
    }

    /// Sends a command and waits for its answer.
    @discardableResult
    func command(_ command: [String: Any], limit: Duration = .seconds(600)) async throws -> [String: Any] {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: command), as: UTF8.self)
        try program.send(line: text)
        let answer = try Self.object(
            try await program.output.line(from: answers, limit: limit, "answer to \(text)") { _ in true })
        answers += 1
        guard answer["ok"] as? Bool == true else { throw TimedOut(description: "success of \(text): \(answer)") }
        return answer
    }

    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}

/// A reader of the event stream: netcat, as a user would.
final class EventReader {
    let program: Program
    private var known: [[String: Any]] = []
    /// How many lines `known` is made of.
    private var lineCount = 0

    init(_ socket: String) throws {
        program = try Program("/usr/bin/env", ["nc", "-U", socket])
    }

    /// Waits for the next event that satisfies the condition; those before `start` are skipped.
    func event(from start: Int = 0, _ what: String, where condition: @escaping ([String: Any]) -> Bool) async throws
        -> [String: Any]
    {
        let line = try await program.output.line(from: start, "event: \(what)") { line in
            (try? Self.object(line)).map(condition) ?? false
        }
        return try Self.object(line)
    }

    /// All events so far.
    var all: [[String: Any]] {
        let new = program.output.lines.dropFirst(lineCount)
        lineCount += new.count
        known += new.compactMap { try? Self.object($0) }
        return known
    }

    /// The events so far without those of the feed: the feed becomes stale when the machine is busy for three
    /// intervals.
    var events: [[String: Any]] { all.filter { ($0["kind"] as? String)?.hasPrefix("feed_") != true } }

    /// Whether the numbers so far have no gaps and no repeats.
    var isWithoutHoles: Bool {
        let numbers = all.compactMap { $0["number"] as? Int }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }
    }

    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}

/// Keys and certificates of a test authority.
struct Certificates {
    let authority: String
    let certificate: String
    let key: String

    /// Creates them with the openssl program.
    ///
    /// - Parameters:
    ///   - folder: the folder to write to.
    ///   - name: `server`, `other` or `untrusted`.
    /// - Returns: the paths of the files.
    /// - Throws: when the openssl program fails.
    static func make(in folder: TestFolder, name: String) async throws -> Certificates {
        _ = try folder.write("", to: "tls/.made")
        let path = "\(folder.path)/tls"
        let made = try await run("/bin/bash", [sourceFile("make-test-ca.sh"), path])
        try #require(made.code == 0, "\(made.errors)")
        return Certificates(
            authority: "\(path)/authority.pem", certificate: "\(path)/\(name).pem", key: "\(path)/\(name).key")
    }
}
