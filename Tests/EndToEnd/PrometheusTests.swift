import Foundation
import TestSupport
import Testing

/// A real Prometheus scrapes the daemon, with the shipped example of its settings.
@Suite("Prometheus, end to end", .timeLimit(.minutes(10)))
struct PrometheusTests {
    private static let program = prometheusTool("prometheus")
    private static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    private let folder = TestFolder()

    private static func example(_ name: String) throws -> String {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../share/examples/\(name)")
        return try String(contentsOf: path, encoding: .utf8)
    }

    /// Starts it with the shipped settings, which scrape another port and more often here.
    private func start(scraping port: Int, listening own: Int) throws -> Program {
        let settings = try Self.example("prometheus.yml").replacing("127.0.0.1:9847", with: "127.0.0.1:\(port)")
            .replacing("scrape_interval: 30s", with: "scrape_interval: 1s")
        _ = try folder.write(try Self.example("prometheus-rules.yml"), to: "prometheus-rules.yml")
        return try Program(
            Self.program,
            [
                "--config.file=\(try folder.write(settings, to: "prometheus.yml"))",
                "--storage.tsdb.path=\(folder.path)/data", "--web.listen-address=127.0.0.1:\(own)",
            ])
    }

    /// Waits until a query has a result, and returns it.
    private func result(_ query: String, _ port: Int) async throws -> [[String: Any]] {
        var found: [[String: Any]] = []
        try await holds("result of \(query)") {
            let said = try await run(
                "/usr/bin/env",
                [
                    "curl", "-s", "--get", "--data-urlencode", "query=\(query)",
                    "http://127.0.0.1:\(port)/api/v1/query",
                ])
            let reply = try? JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: Any]
            found = (reply?["data"] as? [String: Any])?["result"] as? [[String: Any]] ?? []
            return !found.isEmpty
        }
        return found
    }

    @Test(.enabled(if: isInstalled, "prometheus is not installed"))
    func whatHappensIsScraped() async throws {
        let ports = try await freePorts(2)
        let stage = try await Stage(
            rules: """
                [metrics]
                listen = "127.0.0.1:\(ports[0])"
                [[rule]]
                name = "band"
                symbol = "btcinr"
                max = 200
                """)
        let prometheus = try start(scraping: ports[0], listening: ports[1])
        _ = try await result("up{job=\"alertd\"} == 1", ports[1])
        try await stage.exchange.price("btcinr", "250.25")
        _ = try await result("alertd_alert_firing{rule=\"band\",symbol=\"btcinr\"} == 1", ports[1])
        let price = try await result("alertd_price{symbol=\"btcinr\"} == 250.25", ports[1])
        let labels = price.first?["metric"] as? [String: String]
        #expect(labels?["source"] == "wazirx" && labels?["quote"] == "inr")
        // The rate of the counters: Prometheus knows their type.
        _ = try await result("rate(alertd_polls_total[10s]) > 0", ports[1])
        let rules = try await run("/usr/bin/env", ["curl", "-s", "http://127.0.0.1:\(ports[1])/api/v1/rules"])
        #expect(rules.output.contains("AlertdPricesStale") && !rules.output.contains("\"lastError\""))
        withExtendedLifetime(prometheus) {}
    }

    /// Starts it with what it has stored, without anything to scrape.
    private func startReceiver(listening port: Int) throws -> Program {
        try Program(
            Self.program,
            [
                "--config.file=\(try folder.write("global: {}\n", to: "empty.yml"))",
                "--storage.tsdb.path=\(folder.path)/written", "--web.listen-address=127.0.0.1:\(port)",
                "--web.enable-remote-write-receiver",
            ])
    }

    private static func writing(to port: Int) -> String {
        """
        [[receiver]]
        name = "database"
        type = "remote_write"
        url = "http://127.0.0.1:\(port)/api/v1/write"
        instance = "home"
        [[rule]]
        symbol = "btcinr"
        max = 200
        """
    }

    /// Prices are written to it; what it misses while it is down follows, and what no longer has a price ends.
    @Test(.enabled(if: isInstalled, "prometheus is not installed"))
    func pricesAreWritten() async throws {
        let port = try #require(try await freePorts(1).first)
        var prometheus = try startReceiver(listening: port)
        let stage = try await Stage(rules: Self.writing(to: port))
        let first = try await result("alertd_price{symbol=\"btcinr\",instance=\"home\",job=\"alertd\"} == 100", port)
        #expect((first.first?["metric"] as? [String: String])?["source"] == "wazirx")
        // Only the market with a rule.
        #expect(try await result("count(alertd_price)", port).description.contains("1"))
        prometheus.signal(SIGKILL)
        _ = try await prometheus.exitCode()
        try await stage.exchange.price("btcinr", "300.5")
        try await stage.polls(3)
        try await stage.exchange.price("btcinr", "120")
        try await stage.polls(3)
        prometheus = try startReceiver(listening: port)
        _ = try await result("max_over_time(alertd_price[10m]) == 300.5", port)
        _ = try await result("alertd_price == 120", port)
        try await stage.exchange.serve(Array(Stage.tickers.dropFirst()))
        _ = try await result("absent(alertd_price{symbol=\"btcinr\"})", port)
        let receivers = try await stage.json("receivers")["receivers"] as? [[String: Any]]
        #expect(receivers?.first?["refused"] as? Int == 0, "\(receivers ?? [])")
    }

    private static let victoria = testServer("bin/victoria-metrics")

    private func startVictoria(listening port: Int) throws -> Program {
        try Program(
            Self.victoria,
            ["-storageDataPath=\(folder.path)/victoria", "-httpListenAddr=127.0.0.1:\(port)"])
    }

    /// Another database takes the same prices, and those that it missed.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: victoria), "victoria-metrics is not installed"))
    func anotherDatabaseTakesPrices() async throws {
        let port = try #require(try await freePorts(1).first)
        var database = try startVictoria(listening: port)
        let stage = try await Stage(rules: Self.writing(to: port))
        _ = try await result("alertd_price{symbol=\"btcinr\",source=\"wazirx\",job=\"alertd\"} == 100", port)
        database.signal(SIGTERM)
        _ = try await database.exitCode()
        try await stage.exchange.price("btcinr", "300.5")
        try await stage.polls(3)
        try await stage.exchange.price("btcinr", "120")
        try await stage.polls(3)
        database = try startVictoria(listening: port)
        _ = try await result("max_over_time(alertd_price{symbol=\"btcinr\"}[10m]) == 300.5", port)
        _ = try await result("alertd_price{symbol=\"btcinr\"} == 120", port)
        withExtendedLifetime(database) {}
    }
}
