import Foundation
import Testing

/// The real daemon and its state.
@Suite("State, end to end", .timeLimit(.minutes(10)))
struct StateTests {
    /// 40 alerts that all fire when the price is high and clear when it is low.
    static let manyRules = (0..<40).map { "[[rule]]\nname = \"r\($0)\"\nsymbol = \"btcinr\"\nmax = \"\(101 + $0)\"\n" }
        .joined(separator: "\n")

    @Test func aRestartGoesOnWhereItWas() async throws {
        let stage = try await Stage(rules: AlertTests.band, interval: "2s")
        try await stage.exchange.price("btcinr", "120")
        _ = try await stage.daemon.output.line("fired") { $0.contains("120") }
        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
        try await stage.restart()
        let status = try await stage.json("status")
        #expect(status["last_event"] as? Int == 1)
        let store = try #require(status["store"] as? [String: Any])
        #expect(store["state"] as? String == "ok" && store["events"] as? Int == 1, "\(store)")
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "100")
        let resolved = try await reader.event("resolved") { _ in true }
        #expect(resolved["kind"] as? String == "resolved" && resolved["number"] as? Int == 2, "\(resolved)")
        #expect(!stage.daemon.output.text.contains("120 "), "notified again: \(stage.daemon.output.text)")
    }

    /// The kernel would end the daemon with a signal; for it, that is a full disk.
    @Test func aLimitOnTheSizeOfFilesSilencesNothing() async throws {
        let stage = try await Stage(rules: AlertTests.band, shell: "ulimit -f 40")
        try await stage.exchange.price("btcinr", "120")
        _ = try await stage.daemon.output.line("fired") { $0.contains("120") }
        let store = try #require(try await stage.json("status")["store"] as? [String: Any])
        #expect(store["state"] as? String == "degraded", "\(store)")
        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
    }

    /// Thirty times, with a follower connected throughout.
    @Test func killsLeaveNoHoles() async throws {
        let stage = try await Stage(rules: Self.manyRules)
        let tail = try Program(
            try builtProgram("alertctl"), ["--socket", stage.controlSocket, "tail", "--after", "0", "--json"])
        for round in 0..<30 {
            let reader = try await stage.reader()
            try await stage.exchange.price("btcinr", round % 2 == 0 ? "1000" : "1")
            _ = try await eventually("an event") { reader.all.isEmpty ? nil : true }
            // At different points after the first event.
            usleep(UInt32(round % 6) * 500)
            stage.daemon.signal(SIGKILL)
            _ = try await stage.daemon.exitCode()
            #expect(reader.isWithoutHoles)
            try await stage.restart()
        }
        let last = try #require(try await stage.json("status")["last_event"] as? Int)
        #expect(last >= 30 * 40)
        _ = try await tail.output.line("event \(last)") { $0.contains("\"number\":\(last),") }
        let numbers = try tail.output.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["number"] as? Int
        }
        #expect(numbers.prefix(last).elementsEqual((1...last).map { $0 }), "\(numbers.count) of \(last)")
    }

    /// A reader that pauses for a while costs no memory and misses nothing.
    @Test func aSlowFollowerMissesNothing() async throws {
        let stage = try await Stage(rules: Self.manyRules)
        let tail = try Program(
            try builtProgram("alertctl"), ["--socket", stage.controlSocket, "tail", "--after", "0", "--json"])
        tail.signal(SIGSTOP)
        let reader = try await stage.reader()
        // 8,000 events of about 450 bytes are more than any queue holds.
        for round in 0..<200 {
            try await stage.exchange.price("btcinr", round % 2 == 0 ? "1000" : "1")
            let count = (round + 1) * 40
            _ = try await eventually("\(count) events") { reader.events.count >= count ? true : nil }
        }
        tail.signal(SIGCONT)
        let last = try #require(try await stage.json("status")["last_event"] as? Int)
        _ = try await tail.output.line("event \(last)") { $0.contains("\"number\":\(last),") }
        #expect(tail.output.lines.count == last)
        #expect(!tail.errors.text.contains("missed"), "\(tail.errors.text)")
    }

    /// While another program has locked the file, state is not saved, but alerts are still notified.
    @Test func aLockedFileIsWaitedFor() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let reader = try await stage.reader()
        let shell = try Program("/usr/bin/env", ["sqlite3", "\(stage.runtime)/alertd.db"])
        try shell.send(line: "BEGIN IMMEDIATE; SELECT 'locked';")
        _ = try await shell.output.line("lock") { $0 == "locked" }
        let failed = try await reader.event("store_failed") { $0["kind"] as? String == "store_failed" }
        try await stage.exchange.price("btcinr", "120")
        _ = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        let store = try await stage.json("status")["store"] as? [String: Any]
        #expect(store?["state"] as? String == "degraded", "\(String(describing: store))")
        #expect((failed["text"] as? String)?.contains("locked") == true, "\(failed)")
        try shell.send(line: "ROLLBACK;")
        _ = try await reader.event("store_recovered") { $0["kind"] as? String == "store_recovered" }
        #expect(reader.isWithoutHoles)
        #expect(reader.events.compactMap { $0["kind"] as? String } == ["store_failed", "fired", "store_recovered"])
    }
}
