import Foundation
import TestSupport
import Testing

/// Metrics and heartbeats of a running daemon, checked with Prometheus' own tools.
@Suite("Monitoring, end to end", .timeLimit(.minutes(10)))
struct MonitoringTests {
    private static let rules = """
        [[rule]]
        name = "band \\\\ \\"quoted\\""
        symbol = "btcinr"
        max = 200
        severity = "critical"
        [[rule]]
        name = "zone"
        symbol = "ethinr"
        within = [40, "60.50"]

        """
    private static let promtool = prometheusTool("promtool")
    private static let hasPromtool = FileManager.default.isExecutableFile(atPath: promtool)

    private let folder = TestFolder()

    /// Waits for a file with metrics that satisfies the condition.
    private func metrics(_ path: String, _ stage: Stage, _ condition: (String) -> Bool) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(600)
        while true {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if condition(text) { return text }
            guard ContinuousClock.now < deadline else { throw TimedOut(description: text) }
            try await stage.polls(1)
        }
    }

    @Test func theTextfileHasWhatHappens() async throws {
        let path = try folder.write("old", to: "alertd.prom")
        let stage = try await Stage(rules: "[metrics]\ntextfile = \"\(path)\"\n" + Self.rules)
        let name = #"rule="band \\ \"quoted\"",symbol="btcinr",bound="max""#
        _ = try await metrics(path, stage) { $0.contains("alertd_alert_firing{source=\"wazirx\",\(name)") }
        try await stage.exchange.price("btcinr", "250.10")
        let text = try await metrics(path, stage) { $0.contains("alertd_events_total{kind=\"fired\"} 2\n") }
        #expect(text.contains("alertd_alert_firing{source=\"wazirx\",\(name),severity=\"critical\"} 1\n"))
        #expect(text.contains("alertd_price{source=\"wazirx\",symbol=\"btcinr\",quote=\"inr\"} 250.10\n"))
        #expect(!text.contains("btcusdt"))
        #expect(text.contains("bound=\"within\",currency=\"INR\",edge=\"low\"} 40\n"))
        #expect(text.contains("bound=\"within\",currency=\"INR\",edge=\"high\"} 60.50\n"))
        #expect(text.contains("alertd_firing_alerts{source=\"wazirx\"} 2\n"))
        #expect(text.contains("alertd_poll_phase_seconds_total{source=\"wazirx\",phase=\"commit\"} 0."))
        #expect(text.contains("alertd_state_saved 1\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["alertd.prom"])
        if Self.hasPromtool {
            let checked = try await run("/bin/bash", ["-c", "'\(Self.promtool)' check metrics <'\(path)'"])
            #expect(checked.code == 0, "\(checked)")
        }
    }

    /// Each query of the dashboard, as if it were a rule.
    @Test(.enabled(if: hasPromtool, "promtool is not installed")) func queriesOfTheDashboardAreValid() async throws {
        let path = packageFolder.appending(path: "share/examples/grafana-dashboard.json")
        let dashboard = try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any]
        let panels = try #require(dashboard?["panels"] as? [[String: Any]])
        let targets = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }
        let queries = targets.compactMap { $0["expr"] as? String }
        #expect(queries.count > 15)
        let rules = queries.enumerated().map { number, query in
            let query = query.replacing("$__rate_interval", with: "5m").replacing("'", with: "''")
            return "      - {record: 'query:\(number)', expr: '\(query)'}\n"
        }
        let file = try folder.write("groups:\n  - name: g\n    rules:\n" + rules.joined(), to: "rules.yml")
        let checked = try await run(Self.promtool, ["check", "rules", file])
        #expect(checked.code == 0 && checked.output.contains("\(queries.count) rules found"), "\(checked)")
    }

    @Test func aFileThatCannotBeWrittenIsReportedOnce() async throws {
        let path = "\(folder.path)/missing/alertd.prom"
        let stage = try await Stage(rules: "[metrics]\ntextfile = \"\(path)\"\n" + Self.rules)
        let line = try await stage.daemon.errors.line("failure") { $0.contains("cannot be written") }
        #expect(line.contains(path) && line.contains("No such file"))
        try await stage.polls(3)
        _ = try folder.write("", to: "missing/other")
        _ = try await metrics(path, stage) { $0.contains("alertd_polls_total") }
        _ = try await stage.daemon.errors.line("recovery") { $0.contains("is written again") }
        #expect(stage.daemon.errors.lines.count { $0.contains("cannot be written") } == 1)
    }

    @Test func heartbeatsFollowThePolls() async throws {
        let server = try await ReceiverServer()
        let settings = "[heartbeat]\nurl = \"\(server.url("beat"))\"\n"
        let stage = try await Stage(rules: settings + Self.rules)
        let paths = { server.requests("beat").compactMap { $0["path"] as? String } }
        while paths().isEmpty { try await stage.polls(1) }
        try await stage.exchange.command(["do": "behave", "status": 500])
        while paths().count < 2 { try await stage.polls(1) }
        #expect(paths().prefix(2) == ["/beat", "/beat/fail"])
    }

    @Test func aReloadMovesTheHeartbeat() async throws {
        let server = try await ReceiverServer()
        let stage = try await Stage(rules: "[heartbeat]\nurl = \"\(server.url("beat"))\"\n" + Self.rules)
        let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
        try settings.replacing(server.url("beat"), with: server.url("other"))
            .write(toFile: stage.settings, atomically: true, encoding: .utf8)
        #expect(try await stage.ctl("reload").code == 0)
        try await holds("a heartbeat at the other address") {
            try await stage.polls(1)
            return !server.requests("other").isEmpty
        }
    }
}

extension MonitoringTests {
    private func scrape(_ socket: String, accept: String = "*/*") async throws -> Finished {
        try await run(
            "/usr/bin/env",
            ["curl", "-sS", "-i", "--unix-socket", socket, "-H", "Accept: \(accept)", "http://localhost/metrics"])
    }

    /// A real parser takes what is scraped, a reload moves the socket, and a stop removes it.
    @Test func metricsAreScraped() async throws {
        let name = "[[receiver]]\nname = \"a\"\ntype = \"webhook\"\nurl = \"http://127.0.0.1:1/\"\n"
        let stage = try await Stage(rules: "[metrics]\nsymbols = \"rules\"\n" + name + Self.rules)
        let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
        let sockets = ["\(stage.runtime)/metrics.sock", "\(stage.runtime)/other.sock"]
        for (index, socket) in sockets.enumerated() {
            let text = settings.replacing("[metrics]", with: "[metrics]\nlisten = \"\(socket)\"")
            try text.write(toFile: stage.settings, atomically: true, encoding: .utf8)
            #expect(try await stage.ctl("reload").code == 0)
            try await holds("metrics with prices") { try await scrape(socket).output.contains("alertd_price{") }
            if index > 0 { #expect(!FileManager.default.fileExists(atPath: sockets[0])) }
        }
        let plain = try await scrape(sockets[1]).output
        #expect(plain.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        #expect(plain.contains("alertd_receiver_up{receiver=\"a\",type=\"webhook\"} "))
        let open = try await scrape(sockets[1], accept: "application/openmetrics-text;version=1.0.0").output
        #expect(open.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"))
        #expect(open.hasSuffix("# EOF\n"))
        if let python = ReceiverServer.python {
            let body = open.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init) ?? ""
            let file = try folder.write(body, to: "metrics.txt")
            let program = """
                import sys
                from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
                print(len(list(parse(open(sys.argv[1]).read()))))
                """
            let parsed = try await run(python, ["-c", program, file])
            #expect(parsed.code == 0 && Int(parsed.output.prefix(2)) ?? 0 > 30, "\(parsed)")
        }
        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
        #expect(!FileManager.default.fileExists(atPath: sockets[1]))
    }

    /// Alerts do not depend on a port that is in use.
    @Test func aPortInUseIsReported() async throws {
        let server = try await ReceiverServer()
        let stage = try await Stage(rules: "[metrics]\nlisten = \"127.0.0.1:\(server.port)\"\n" + Self.rules)
        let line = try await stage.daemon.errors.line("failure") { $0.contains("metrics: ") }
        #expect(line.contains("127.0.0.1:\(server.port)") && line.contains("in use"), "\(line)")
        try await stage.polls(2)
    }
}
