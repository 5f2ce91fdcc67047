import Foundation
import TestSupport
import Testing

/// Two daemons and a pair of real Alertmanagers, with the shipped example of their settings.
@Suite("Alertmanager, end to end", .timeLimit(.minutes(10)))
struct AlertmanagerTests {
    private static let program = prometheusTool("prometheus-alertmanager")
    private static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    private let folder = TestFolder()

    /// The shipped settings with other addresses and shorter times.
    private func settings(_ server: ReceiverServer) throws -> String {
        let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../share/examples/alertmanager.yml")
        let text = try String(contentsOf: example, encoding: .utf8)
            .replacing("http://127.0.0.1:9000/", with: server.url(""))
            .replacing("group_wait: 5s", with: "group_wait: 1s")
            .replacing("group_interval: 1m", with: "group_interval: 1s")
        return try folder.write(text, to: "alertmanager.yml")
    }

    private func start(_ number: Int, of ports: [Int], _ settings: String) throws -> Program {
        let peer = ports[number == 0 ? 3 : 2]
        return try Program(
            Self.program,
            [
                "--config.file=\(settings)", "--storage.path=\(folder.path)/am\(number)",
                "--web.listen-address=127.0.0.1:\(ports[number])",
                "--cluster.listen-address=127.0.0.1:\(ports[number + 2])",
                "--cluster.advertise-address=127.0.0.1:\(ports[number + 2])", "--cluster.peer=127.0.0.1:\(peer)",
                "--cluster.peer-timeout=1s", "--cluster.gossip-interval=50ms",
            ])
    }

    private func alerts(_ port: Int) async throws -> [[String: Any]] {
        let text = try await run("/usr/bin/env", ["curl", "-s", "http://127.0.0.1:\(port)/api/v2/alerts"]).output
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [[String: Any]] ?? []
    }

    /// The notifications about a rule so far: their status.
    private func notifications(_ server: ReceiverServer) throws -> [String] {
        try server.requests("people").compactMap { request in
            let body = try JSONSerialization.jsonObject(with: Data((request["body"] as? String ?? "").utf8))
            return (body as? [String: Any])?["status"] as? String
        }
    }

    @Test(.enabled(if: isInstalled, "prometheus-alertmanager is not installed"))
    func eachAlertIsNotifiedOnce() async throws {
        let server = try await ReceiverServer()
        let settings = try settings(server)
        let ports = try await freePorts(4)
        var managers = try (0..<2).map { try start($0, of: ports, settings) }
        for port in ports.prefix(2) {
            try await holds("cluster of \(port)") {
                let ready = try await run("/usr/bin/env", ["curl", "-s", "http://127.0.0.1:\(port)/api/v2/status"])
                return ready.output.contains("\"status\":\"ready\"")
            }
        }
        let urls = ports.prefix(2).map { "\"http://127.0.0.1:\($0)\"" }.joined(separator: ", ")
        let rules = """
            [[receiver]]
            name = "am"
            type = "alertmanager"
            urls = [\(urls)]
            kinds = ["fired", "resolved", "repeated"]
            [[rule]]
            name = "band"
            symbol = "btcinr"
            max = 200
            """
        let stages = [try await Stage(rules: rules), try await Stage(rules: rules)]
        for port in ports.prefix(2) {
            try await holds("AlertdAlive at \(port)") { try await alerts(port).count == 1 }
        }
        for stage in stages { try await stage.exchange.price("btcinr", "250") }
        for port in ports.prefix(2) { try await holds("the alert at \(port)") { try await alerts(port).count == 2 } }
        try await holds("a notification") { try notifications(server) == ["firing"] }
        // An Alertmanager forgets its alerts, and gets them again from a daemon that starts.
        managers[0].signal(SIGKILL)
        _ = try await managers[0].exitCode()
        managers[0] = try start(0, of: ports, settings)
        stages[1].daemon.signal(SIGKILL)
        _ = try await stages[1].daemon.exitCode()
        try await stages[1].restart()
        try await holds("the alert after a restart") { try await alerts(ports[0]).count == 2 }
        for stage in stages { try await stage.exchange.price("btcinr", "150") }
        try await holds("the end") { try notifications(server).contains("resolved") }
        // An Alertmanager that has just started may repeat what its peer has sent; nothing resolves too early.
        let notified = try notifications(server)
        let changes = notified.indices.filter { $0 == 0 || notified[$0] != notified[$0 - 1] }.map { notified[$0] }
        #expect(changes == ["firing", "resolved"], "\(notified)")
        #expect(server.requests("watchdog").count >= 1)
    }
}
