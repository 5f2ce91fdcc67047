import Foundation
import Market
import Replay
import TestSupport
import Testing
import Time

/// A daemon that was away for two hours, and an exchange that has candles of them.
@Suite("Gaps, end to end", .timeLimit(.minutes(10)))
struct GapTests {
    private static func rules(_ symbols: [String]) -> String {
        symbols.map { symbol in
            """
            [[rule]]
            name = "\(symbol) high"
            symbol = "\(symbol)"
            max = "110"

            """
        }.joined(separator: "\n")
    }

    private static func stage(_ symbols: [String], _ candles: [String: Int]) async throws -> Stage {
        try await Stage(
            rules: rules(symbols), tickers: symbols.map { Stage.ticker($0, "100", quote: "inr") }, candles: candles,
            prepare: { settings, folder in
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let time = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000) - 7_200_000)
                let tickers = try symbols.map { name in
                    Ticker(
                        symbol: try #require(Symbol(name)), quote: Asset("inr"), last: try Price("100"),
                        volume: try Price("5"), bid: try Price("100"), ask: try Price("100"))
                }
                try await onLoop { () throws in
                    try leavePastPoll(settings: settings, folder: folder, tickers: tickers, at: time)
                }
            })
    }

    private func touched(_ stage: Stage) async throws -> [[String: Any]] {
        try #require(
            try await stage.json("events", "--kind", "touched", "--limit", "1000")["events"] as? [[String: Any]])
    }

    @Test func whatHappenedMeanwhileIsTold() async throws {
        // The first request is refused.
        let stage = try await Self.stage(["btcinr", "ethinr"], ["low": 95, "high": 120, "refuse": 1])
        let line = try await stage.daemon.output.line("touched") { $0.contains("TOUCHED") }
        #expect(line.contains("reached ₹120.00, at or above its maximum ₹110.00, between "), "\(line)")
        #expect(line.contains("while prices were not available"))
        var events = try await touched(stage)
        while events.count < 2 {
            try await stage.polls(1)
            events = try await touched(stage)
        }
        for event in events {
            #expect(event["reason"] as? String == "caught_up" && event["notified"] as? Bool == true)
            #expect(event["price"] as? String == "120" && event["limit"] as? String == "110")
            let details = try #require(event["details"] as? [String: Any])
            let times = ["touched_from", "touched_until"].compactMap { details[$0] as? String }
            #expect(times.count == 2 && times.allSatisfy { $0.hasSuffix(":00.000Z") }, "\(details)")
        }
        let why = try await stage.ctl("why", "1")
        #expect(why.output.contains("learned from candles of the exchange"), "\(why.output)")
        _ = try await stage.daemon.errors.line("end of the gaps") { $0.contains("caught up on 2 gaps in the prices") }
        let requests = try #require(try await stage.exchange.report()["candle_requests"] as? [String])
        #expect(requests.count == 3, "\(requests)")
    }

    /// Each limit is notified of once, whenever the daemon is killed.
    @Test func killsNeitherLoseNorRepeatIt() async throws {
        let symbols = (0..<6).map { "coin\($0)inr" }
        let stage = try await Self.stage(symbols, ["low": 95, "high": 120, "delay_ms": 150])
        var random = SplitMix(seed: UInt64.random(in: 0...UInt64.max))
        var kills = 0
        while try await touched(stage).count < symbols.count {
            // A request begins each second, and is answered 150 ms later.
            usleep(UInt32.random(in: 900_000..<1_500_000, using: &random))
            stage.daemon.signal(SIGKILL)
            _ = try await stage.daemon.exitCode()
            kills += 1
            try await stage.restart()
            try await stage.polls(2)
        }
        let events = try await touched(stage)
        #expect(Set(events.compactMap { $0["symbol"] as? String }) == Set(symbols) && events.count == symbols.count)
        let numbers = events.compactMap { $0["number"] as? Int }.sorted()
        #expect(numbers == Array(1...symbols.count))
        let feed = try #require(try await stage.json("status")["feed"] as? [String: Any])
        #expect(feed["gaps"] as? Int == 0, "\(feed)")
        print("\(kills) kills, \(events.count) limits that were reached")
    }
}
