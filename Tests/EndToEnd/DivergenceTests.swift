import Foundation
import Testing

/// Exchanges of three types, and a daemon that polls all of them and compares their prices.
private final class Exchanges {
    let folder = TestFolder()
    let all: [String: Exchange]
    private var daemon: Program?
    private var runtime: String { "\(folder.path)/run" }
    private var metricsPath: String { "\(folder.path)/alertd.prom" }

    static let types = ["wazirx", "binance", "kraken"]

    init() async throws {
        var all: [String: Exchange] = [:]
        var settings = ""
        for type in Self.types {
            let exchange = try await Exchange(tls: nil)
            try await exchange.serve(Stage.tickers)
            all[type] = exchange
            settings += """
                [[source]]
                type = "\(type)"
                url = "\(exchange.url())"
                interval = "100ms"
                max_gap = "1h"

                """
        }
        self.all = all
        for other in ["binance", "kraken"] {
            settings += """
                [[check]]
                symbols = ["wazirx:btcusdt", "\(other):btcusdt"]
                within = "8%"

                """
        }
        for type in Self.types {
            settings += "[[rule]]\nname = \"\(type) high\"\nsymbol = \"\(type):btcusdt\"\nmax = 3\n"
        }
        settings += "[rates]\nenabled = false\n[sinks]\njournal = false\n[metrics]\ntextfile = \"\(metricsPath)\"\n"
        _ = try folder.write(settings, to: "alertd.toml")
        try await start()
    }

    func start() async throws {
        let daemon = try Program(
            try builtProgram("alertd"),
            ["--config", "\(folder.path)/alertd.toml", "--runtime-dir", runtime, "--state-dir", runtime])
        self.daemon = daemon
        _ = try await daemon.errors.line("start message", where: { $0.contains("version") })
    }

    func kill() async throws {
        daemon?.signal(SIGKILL)
        _ = try await daemon?.exitCode()
    }

    func ctl(_ arguments: String...) async throws -> Finished {
        try await run(try builtProgram("alertctl"), ["--socket", "\(runtime)/org.alertd.Control"] + arguments)
    }

    func json(_ arguments: String...) async throws -> [String: Any] {
        let finished = try await run(
            try builtProgram("alertctl"), ["--socket", "\(runtime)/org.alertd.Control"] + arguments + ["--json"])
        let value = try? JSONSerialization.jsonObject(with: Data(finished.output.utf8))
        return try #require(value as? [String: Any], "\(arguments): \(finished)")
    }

    func price(_ type: String, _ price: String) async throws {
        try await all[type]?.price("btcusdt", price)
    }

    /// All events so far but those of the feed, oldest first.
    func events() async throws -> [[String: Any]] {
        let events = try #require(try await json("events", "--limit", "500")["events"] as? [[String: Any]])
        return events.sorted { ($0["number"] as? Int ?? 0) < ($1["number"] as? Int ?? 0) }
            .filter { ($0["kind"] as? String)?.hasPrefix("feed_") != true }
    }

    /// Waits until there are this many events of a kind.
    @discardableResult
    func event(_ kind: String, count: Int) async throws -> [String: Any] {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let found = try await events().filter { $0["kind"] as? String == kind }
            if found.count >= count, let last = found.last { return last }
        }
        throw TimedOut(description: "\(count) \(kind)")
    }

    /// Waits until the file with metrics has a text.
    func metrics(_ text: String) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let found = try? String(contentsOfFile: metricsPath, encoding: .utf8)
            if let found, found.contains(text) { return found }
            usleep(10_000)
        }
        throw TimedOut(description: "metrics with \(text)")
    }

    /// Waits until the checks are in these states.
    func checks(_ states: String...) async throws -> [[String: Any]] {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let checks = try #require(try await json("status")["checks"] as? [[String: Any]])
            if checks.compactMap({ $0["state"] as? String }) == states { return checks }
        }
        throw TimedOut(description: "checks \(states)")
    }
}

@Suite("Prices of sources compared, end to end", .timeLimit(.minutes(10)))
struct DivergenceTests {
    /// Each divergence is one event, whatever is killed when, and decides no alert.
    @Test func divergencesAreReportedOnceOverKills() async throws {
        let exchanges = try await Exchanges()
        _ = try await exchanges.checks("together", "together")
        for round in 1...4 {
            try await exchanges.price("binance", "2.\(4 + round)")
            try await exchanges.event("diverged", count: round)
            usleep(UInt32(round) * 700)
            try await exchanges.kill()
            try await exchanges.start()
            let checks = try await exchanges.checks("diverged", "together")
            #expect((checks[0]["difference_percent"] as? String)?.hasPrefix("-") == true, "\(checks)")
            try await exchanges.price("binance", "2.0")
            try await exchanges.event("converged", count: round)
            try await exchanges.kill()
            try await exchanges.start()
            _ = try await exchanges.checks("together", "together")
        }
        let events = try await exchanges.events()
        #expect(events.compactMap { $0["kind"] as? String } == (0..<4).flatMap { _ in ["diverged", "converged"] })
        #expect(events.allSatisfy { $0["notified"] as? Bool == true })
    }

    @Test func aDivergenceSaysWhatItIs() async throws {
        let exchanges = try await Exchanges()
        _ = try await exchanges.checks("together", "together")
        try await exchanges.price("kraken", "1.6")
        let event = try await exchanges.event("diverged", count: 1)
        #expect(event["source"] as? String == "wazirx" && event["symbol"] as? String == "btcusdt", "\(event)")
        let details = try #require(event["details"] as? [String: Any])
        #expect(details["other"] as? String == "kraken:btcusdt" && details["other_price"] as? String == "1.6")
        #expect(details["difference_percent"] as? String == "25.00" && details["within_percent"] as? String == "8")
        #expect((event["text"] as? String)?.contains("differ by 25 %, more than 8 %") == true, "\(event)")
        let number = "\(event["number"] as? Int ?? 0)"
        let why = try await exchanges.ctl("why", number)
        #expect(why.output.contains("25.00 %, allowed 8 %") && why.output.contains("not resolved yet"), "\(why)")
        let status = try await exchanges.ctl("status")
        #expect(status.output.contains("CHECK") && status.output.contains("differs by 25.00 %"), "\(status)")
        #expect(try await exchanges.ctl("check", "\(exchanges.folder.path)/alertd.toml").code == 0)
        let check = "check=\"wazirx:btcusdt kraken:btcusdt\""
        let metrics = try await exchanges.metrics("alertd_check_difference_percent{\(check)} 25.00\n")
        #expect(metrics.contains("alertd_check_diverged{\(check)} 1\n"), "\(metrics)")
        #expect(metrics.contains("alertd_check_diverged{check=\"wazirx:btcusdt binance:btcusdt\"} 0\n"), "\(metrics)")
        #expect(metrics.contains("alertd_check_timestamp_seconds{\(check)} "), "\(metrics)")
        // A silence of either market suppresses it.
        _ = try await exchanges.json("silence", "add", "binance:btc*", "--for", "1h")
        try await exchanges.price("binance", "1.5")
        let silenced = try await exchanges.event("diverged", count: 2)
        #expect(silenced["notified"] as? Bool == false && silenced["reason"] as? String == "silenced", "\(silenced)")
    }

    /// A source that fails is not compared, and its prices change nothing.
    @Test func aStaleSourceIsNotCompared() async throws {
        let exchanges = try await Exchanges()
        _ = try await exchanges.checks("together", "together")
        try await exchanges.all["binance"]?.command(["do": "behave", "as": "html"])
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let sources = try #require(try await exchanges.json("status")["sources"] as? [[String: Any]])
            if sources[1]["stale"] as? Bool == true { break }
        }
        try await exchanges.price("wazirx", "2.9")
        try await exchanges.event("diverged", count: 1)
        let checks = try await exchanges.checks("together", "diverged")
        #expect((checks[0]["note"] as? String)?.contains("stale") == true, "\(checks)")
        let name = "wazirx:btcusdt kraken:btcusdt"
        let metrics = try await exchanges.metrics("alertd_check_diverged{check=\"\(name)\"} 1\n")
        #expect(!metrics.contains("difference_percent{check=\"wazirx:btcusdt binance"), "\(metrics)")
        #expect(try await exchanges.events().count == 1)
    }
}
