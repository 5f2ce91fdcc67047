import Configuration
import EventLoop
import Metrics
import TestSupport
import Testing

@testable import AlertDaemon

/// The metrics of many alerts, which take several turns of the loop.
@Suite("The metrics of alerts", .serialized, .timeLimit(.minutes(10)))
struct AlertMetricsTests {
    private static let symbols = (0..<600).map { "c\($0)inr" }

    /// The lines of all alerts, written while a task of the daemon's own counts the turns of the loop.
    @LoopActor
    private func lines(
        of daemon: SmallDaemon, duringTurn body: @escaping @LoopActor (Int) throws -> Void = { _ in }
    ) async throws -> (lines: [Substring], turns: Int) {
        let pipeline = daemon.pipeline
        let text = OneShot<String, Never>()
        var (turns, isDone) = (0, false)
        let writing = Loop.shared.start(.client) {
            var writer = MetricsWriter(.text)
            await AlertMetrics.write(AlertMetrics.all(of: pipeline, .rules), to: &writer)
            text.finish(.success(String(decoding: writer.finish(), as: UTF8.self)))
        }
        let watching = Loop.shared.start(.client) {
            await writing.value
            isDone = true
        }
        while !isDone {
            turns += 1
            try body(turns)
            await Task.yield()
        }
        await watching.value
        return (await text.wait().split(separator: "\n"), turns)
    }

    private func count(_ lines: [Substring], _ start: String, _ end: String) -> Int {
        lines.count { $0.hasPrefix(start) && $0.hasSuffix(end) }
    }

    /// A poll never waits for more than one slice.
    @Test func othersHaveTheirTurnsInBetween() async throws {
        try await onLoop {
            let daemon = try SmallDaemon(StateFolderForTest(), rules: [SmallDaemon.rule(of: "*")])
            try daemon.poll("50", of: Self.symbols)
            let (lines, turns) = try await lines(of: daemon)
            #expect(count(lines, "alertd_price{", " 50") == 600)
            #expect(count(lines, "alertd_limit{", " 100") == 600)
            #expect(count(lines, "alertd_alert_firing{", " 0") == 600)
            // Prices, limits and states, and before that a look at symbols and alerts.
            #expect(turns >= 3 * 600 / 256 + 2 * 600 / 512, "\(turns)")
        }
    }

    /// A poll that comes in the middle does not lead to states of one poll and prices of another.
    @Test(arguments: [1, 4, 9]) func allAreOfOneMoment(turn: Int) async throws {
        try await onLoop {
            let daemon = try SmallDaemon(StateFolderForTest(), rules: [SmallDaemon.rule(of: "*")])
            try daemon.poll("50", of: Self.symbols)
            let (lines, _) = try await lines(of: daemon) { if $0 == turn { try daemon.poll("150", of: Self.symbols) } }
            let firing = count(lines, "alertd_alert_firing{", " 1")
            #expect([0, 600].contains(firing) && count(lines, "alertd_price{", " 150") == firing, "\(firing)")
            #expect(lines.contains("alertd_firing_alerts{source=\"wazirx\"} \(firing)"))
        }
    }

    /// However often polls come.
    @Test func pollsInEachTurnDoNotHoldItUp() async throws {
        try await onLoop {
            let daemon = try SmallDaemon(StateFolderForTest(), rules: [SmallDaemon.rule(of: "*")])
            try daemon.poll("50", of: Self.symbols)
            let (lines, _) = try await lines(of: daemon) { turn in
                try daemon.poll(turn % 2 == 0 ? "50" : "51", of: Self.symbols)
            }
            let first = count(lines, "alertd_price{", " 50")
            #expect([0, 600].contains(first) && count(lines, "alertd_price{", " 51") == 600 - first, "\(first)")
        }
    }
}
