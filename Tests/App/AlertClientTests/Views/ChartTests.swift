import Charts
import Control
import Diagnostics
import Events
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import AlertClient

/// A daemon with an hour of prices of btcinr, one each 30 s, rising from ₹75,00,000.
func chartRun(width: Int? = 100, height: Int? = nil) -> Run {
    let run = Run(width: width)
    run.environment.height = height
    let start = Sample.now.milliseconds - 3_600_000
    let prices = (0..<120).map { index in
        PricePoint(
            time: WallTime(milliseconds: start + Int64(index) * 30_000).description, price: "\(7_500_000 + index * 100)"
        )
    }
    run.daemon.answers[.listPrices] = { parameters in
        let since = (parameters as? ListPricesParameters)?.since ?? ""
        let kept = prices.filter { $0.time >= since }
        let next = kept.count > 50 ? kept[50].time : nil
        return ListPricesReply(
            simulated: false, gapMilliseconds: 90_000, prices: Array(kept.prefix(50)), next: next)
    }
    run.daemon.replies[.listEvents] = ListEventsReply(
        simulated: false, source: "wazirx", events: [fired(at: prices[60])], more: false)
    return run
}

private func fired(at point: PricePoint) -> EventRecord {
    EventRecord(
        number: 9, time: point.time, kind: .fired, rule: "btc band", symbol: "btcinr", bound: .max, severity: .warning,
        price: point.price, limit: "7500000", currency: "INR", notified: true, text: "BTC is high")
}

struct ChartTests {
    @Test func drawsPricesLimitsAndAlerts() {
        let run = chartRun()
        #expect(run("chart btcinr --since 1h --currency quote --size 90x20") == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("btcinr  ₹75,11,900.00  ▲ +0.16%  last 1h"))
        #expect(run.output.contains("max ₹75,00,000.00 btc band"))
        #expect(run.output.contains("●"))
        #expect(lines.contains { $0.hasSuffix("▲75,11,900") })
        #expect(run.output.contains("Events: 1 fired."))
        #expect(lines.prefix(20).allSatisfy { columnWidth(of: $0) <= 90 })
        // All pages were read: the first price is there, and the last one.
        #expect(run.output.contains("First ₹75,00,000.00, last ₹75,11,900.00"))
    }

    /// The line that the limit of an alert is on; nil if it is not drawn.
    private func rowOfLimit(_ limit: String, _ currency: String, price: String?) -> Int? {
        let run = chartRun()
        var alert = Sample.alerts[1]
        (alert.limit, alert.clear, alert.currency, alert.price) = (limit, nil, currency, price)
        alert.rule = "the rule"
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [alert])
        if var symbol = Sample.replies[.getSymbol] as? GetSymbolReply {
            symbol.alerts = [alert]
            run.daemon.replies[.getSymbol] = symbol
        }
        #expect(run("chart btcinr --since 1h --currency quote --size 90x20") == 0)
        let lines = run.output.split(separator: "\n").prefix(20)
        return lines.firstIndex { $0.contains("● max") && $0.contains("the rule") }
    }

    /// The price that the daemon has converted for the rule gives the rate.
    @Test func aLimitInAnotherCurrencyIsWhereItIsReached() {
        let row = rowOfLimit("7510000", "INR", price: "7511900")
        #expect(row != nil)
        #expect(rowOfLimit("751000", "SEK", price: "751190") == row)
        #expect(rowOfLimit("7505000", "INR", price: "7511900") != row)
        #expect(rowOfLimit("751000", "SEK", price: nil) == nil)
    }

    @Test func aZoneIsABandThatFiresOnce() throws {
        var chart = Chart(
            title: "btcinr", rangeText: "1h", series: [], span: Sample.now..<Sample.now, unit: .plain, clock: .utc)
        let zone = try #require(LimitValue("7400000..7600000"))
        for _ in 0..<2 {
            chart.add(zone, clear: nil, .crossing, factor: 0.5, label: "within zone", isFiring: true)
        }
        #expect(chart.bands.map(\.low) == [3_700_000] && chart.bands.map(\.high) == [3_800_000])
        #expect(chart.bands.map(\.isFiring) == [true])
        #expect(chart.limits.map(\.label) == ["", ""])
    }

    @Test func aRuleIsDrawnIfItHasOneSymbol() {
        let run = chartRun()
        let alert = AlertExplanation(alert: Sample.alerts[1], facts: [], levels: [])
        let rule = RuleStatus(
            name: "btc band", source: "wazirx", symbols: ["*"], condition: "max 1", conditionText: "max 1",
            severity: .warning, matches: 1, firing: 1, limits: [], state: .ok, problems: [])
        run.daemon.replies[.explain] = ExplainReply(simulated: false, rule: rule, alerts: [alert, alert])
        #expect(run(["chart", "--rule", "btc band"]) == 0, "\(run.errors)")
        #expect(run.output.contains("btcinr"))
        var other = alert
        other.alert.symbol = "ethinr"
        run.daemon.replies[.explain] = ExplainReply(simulated: false, rule: rule, alerts: [alert, other])
        #expect(run(["chart", "--rule", "btc band"]) == 2)
        #expect(run.errors.contains("matches 2 symbols; name one: btcinr, ethinr …"))
    }

    @Test func withoutASizeItHasTheUsualOne() {
        #expect(
            chartRun().output("chart btcinr --since 1h") == chartRun().output("chart btcinr --since 1h --size 100x20"))
        let picture = chartRun().output("chart btcinr --since 1h --svg -")
        #expect(picture == chartRun().output("chart btcinr --since 1h --svg - --size 800x400"))
        #expect(picture != chartRun().output("chart btcinr --since 1h --svg - --size 801x400"))
    }

    /// The first candle may begin before the chart does.
    @Test func noCandleIsLeftOfTheChart() throws {
        let run = chartRun(width: nil)
        run.daemon.answers[.listBars] = { asked in
            let since = (asked as? ListBarsParameters)?.since ?? ""
            return ListBarsReply(
                simulated: false,
                bars: [PriceBar(time: since, open: "1", high: "3", low: "1", close: "2", samples: 9)])
        }
        #expect(run("chart btcinr --since 30m --candles 1h --json") == 0)
        let start = "\(WallTime(milliseconds: Sample.now.milliseconds - 1_800_000))"
        #expect(run.output.contains("\"bars\":[{\"series\":\"btcinr\",\"time\":\"\(start)\""), "\(run.output)")
    }

    @Test func programsGetTheValues() {
        let run = chartRun(width: nil)
        run("chart btcinr --since 1h --json")
        #expect(run.output.contains("\"bars\":[{\"series\":\"btcinr\",\"time\":\"2026-11-21T05:20:00.000Z\""))
        #expect(run.output.contains("\"kind\":\"fired\",\"price\":\"7506000\""))
        #expect(run.output.contains("\"limit\":\"7500000\""))
    }

    @Test(arguments: [
        "chart", "chart btcinr --size 10", "chart btcinr --size 100x2", "chart btcinr --size 99999x30",
        "chart btcinr ethinr --candles 1h", "chart btcinr --log --relative", "chart a b c d e f g",
        "chart btcinr --since 1h --candles 1s", "chart btcinr --candles 0s", "chart btcinr --svg a.svg --size 10x10",
        "chart --file x.csv --currency SEK", "chart --file x.csv --rule a", "chart btcinr --since 1h --until 2h",
    ])
    func whatMakesNoSenseIsRefused(line: String) {
        let run = chartRun()
        #expect(run(line) == 2)
        #expect(run.output.isEmpty && !run.errors.isEmpty)
    }

    @Test func anUnknownRuleIsRefusedWithASuggestion() {
        let run = chartRun()
        #expect(run(["chart", "btcinr", "--rule", "btc bandd"]) == 4)
        #expect(run.errors.contains("btc band"))
    }

    @Test func severalSymbolsAreCompared() {
        let run = chartRun()
        run.daemon.answers[.getSymbol] = { parameters in
            let name = (parameters as? GetSymbolParameters)?.symbol ?? ""
            let symbol = Sample.symbols.first { $0.symbol == name } ?? Sample.symbols[0]
            return GetSymbolReply(simulated: false, stale: false, symbol: symbol, alerts: [], prices: [])
        }
        #expect(run("chart btcinr ethusdt --since 1h --size 90x16") == 0)
        #expect(run.output.contains("━━ btcinr ▲ +0.16%"))
        #expect(run.output.contains("ethusdt +0.16%"))
        // Amounts of different currencies have no place among percentages.
        #expect(!run.output.contains("max ₹"))
    }

    @Test func aPictureIsWrittenOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chart-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.svg").path
        #expect(chartRun()(["chart", "btcinr", "--since", "1h", "--svg", path]) == 0)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n") && text.contains("btc band"))
        let again = chartRun()
        #expect(again(["chart", "btcinr", "--since", "1h", "--svg", path]) == 1)
        #expect(again.errors.contains("already exists"))
        #expect(chartRun()(["chart", "btcinr", "--since", "1h", "--svg", path, "--force"]) == 0)
        let output = chartRun()
        output(["chart", "btcinr", "--since", "1h", "--svg", "-"])
        #expect(output.output.hasPrefix("<svg "))
    }

    @Test func filesNeedNoDaemon() throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "BTCUSDT-1m-\(UInt64.random(in: 0 ... .max)).csv")
        let start = 1_700_000_000_000
        let lines = (0..<60).map { index in
            let (open, close) = (start + index * 60_000, start + index * 60_000 + 59_999)
            return "\(open),100,\(110 + index),90,101,5,\(close),505,3,2,200,0"
        }
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let run = Run(width: 90)
        run.daemon.connectionErrors = [.closed]
        #expect(run(["chart", "--file", path.path, "--size", "80x16"]) == 0)
        #expect(run.output.contains("90.00\u{A0}USDT"))
        #expect(run.output.contains("169.00\u{A0}USDT"))
        #expect(!run.output.contains("gap"))
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func aTallTerminalShowsTheChart() {
        let tall = chartRun(height: 60)
        tall("show btcinr --currency quote")
        #expect(tall.output.contains("┤ 75,"))
        #expect(tall.output.contains("\nbtcinr  ₹") && !tall.output.contains("wazirx:"), "named as it was typed")
        #expect(!tall.output.contains("Trend: "))
        #expect(tall.output.split(separator: "\n").count <= 60)
        let low = chartRun(height: 24)
        low("show btcinr --currency quote")
        #expect(!low.output.contains("┤ 75,"))
    }

    @Test func theLinuxConsoleGetsASCII() {
        let run = chartRun()
        run.environment.variables["TERM"] = "linux"
        run("chart btcinr --since 1h --currency quote --size 80x12")
        #expect(run.output.contains("max INR 75,00,000.00 btc band"))
        #expect(run.output.utf8.allSatisfy { $0 < 0x80 })
        let list = Run(width: 100)
        list.environment.variables["TERM"] = "linux"
        list("list --currency quote")
        #expect(list.output.contains("INR 75,13,000.50") && list.output.utf8.allSatisfy { $0 < 0x80 })
    }
}

struct ChartPartTests {
    @Test func aThresholdFollowsTheLowestPriceOfTheWindow() throws {
        let terms = try #require(MoveTerms("rise 10% window 2m for 1m"))
        #expect(terms.window == .seconds(120) && terms.distance == 10 && terms.isPercent)
        let bars = [100.0, 90, 95, 96, 97].enumerated().map {
            ChartBar(time: Int64($0.offset) * 60_000, price: $0.element)
        }
        let rise = terms.threshold(bars, .rise).map { $0.close.rounded() }
        #expect(rise == [110, 99, 99, 99, 105])
        let fall = try #require(MoveTerms("fall 5 window 1m")).threshold(bars, .fall).map(\.close)
        #expect(fall == [95, 95, 90, 91, 92])
        for text in ["min 5", "rise x% window 5m", "rise 5%", "rise 5% window 0s", ""] {
            #expect(MoveTerms(text) == nil)
        }
    }

    /// It holds until the next price, as the daemon applies it.
    @Test func aThresholdIsDrawnInSteps() throws {
        let run = chartRun()
        let reader = PriceReader(connection: run.daemon, interval: .seconds(30))
        let request = try ChartRequest(Context(ParsedArgumentsFixture.empty, in: run.environment))
        let span = WallTime(milliseconds: Sample.now.milliseconds - 600_000)..<Sample.now
        let terms = try #require(MoveTerms("rise 10% window 2m"))
        let series = try reader.threshold(terms, .rise, "btcinr", in: span, request)
        #expect(series.style == .step && series.isThreshold && !series.bars.isEmpty)
    }

    @Test func collectedBarsAreBoundedAndKeepExtremes() {
        let span = WallTime(milliseconds: 0)..<WallTime(milliseconds: 100_000_000)
        var collector = BarCollector(span)
        for index in (0..<50_000).reversed() {
            collector.add(index == 777 ? 1_000 : Double(index % 7), at: Int64(index) * 2_000)
        }
        let series = collector.series("a", gap: .seconds(6))
        #expect(series.bars.count <= 4_001)
        #expect(series.bars.map(\.high).max() == 1_000)
        #expect(series.bars.first?.open == 0)
        #expect(series.bars == series.bars.sorted { $0.time < $1.time })
        let candles = series.candles(of: .seconds(10_000))
        #expect(candles.bars.count == 10)
        #expect(candles.bars[0].high == 1_000 && candles.bars[1].high == 6)
    }

    @Test func theClockFindsTheChangeOfZone() throws {
        let change = try #require(WallTime(rfc3339: "2026-10-25T01:00:00Z"))
        let span =
            WallTime(
                milliseconds: change.milliseconds - 40_000_000)..<WallTime(
                milliseconds: change.milliseconds + 7_000_000)
        let clock = ChartClock(span) { LocalZone(offsetSeconds: $0 < change ? 7_200 : 3_600, name: "") }
        guard case .local(let offsets) = clock else { return #expect(Bool(false)) }
        #expect(offsets.map(\.seconds) == [7_200, 3_600])
        #expect(abs(offsets[1].since.milliseconds - change.milliseconds) <= 60_000)
    }
}
