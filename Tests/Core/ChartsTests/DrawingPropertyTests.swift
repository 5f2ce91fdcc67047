import Diagnostics
import Foundation
import FoundationXML
import Market
import TestSupport
import Testing
import Time

@testable import Charts

/// What holds for every chart, tried with random ones.
struct DrawingPropertyTests {
    @Test(arguments: 0..<40)
    func extremesAreVisibleAndGapsAreNotBridged(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let chart = ChartSample.random(&random)
        let symbols = SymbolSet.allCases[Int.random(in: 0...2, using: &random)]
        let (width, height) = (Int.random(in: 30...200, using: &random), Int.random(in: 8...50, using: &random))
        var drawing = CellDrawing(chart, width: width, height: height, symbols)
        var canvas = DotCanvas(columns: drawing.columns.count, rows: drawing.rows.count, symbols)
        canvas.draw(chart.series[0], 0, of: drawing.plot)
        canvas.draw(on: &drawing.grid, row: drawing.rows.lowerBound, column: 0)
        guard let range = ValueRange(chart.series[0], in: chart.span) else { return }
        for (value, time) in [(range.low, range.lowTime), (range.high, range.highTime)] {
            let row = drawing.row(drawing.plot.shown(value, series: 0))
            #expect(drawing.grid[row, drawing.column(time)].ink == .series(0))
        }
        let inside = chart.series[0].bars.filter { chart.span.contains(WallTime(milliseconds: $0.time)) }
        for (bar, next) in zip(inside, inside.dropFirst()) where next.time - bar.time > chart.series[0].gap.count {
            for column in drawing.column(bar.time) + 1..<max(drawing.column(bar.time) + 1, drawing.column(next.time)) {
                for row in drawing.rows { #expect(drawing.grid[row, column] == .blank) }
            }
        }
    }

    @Test(arguments: 0..<20)
    func noPointOfAPictureIsOutside(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let chart = ChartSample.random(&random)
        let (width, height) = (Int.random(in: 160...2_000, using: &random), Int.random(in: 160...1_000, using: &random))
        let drawing = SVGDrawing(chart, width: width, height: height, id: "a")
        let text = chart.svg(width: width, height: height)
        for path in text.matches(of: /d="([^"]*)"/) {
            for point in path.output.1.matches(of: /[ML]([-0-9.]+) ([-0-9.]+)/) {
                let (x, y) = (try #require(Double(point.output.1)), try #require(Double(point.output.2)))
                #expect(x >= drawing.left - 0.05 && x <= drawing.right + 0.05)
                #expect(y >= drawing.top - 0.05 && y <= drawing.bottom + 0.05)
            }
        }
    }

    /// Whatever a daemon or a file says, drawing ends, and stays in its rectangle.
    @Test func hostileChartsAreDrawn() throws {
        let values: [Double] = [
            0, -1, .nan, .infinity, -.infinity, 1e300, Double.leastNonzeroMagnitude, 1e-19, .greatestFiniteMagnitude,
            7.5,
        ]
        let times: [Int64] = [.min, .max, 0, -1, ChartSample.start.milliseconds, ChartSample.start.milliseconds + 1]
        var random = SplitMix(seed: 3)
        for _ in 0..<300 {
            let bars = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                ChartBar(
                    time: times.randomElement(using: &random) ?? 0, open: values.randomElement(using: &random) ?? 0,
                    high: values.randomElement(using: &random) ?? 0, low: values.randomElement(using: &random) ?? 0,
                    close: values.randomElement(using: &random) ?? 0)
            }.sorted { $0.time < $1.time }
            let styles: [ChartSeries.Style] = [
                .line, .step, .area, .candles(.seconds(3_600)), .candles(Milliseconds(.max)),
            ]
            let ends = [times.randomElement(using: &random) ?? 0, times.randomElement(using: &random) ?? 0].sorted()
            var chart = Chart(
                title: "\u{1B}[2J<&>\"\u{202E}日本", rangeText: "\n",
                series: [ChartSample.line(bars, style: styles.randomElement(using: &random) ?? .line)],
                span: WallTime(milliseconds: ends[0])..<WallTime(milliseconds: ends[1]), unit: .plain, clock: .utc)
            chart.limits = values.map { LimitLine(.upper, at: $0, label: "<max>\u{7}", clear: $0) }
            chart.bands = [ChartBand(low: values.randomElement(using: &random) ?? 0, high: 1, label: "]]>")]
            chart.markers = [
                ChartMarker(.fired, at: WallTime(milliseconds: ends[0]), value: .nan, text: "--"),
                ChartMarker(.notice, at: WallTime(milliseconds: ends[1]), value: 1e300, text: "&amp;"),
            ]
            chart.isLogarithmic = Bool.random(using: &random)
            chart.isRelative = Bool.random(using: &random)
            let size = Int.random(in: -1...120, using: &random)
            let grid = chart.cells(width: size, height: size / 3, symbols: .braille)
            let lines = grid.lines(Palette(.none))
            #expect(lines.allSatisfy { columnWidth(of: $0) <= max(1, size) && !$0.contains("\u{1B}") })
            let text = chart.svg(width: size * 10, height: size)
            let parser = XMLParser(data: Data(text.utf8))
            #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "") in \(text)")
        }
    }

    @Test func linesHaveNoMoreColoursThanTheTerminal() {
        let grid = ChartSample.full.cells(width: 80, height: 20, symbols: .braille)
        #expect(!grid.lines(Palette(.sixteen)).joined().contains("38;"))
        #expect(!grid.lines(Palette(.many)).joined().contains("38;2;"))
        #expect(grid.lines(Palette(.full)).joined().contains("38;2;"))
        for depth in ColorDepth.allCases {
            for line in grid.lines(Palette(depth)) {
                let sequences = line.matches(of: /\u{1B}\[([0-9;]*)m/).map(\.output.1)
                #expect(depth == .none ? sequences.isEmpty : sequences.last.map { $0 == "0" } ?? true)
            }
        }
    }

    @Test func depthFollowsTheEnvironment() {
        #expect(ColorDepth(term: "xterm-256color", colorterm: "truecolor") == .full)
        #expect(ColorDepth(term: "screen-256color", colorterm: nil) == .many)
        #expect(ColorDepth(term: "xterm-direct", colorterm: "") == .full)
        #expect(ColorDepth(term: "linux", colorterm: nil) == .sixteen)
    }
}
