import Foundation
import Testing

/// The headline of `alertctl status` says since when something is wrong, not when the daemon started.
@Suite("Since when something is wrong, end to end", .timeLimit(.minutes(10)))
struct TroubleTimeTests {
    @Test func aFeedThatFails() async throws {
        // Long enough for it not to become stale.
        let stage = try await Stage(rules: AlertTests.band, interval: "30s")
        let lastData = try await dataAfterStart(stage)
        try await stage.exchange.command(["do": "behave", "as": "server_error"])
        var headline = try await headline(stage)
        while headline.contains(" running since ") {
            _ = try await stage.ctl("poll", "--force")
            headline = try await self.headline(stage)
        }
        #expect(headline.contains(" running, no data since ") && headline.contains(" \(lastData) UTC;"), "\(headline)")
    }

    @Test func pricesThatAreStale() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let reader = try await stage.reader()
        _ = try await dataAfterStart(stage)
        try await stage.exchange.command(["do": "behave", "as": "server_error"])
        _ = try await reader.event("feed_stale") { $0["kind"] as? String == "feed_stale" }
        let feed = try #require(try await stage.json("status")["feed"] as? [String: Any])
        let lastData = try second(feed["last_success"])
        let headline = try await headline(stage)
        #expect(
            headline.contains(" running, prices stale since ") && headline.contains(" \(lastData) UTC;"), "\(headline)")
    }

    @Test func aStateThatIsNotSaved() async throws {
        // No poll but those that are asked for: one that waits for the lock would let the prices become stale.
        let stage = try await Stage(rules: AlertTests.band, interval: "30s")
        let reader = try EventReader(stage.eventSocket)
        let before = try await dataAfterStart(stage)
        let shell = try Program("/usr/bin/env", ["sqlite3", "\(stage.runtime)/alertd.db"])
        try shell.send(line: "BEGIN IMMEDIATE; SELECT 'locked';")
        _ = try await shell.output.line("lock") { $0 == "locked" }
        _ = try await stage.ctl("poll", "--force")
        let failed = try await reader.event("store_failed") { $0["kind"] as? String == "store_failed" }
        let store = try #require(try await stage.json("status")["store"] as? [String: Any])
        let since = try second(store["since"])
        let range = before...(try second(failed["time"]))
        #expect(range.contains(since))
        let headline = try await headline(stage)
        #expect(
            headline.contains(" running, state not saved since ") && headline.contains(" \(since) UTC;"), "\(headline)")
        try shell.send(line: "ROLLBACK;")
        _ = try await stage.ctl("poll", "--force")
        _ = try await reader.event("store_recovered") { $0["kind"] as? String == "store_recovered" }
        #expect(try await !self.headline(stage).contains("not saved"))
    }

    /// Waits for prices in a later second than that of the start.
    ///
    /// - Returns: their time, as people see it.
    private func dataAfterStart(_ stage: Stage) async throws -> String {
        while true {
            let status = try await stage.json("status")
            let feed = status["feed"] as? [String: Any]
            let start = try second(status["started"])
            if let time = feed?["last_success"] as? String, try second(time) > start { return try second(time) }
            _ = try await stage.ctl("poll")
        }
    }

    /// `2026-11-21 07:12:03` of a time for programs.
    private func second(_ time: Any?) throws -> String {
        String(try #require(time as? String, "no time").prefix(19)).replacing("T", with: " ")
    }

    private func headline(_ stage: Stage) async throws -> String {
        let text = try await stage.ctl("status", "--utc").output
        return String(text.prefix { $0 != "\n" })
    }
}
