import Foundation
import Testing

private let types = ["wazirx", "binance", "kraken"]

extension Exchanges {
    /// Exchanges of three types, and checks of the first against the others.
    fileprivate static func compared() async throws -> Exchanges {
        let checks = ["binance", "kraken"].map { other in
            """
            [[check]]
            symbols = ["wazirx:btcusdt", "\(other):btcusdt"]
            within = "8%"

            """
        }
        let rules = types.map { "[[rule]]\nname = \"\($0) high\"\nsymbol = \"\($0):btcusdt\"\nmax = 3\n" }
        return try await Exchanges(types.map { ($0, $0) }, (checks + rules).joined())
    }

    /// All events so far but those of the feed, oldest first.
    fileprivate func eventsOfPrices() async throws -> [[String: Any]] {
        try await events().filter { ($0["kind"] as? String)?.hasPrefix("feed_") != true }
    }

    /// Waits until the metrics have a text.
    fileprivate func metrics(_ text: String) async throws -> String {
        var found = ""
        try await holds("metrics with \(text)") {
            found = (try? String(contentsOfFile: metricsPath, encoding: .utf8)) ?? ""
            return found.contains(text)
        }
        return found
    }

    /// Waits until the checks are in these states.
    @discardableResult
    fileprivate func checks(_ states: String...) async throws -> [[String: Any]] {
        var checks: [[String: Any]] = []
        try await holds("checks \(states)") {
            checks = try #require(try await json("status")["checks"] as? [[String: Any]])
            return checks.compactMap { $0["state"] as? String } == states
        }
        return checks
    }
}

@Suite("Prices of sources compared, end to end", .timeLimit(.minutes(10)))
struct DivergenceTests {
    /// Each divergence is one event, whatever is killed when, and decides no alert.
    @Test func divergencesAreReportedOnceOverKills() async throws {
        let exchanges = try await Exchanges.compared()
        try await exchanges.checks("together", "together")
        for round in 1...4 {
            try await exchanges.price("binance", "btcusdt", "2.\(4 + round)")
            try await exchanges.event("diverged", of: "wazirx", count: round)
            usleep(UInt32(round) * 700)
            try await exchanges.kill()
            try await exchanges.start()
            // The state survives; the difference needs prices of both markets.
            try await holds("a difference below 0") {
                let checks = try await exchanges.checks("diverged", "together")
                return (checks[0]["difference_percent"] as? String)?.hasPrefix("-") == true
            }
            try await exchanges.price("binance", "btcusdt", "2.0")
            try await exchanges.event("converged", of: "wazirx", count: round)
            try await exchanges.kill()
            try await exchanges.start()
            try await exchanges.checks("together", "together")
        }
        let events = try await exchanges.eventsOfPrices()
        #expect(events.compactMap { $0["kind"] as? String } == (0..<4).flatMap { _ in ["diverged", "converged"] })
        #expect(events.allSatisfy { $0["notified"] as? Bool == true })
    }

    @Test func aDivergenceSaysWhatItIs() async throws {
        let exchanges = try await Exchanges.compared()
        try await exchanges.checks("together", "together")
        try await exchanges.price("kraken", "btcusdt", "1.6")
        let event = try await exchanges.event("diverged", of: "wazirx", count: 1)
        #expect(event["source"] as? String == "wazirx" && event["symbol"] as? String == "btcusdt", "\(event)")
        let details = try #require(event["details"] as? [String: Any])
        #expect(details["other"] as? String == "kraken:btcusdt" && details["other_price"] as? String == "1.6")
        #expect(details["difference_percent"] as? String == "25.00" && details["within_percent"] as? String == "8")
        #expect((event["text"] as? String)?.contains("differ by 25%, more than 8%") == true, "\(event)")
        let number = "\(event["number"] as? Int ?? 0)"
        let why = try await exchanges.ctl("why", number)
        #expect(why.output.contains("25.00%, allowed 8%") && why.output.contains("not resolved yet"), "\(why)")
        let status = try await exchanges.ctl("status")
        #expect(status.output.contains("CHECK") && status.output.contains("differs by 25.00%"), "\(status)")
        #expect(try await exchanges.ctl("check", "\(exchanges.folder.path)/alertd.toml").code == 0)
        let check = "check=\"wazirx:btcusdt kraken:btcusdt\""
        let metrics = try await exchanges.metrics("alertd_check_difference_percent{\(check)} 25.00\n")
        #expect(metrics.contains("alertd_check_diverged{\(check)} 1\n"), "\(metrics)")
        #expect(metrics.contains("alertd_check_diverged{check=\"wazirx:btcusdt binance:btcusdt\"} 0\n"), "\(metrics)")
        #expect(metrics.contains("alertd_check_timestamp_seconds{\(check)} "), "\(metrics)")
        // A silence of either market suppresses it.
        _ = try await exchanges.json("silence", "add", "binance:btc*", "--for", "1h")
        try await exchanges.price("binance", "btcusdt", "1.5")
        let silenced = try await exchanges.event("diverged", of: "wazirx", count: 2)
        #expect(silenced["notified"] as? Bool == false && silenced["reason"] as? String == "silenced", "\(silenced)")
    }

    /// A source that fails is not compared, and its prices change nothing.
    @Test func aStaleSourceIsNotCompared() async throws {
        let exchanges = try await Exchanges.compared()
        try await exchanges.checks("together", "together")
        try await exchanges.behave("binance", as: "html")
        try await exchanges.sources { $0[1]["stale"] as? Bool == true }
        try await exchanges.price("wazirx", "btcusdt", "2.9")
        try await exchanges.event("diverged", of: "wazirx", count: 1)
        let checks = try await exchanges.checks("together", "diverged")
        #expect((checks[0]["note"] as? String)?.contains("stale") == true, "\(checks)")
        let name = "wazirx:btcusdt kraken:btcusdt"
        let metrics = try await exchanges.metrics("alertd_check_diverged{check=\"\(name)\"} 1\n")
        #expect(!metrics.contains("difference_percent{check=\"wazirx:btcusdt binance"), "\(metrics)")
        #expect(try await exchanges.eventsOfPrices().count == 1)
    }
}
