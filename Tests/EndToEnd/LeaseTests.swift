import Foundation
import TestSupport
import Testing

@Suite("Lease, end to end", .timeLimit(.minutes(10)))
struct LeaseTests {
    private let folder = TestFolder()

    private func start(_ name: String, _ nats: NATSServer, _ server: ReceiverServer) async throws -> Stage {
        try await Stage(
            rules: """
                [lease]
                url = "nats://127.0.0.1:\(nats.port)"
                credential = "lease-token"
                name = "\(name)"
                ttl = "5s"
                [metrics]
                textfile = "\(metricsFile(name))"
                \(server.webhooks(["hook"], "kinds = [\"fired\", \"resolved\"]"))
                [[rule]]
                name = "band"
                symbol = "btcinr"
                max = 200
                """, environment: folder.credentials(["lease-token": "sesame"]))
    }

    private func metricsFile(_ name: String) -> String { "\(folder.path)/\(name).prom" }

    /// Waits until the metrics say whether a daemon holds the lease.
    private func metric(_ name: String, is value: Int) async throws {
        try await holds("alertd_lease_held \(value) of \(name)") {
            let text = try? String(contentsOfFile: metricsFile(name), encoding: .utf8)
            return text?.contains("\nalertd_lease_held \(value)\n") ?? false
        }
    }

    private func kinds(_ server: ReceiverServer) throws -> [String] {
        try server.requests("hook").compactMap { request in
            let body = try JSONSerialization.jsonObject(with: Data((request["body"] as? String ?? "").utf8))
            return (body as? [String: Any])?["type"] as? String
        }
    }

    private func lease(_ stage: Stage) async throws -> [String] {
        let lease = try #require(try await stage.json("status")["lease"] as? [String: Any])
        return ["name", "state", "holder", "message"].compactMap { lease[$0] as? String }
    }

    private func queued(_ stage: Stage) async throws -> Int? {
        (try await stage.json("receivers")["receivers"] as? [[String: Any]])?.first?["queued"] as? Int
    }

    /// Of two daemons one notifies. When it is killed, the other one notifies what happened since, and nothing twice.
    @Test(.enabled(if: NATSServer.isInstalled, "nats-server or nats-py is not installed"))
    func oneNotifiesAndTheOtherTakesOver() async throws {
        let (nats, server) = (try await NATSServer(), try await ReceiverServer())
        let one = try await start("one", nats, server)
        _ = try await one.daemon.errors.line("lease of one") { $0.contains("lease: held") }
        let two = try await start("two", nats, server)
        _ = try await two.daemon.errors.line("standby of two") { $0.contains("lease: one notifies; standing by") }
        #expect(try await lease(one) == ["one", "held"])
        #expect(try await lease(two) == ["two", "standby", "one"])
        try await metric("one", is: 1)
        try await metric("two", is: 0)
        for stage in [one, two] { try await stage.exchange.price("btcinr", "250") }
        try await holds("the alert") { try kinds(server) == ["alert.fired"] }
        try await holds("the standby to see that it was notified") {
            let events = try await two.json("events", "--kind", "fired")["events"] as? [[String: Any]]
            guard let fired = events?.first?["number"] as? Int else { return false }
            return try await two.ctl("why", "\(fired)").output.contains("notified by one")
        }
        let tested = try await two.ctl("receivers", "test", "hook")
        #expect(tested.output.contains("another alertd holds the lease"), "\(tested)")
        try await holds("the test to be passed over") { try await queued(two) == 0 }
        let killed = ContinuousClock.now
        one.daemon.signal(SIGKILL)
        _ = try await one.daemon.exitCode()
        try await two.exchange.price("btcinr", "150")
        _ = try await two.daemon.errors.line("lease of two") { $0.contains("lease: held") }
        let length = ContinuousClock.now - killed
        try await metric("two", is: 1)
        try await holds("the end") { try kinds(server) == ["alert.fired", "alert.resolved"] }
        // The machine of the tests may be busy.
        #expect(length < .seconds(60), "\(length)")
        // The first one comes back and stands by, until the other one stops cleanly.
        try await one.exchange.price("btcinr", "150")
        try await one.restart()
        _ = try await one.daemon.errors.line("standby of one") { $0.contains("lease: two notifies; standing by") }
        try await metric("one", is: 0)
        try await holds("the end that one noticed to be passed over") { try await queued(one) == 0 }
        two.daemon.signal(SIGTERM)
        #expect(try await two.daemon.exitCode() == 0)
        _ = try await one.daemon.errors.line("lease of one") { $0.contains("lease: held") }
        try await one.exchange.price("btcinr", "250")
        try await holds("another alert") { try kinds(server) == ["alert.fired", "alert.resolved", "alert.fired"] }
        nats.server.signal(SIGKILL)
        try await holds("the failure in the status") {
            try await one.ctl("status").output.contains("the lease cannot be kept: ")
        }
    }
}
