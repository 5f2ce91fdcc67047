import Foundation
import Market
import Replay
import TestSupport
import Testing
import Time

/// A daemon that was away for hours, and an exchange that has candles of them.
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

    private static func stage(
        _ symbols: [String], _ candles: [String: Int], source: String = "wazirx", hours: Int64 = 2
    ) async throws -> Stage {
        let quote = symbols.allSatisfy { $0.hasSuffix("usdt") } ? "usdt" : "inr"
        return try await Stage(
            rules: rules(symbols), feed: "source = \"\(source)\"",
            tickers: symbols.map { Stage.ticker($0, "100", quote: quote) }, candles: candles,
            prepare: { settings, folder in
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let time = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000) - hours * 3_600_000)
                let tickers = try symbols.map { name in
                    Ticker(
                        symbol: try #require(Symbol(name)), quote: Asset(quote), last: try Price("100"),
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

    @Test func whatHappenedMeanwhileIsNotified() async throws {
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
        #expect(why.output.contains("found in candles of the source"), "\(why.output)")
        _ = try await stage.daemon.errors.line("end of the gaps") { $0.contains("caught up on 2 gaps in the prices") }
        let requests = try #require(try await stage.exchange.report()["candle_requests"] as? [String])
        #expect(requests.count == 3, "\(requests)")
    }

    /// Each exchange has its own form of candles, and its own names of markets. The first request is refused.
    @Test(arguments: [("wazirx", "btcusdt"), ("binance", "BTCUSDT"), ("kraken", "XBTUSDT")])
    func everyExchangeWithCandlesIsAsked(source: String, name: String) async throws {
        let stage = try await Self.stage(["btcusdt"], ["low": 95, "high": 120, "refuse": 1], source: source)
        _ = try await stage.daemon.output.line("touched") { $0.contains("TOUCHED") }
        let events = try await touched(stage)
        #expect(events.count == 1 && events[0]["source"] as? String == source, "\(events)")
        #expect(events[0]["price"] as? String == "120" && events[0]["reason"] as? String == "caught_up")
        let requests = try #require(try await stage.exchange.report()["candle_requests"] as? [String])
        #expect(requests == [name, name])
        try await checkCandles(of: "btcusdt", on: stage)
    }

    /// The candles are shown apart from the prices, and named as what they are.
    private func checkCandles(of symbol: String, on stage: Stage) async throws {
        let history = try await stage.json("history", symbol, "--since", "3h")
        let candles = try #require(history["candles"] as? [[String: Any]])
        // The gap of two hours is longer if the daemon starts slowly.
        #expect(candles.count >= 118, "\(candles.count)")
        for (key, value) in ["open": "95", "high": "120", "low": "95", "close": "120", "volume": "0.5"] {
            #expect(candles.allSatisfy { $0[key] as? String == value }, "\(key) of \(candles[0])")
        }
        let prices = history["prices"] as? [[String: Any]] ?? history["bars"] as? [[String: Any]] ?? []
        #expect(!prices.isEmpty && !prices.contains { $0["price"] as? String == "120" }, "\(prices)")
        let table = try await stage.ctl("history", symbol, "--since", "3h")
        let text = "\(candles.count) minutes from the source's candles, in gaps of the recorded prices"
        #expect(table.output.contains("CANDLE") && table.output.contains(text), "\(table.output)")
        let chart = try await stage.json("chart", symbol, "--since", "3h")
        let bars = try #require(chart["bars"] as? [[String: Any]])
        let drawn = bars.filter { $0["series"] as? String == "\(symbol) from candles" }
        #expect(!drawn.isEmpty && drawn.allSatisfy { $0["high"] as? String == "120" }, "\(chart)")
        #expect(try await stage.ctl("chart", symbol, "--since", "3h").output.contains("\(symbol) from candles"))
        let lines = try await stage.ctl("export", "candles").output.split(separator: "\n").map(String.init)
        #expect(lines.first?.contains(#""alertctl_export":"candles""#) == true, "\(lines)")
        #expect(lines.last == "{\"complete\":true,\"records\":\(candles.count)}")
        let first = try #require(candles[0]["time"] as? String)
        let line =
            #"{"time":"\#(first)","symbol":"\#(symbol)","open":"95","high":"120","low":"95","close":"120","#
            + #""volume":"0.5"}"#
        #expect(lines[1] == line)
    }

    /// Kraken has candles of half a day only.
    @Test func whatCandlesCannotShowIsReported() async throws {
        let stage = try await Self.stage(["btcusdt"], ["low": 95, "high": 120], source: "kraken", hours: 24)
        let line = try await stage.daemon.errors.line("end of the gap") { $0.contains("caught up on 1 gap") }
        #expect(line.contains("1 limit was reached; the source has candles of the last 720 minutes only"), "\(line)")
        let candles = try #require(try await stage.json("history", "btcusdt", "--since", "25h")["candles"] as? [Any])
        #expect((716...720).contains(candles.count), "\(candles.count)")
    }

    /// Candles that never come hold up nothing: polls continue while the daemon waits for them.
    @Test func pollsDoNotWaitForCandles() async throws {
        let symbols = (0..<100).map { "coin\($0)inr" }
        let stage = try await Self.stage(symbols, ["low": 95, "high": 120, "delay_ms": 300_000], hours: 24)
        let deadline = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < deadline {
            if (try await stage.exchange.report()["candle_requests"] as? [String])?.count == 1 { break }
        }
        let before = try #require(try await stage.exchange.report()["requests"] as? Int)
        try await stage.exchange.command(["do": "wait", "requests": before + 50, "limit_ms": 110_000])
        let feed = try #require(try await stage.json("status")["feed"] as? [String: Any])
        #expect(feed["gaps"] as? Int == 100 && feed["failures"] as? Int == 0, "\(feed)")
        #expect((try await stage.exchange.report()["candle_requests"] as? [String])?.count == 1)
        // A price that reaches a limit meanwhile is notified.
        try await stage.exchange.price("coin7inr", "115")
        let line = try await stage.daemon.output.line("fired") { $0.contains("FIRED") }
        #expect(line.contains("COIN7/INR"), "\(line)")
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
        // A busy machine may also have the feed become stale for a moment.
        let all = try #require(try await stage.json("events", "--limit", "1000")["events"] as? [[String: Any]])
        #expect(all.compactMap { $0["number"] as? Int }.sorted() == Array(1...all.count))
        let feed = try #require(try await stage.json("status")["feed"] as? [String: Any])
        #expect(feed["gaps"] as? Int == 0, "\(feed)")
        print("\(kills) kills, \(events.count) limits that were reached")
    }
}
