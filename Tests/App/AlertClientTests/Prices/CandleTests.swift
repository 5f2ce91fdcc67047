import Charts
import Control
import Market
import Testing
import Time

@testable import AlertClient

/// The exchange's candles of times without prices, as commands show them. Now is 2026-11-21 06:20:00 UTC.
@Suite(.timeLimit(.minutes(10)))
struct CandleTests {
    /// Candles of the minutes after 05:30; each is 1 higher than the one before.
    private static func candles(_ count: Int) -> [PriceCandle] {
        (0..<count).map { index in
            let start = WallTime(milliseconds: Sample.now.milliseconds - 50 * 60_000 + Int64(index) * 60_000)
            return PriceCandle(
                time: "\(start)", open: "\(7_500_000 + index)", high: "\(7_510_000 + index)",
                low: "\(7_490_000 + index)", close: "\(7_505_000 + index)", volume: "0.25")
        }
    }

    /// A daemon that has candles, in pages of two.
    private func run(_ count: Int = 3, width: Int? = nil) -> Run {
        let run = Run(width: width)
        let all = Self.candles(count)
        run.daemon.answers[.listCandles] = { parameters in
            let asked = parameters as? ListCandlesParameters
            let kept = all.filter { $0.time >= asked?.since ?? "" && $0.time < asked?.until ?? "9" }
            return ListCandlesReply(
                simulated: false, candles: Array(kept.prefix(2)), next: kept.count > 2 ? kept[2].time : nil)
        }
        return run
    }

    @Test(arguments: ["history btcinr --since 2h --step none", "history btcinr --since 2h --step 1h"])
    func historyShowsThemInATableOfTheirOwn(line: String) {
        let run = run(width: 100)
        #expect(run(line) == 0)
        #expect(
            run.output.contains(
                """
                CANDLE             OPEN           HIGH            LOW          CLOSE  VOLUME
                """), "\(run.output)")
        #expect(run.output.contains("06:30:00"), "by the clocks of the user: \(run.output)")
        #expect(run.output.contains("3 minutes from the source's candles, in gaps of the recorded prices"))
        let without = Run(width: 100)
        without(line)
        #expect(!without.output.contains("CANDLE") && !without.output.contains("candles"))
    }

    /// A warning next to the prices, and an export that fails.
    @Test func candlesThatCannotBeReadAreReported() {
        let run = self.run(width: 100)
        let message = "candles cannot be read: the state file is not open; 'alertctl status' shows why"
        run.daemon.errors[.listCandles] = .storeFailed(StoreFailed(message: message))
        #expect(run("history btcinr --since 2h --step none") == 0)
        #expect(run.output.contains(message), "\(run.output)")
        #expect(run("chart btcinr --since 2h --currency quote") == 0)
        #expect(run.output.contains(message) && run.output.contains("btcinr"))
        #expect(run("export candles --symbol btcinr") == 1)
        #expect(run.errors.contains(message) && !run.output.contains("\"complete\":true"))
    }

    @Test func programsGetAllPages() {
        let run = run()
        run("history btcinr --since 2h --step none --json")
        #expect(
            run.output.contains(
                #""candles":[{"time":"2026-11-21T05:30:00.000Z","open":"7500000","high":"7510000","low":"7490000","#
                    + #""close":"7505000","volume":"0.25","currency":"INR"},{"time":"2026-11-21T05:31:00.000Z""#),
            "\(run.output)")
        #expect(run.output.contains(#"{"time":"2026-11-21T05:32:00.000Z","open":"7500002""#))
        let asked = run.daemon.parameters.compactMap { $0 as? ListCandlesParameters }
        #expect(asked.map(\.since) == ["2026-11-21T04:20:00.000Z", "2026-11-21T05:32:00.000Z"])
        #expect(asked.allSatisfy { $0.symbol == "btcinr" })
        let csv = self.run()
        csv("history btcinr --since 2h --step none --format csv")
        #expect(!csv.output.contains("7510000") && !csv.daemon.parameters.contains { $0 is ListCandlesParameters })
    }

    @Test func aChartDrawsThemAsASeriesOfTheirOwn() {
        let run = run(width: 100)
        #expect(run("chart btcinr --since 2h --currency quote") == 0)
        #expect(run.output.contains("btcinr from candles"), "\(run.output)")
        let values = self.run()
        values("chart btcinr --since 2h --json")
        #expect(
            values.output.contains(
                #"{"series":"btcinr from candles","time":"2026-11-21T05:30:00.000Z","open":"7500000","#),
            "\(values.output)")
    }

    @Test func severalMinutesBecomeOneBar() throws {
        let run = run(10)
        let until = Sample.now
        let all = try GapCandles("btcinr", since: nil, until: until, from: run.daemon)
        #expect(all.candles.count == 10)
        let each = try #require(all.series("name", limit: 100))
        #expect(each.bars.count == 10 && each.name == "name")
        // 05:30 to 05:39 in steps of five minutes.
        let joined = try #require(all.series("name", limit: 2))
        #expect(joined.bars.map(\.open) == [7_500_000, 7_500_005])
        #expect(joined.bars.map(\.close) == [7_505_004, 7_505_009])
        #expect(joined.bars.map(\.high) == [7_510_004, 7_510_009])
        #expect(joined.bars.map(\.low) == [7_490_000, 7_490_005])
        #expect(GapCandles().series("name", limit: 2) == nil)
    }

    @Test func exportsAreMarked() {
        let lines = run().output("export candles --symbol btcinr").split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix(#"{"alertctl_export":"candles","format":1,"#) == true)
        let line =
            #"{"time":"2026-11-21T05:30:00.000Z","symbol":"btcinr","open":"7500000","high":"7510000","#
            + #""low":"7490000","close":"7505000","volume":"0.25"}"#
        #expect(lines[1] == line)
        #expect(lines.last == #"{"complete":true,"records":3}"#)
        let csv = run().output("export candles --symbol btcinr --format csv").split(separator: "\n")
        #expect(csv.first?.hasPrefix(##"# alertctl export: {"alertctl_export":"candles""##) == true)
        #expect(csv.dropFirst().first == "time,symbol,open,high,low,close,volume")
        #expect(csv.dropFirst(2).first == "2026-11-21T05:30:00.000Z,btcinr,7500000,7510000,7490000,7505000,0.25")
        #expect(csv.last == "# complete, records: 3")
        #expect(run()("export candles --format openmetrics") == 2)
    }
}
