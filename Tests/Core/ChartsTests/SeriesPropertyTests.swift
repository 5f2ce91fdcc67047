import Foundation
import TestSupport
import Testing
import Time

@testable import Charts

/// What holds for every series, whatever its prices and however many there are.
struct SeriesPropertyTests {
    private static let styles: [ChartSeries.Style] = [.line, .step, .area, .candles(.seconds(900))]

    /// The bars of the main series in the span of the chart.
    private func bars(_ chart: Chart) -> [ChartBar] {
        let span = chart.span.lowerBound.milliseconds...chart.span.upperBound.milliseconds
        return chart.series[0].bars.filter { span.contains($0.time) }
    }

    @Test(arguments: 0..<30)
    func columnsHaveTheExtremesOfTheirBars(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let chart = ChartSample.random(&random, isPlain: true)
        let count = Int.random(in: 1...400, using: &random)
        let columns = plotColumns(chart.series[0], in: chart.span, count: count)
        #expect(columns.count == count)
        let (start, end) = (chart.span.lowerBound.milliseconds, chart.span.upperBound.milliseconds)
        let groups = Dictionary(grouping: bars(chart)) {
            min(count - 1, Int(Double($0.time - start) / Double(end - start) * Double(count)))
        }
        var last: Int64?
        for (place, column) in columns.enumerated() {
            let group = groups[place]
            #expect((column == nil) == (group == nil))
            guard let column, let group, let first = group.first, let final = group.last else { continue }
            #expect(column.low == group.map(\.low).min() && column.high == group.map(\.high).max())
            #expect(column.first == first.open && column.last == final.close)
            #expect(column.isJoined == last.map { first.time - $0 <= chart.series[0].gap.count } ?? false)
            last = final.time
        }
    }

    /// In a terminal, curves and candles stay in the plot.
    @Test(arguments: 0..<30)
    func noDotIsOutsideOfThePlot(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let chart = ChartSample.random(&random, styles: Self.styles)
        let symbols = SymbolSet.allCases[Int(seed % 3)]
        let (width, height) = (Int.random(in: 24...200, using: &random), Int.random(in: 6...50, using: &random))
        var drawing = CellDrawing(chart, width: width, height: height, symbols)
        let (rows, columns) = (drawing.rows, drawing.columns)
        if case .candles(let length) = chart.series[0].style {
            drawing.drawCandles(chart.series[0], length)
        } else {
            var canvas = DotCanvas(columns: columns.count, rows: rows.count, symbols)
            canvas.draw(chart.series[0], 0, of: drawing.plot)
            canvas.draw(on: &drawing.grid, row: rows.lowerBound, column: columns.lowerBound)
        }
        var drawn = 0
        for row in 0..<height {
            for column in 0..<width where drawing.grid[row, column] != .blank {
                #expect(rows.contains(row) && columns.contains(column), "\(row), \(column)")
                drawn += 1
            }
        }
        #expect((drawn > 0) == !bars(chart).isEmpty)
    }

    /// In a picture, the highest and the lowest price are on the curve, and no line crosses a gap.
    @Test(arguments: 0..<30)
    func curvesOfPicturesKeepExtremesAndGaps(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let chart = ChartSample.random(&random)
        let (width, height) = (Int.random(in: 160...2_000, using: &random), Int.random(in: 160...900, using: &random))
        let drawing = SVGDrawing(chart, width: width, height: height, id: "a")
        let text = chart.svg(width: width, height: height)
        guard let range = ValueRange(chart.series[0], in: chart.span) else { return }
        let path = try #require(text.firstMatch(of: /class="curve s0" d="([^"]*)"/)).output.1
        var segments: [(Double, Double)] = []
        var heights: Set<Double> = []
        var last: Double?
        for point in path.matches(of: /([ML])([-0-9.]+) ([-0-9.]+)/) {
            let (x, y) = (try #require(Double(point.output.2)), try #require(Double(point.output.3)))
            if point.output.1 == "L", let last { segments.append((last, x)) }
            heights.insert(y)
            last = x
        }
        for value in [range.low, range.high] {
            #expect(heights.contains { abs($0 - drawing.y(value)) <= 0.06 }, "\(value) is not on the curve")
        }
        let inside = bars(chart)
        for (bar, next) in zip(inside, inside.dropFirst()) where next.time - bar.time > chart.series[0].gap.count {
            let (from, to) = (drawing.x(bar.time), drawing.x(next.time))
            // Narrower than two pixels it cannot be seen.
            guard to - from > 2 else { continue }
            #expect(!segments.contains { $0.0 <= from + 0.06 && $0.1 >= to - 0.06 }, "the gap at \(from) is bridged")
        }
    }

    /// Candles, areas, limits and markers are inside, too.
    @Test(arguments: 0..<30)
    func everythingInAPictureIsInside(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var chart = ChartSample.random(&random, styles: Self.styles)
        let prices = bars(chart).map(\.close)
        let price = prices.first ?? 1
        chart.limits = (0..<4).map { LimitLine(.upper, at: price * (0.8 + Double($0) * 0.15), label: "max \($0)") }
        chart.limits[0].clear = price * 0.79
        chart.limits[3].isRequired = true
        chart.bands = [ChartBand(low: price * 0.5, high: price * 3, label: "zone")]
        chart.markers = bars(chart).enumerated().filter { $0.offset % 40 == 0 }.map { index, bar in
            ChartMarker(
                ChartMarker.Kind.allCases[index / 40 % 3], at: WallTime(milliseconds: bar.time), value: bar.close,
                text: "event")
        }
        let (width, height) = (Int.random(in: 200...2_000, using: &random), Int.random(in: 160...900, using: &random))
        let text = chart.svg(width: width, height: height)
        let numbers = { (pattern: Regex<(Substring, Substring)>) in
            text.matches(of: pattern).compactMap { Double($0.output.1) }
        }
        let across = numbers(/\ (?:x|x1|x2|cx)="([-0-9.]+)"/)
        let down = numbers(/\ (?:y|y1|y2|cy)="([-0-9.]+)"/)
        #expect(across.filter { $0 < 0 || $0 > Double(width) } == [], "\(width) pixels wide")
        #expect(down.filter { $0 < 0 || $0 > Double(height) } == [], "\(height) pixels high")
        for rectangle in text.matches(of: /<rect [^>]*x="([-0-9.]+)"[^>]*width="([-0-9.]+)"/) {
            let (x, size) = (try #require(Double(rectangle.output.1)), try #require(Double(rectangle.output.2)))
            #expect(size >= 0 && x + size <= Double(width) + 0.1)
        }
    }

    /// The same value is the same bytes, and nothing of it depends on a hash.
    @Test(arguments: 0..<10)
    func theSameChartIsTheSameBytes(seed: UInt64) {
        let picture = {
            var random = SplitMix(seed: seed)
            return ChartSample.random(&random, styles: Self.styles).svg(width: 700, height: 300)
        }
        #expect(picture() == picture())
    }

    /// Percentages do not depend on the unit: a thousand times the price is the same drawing.
    @Test(arguments: 0..<10)
    func relativeChartsDoNotDependOnTheUnit(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var chart = ChartSample.random(&random, isPlain: true)
        chart.isRelative = true
        chart.unit = .plain
        var other = chart
        // A power of two, so that no digit is lost.
        for index in other.series[0].bars.indices {
            let bar = other.series[0].bars[index]
            other.series[0].bars[index] = ChartBar(time: bar.time, price: bar.close * 1_024)
        }
        let rows = { (chart: Chart) in chart.cells(width: 90, height: 20, symbols: .braille).plainLines.dropFirst() }
        #expect(rows(chart) == rows(other))
        let plot = Plot(chart)
        if let range = ValueRange(chart.series[0], in: chart.span) {
            #expect(plot.shown(range.first, series: 0) == 0)
            #expect(abs(plot.shown(range.first * 2, series: 0) - 100) < 1e-9)
        }
    }

    /// On a logarithmic axis, equal ratios are equally far apart; on a linear one, equal differences.
    @Test(arguments: 0..<20)
    func scalesAreLinearOrLogarithmic(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let low = pow(10, Double.random(in: -8...8, using: &random))
        let high = low * Double.random(in: 1.01...1_000, using: &random)
        for isLogarithmic in [false, true] {
            let scale = ValueScale(low, high, isLogarithmic: isLogarithmic)
            #expect(scale.share(low) == 0 && scale.share(high) == 1)
            let middle = isLogarithmic ? (low * high).squareRoot() : (low + high) / 2
            #expect(abs(scale.share(middle) - 0.5) < 1e-9)
            let values = (0...50).map { low + (high - low) * Double($0) / 50 }
            #expect(zip(values, values.dropFirst()).allSatisfy { scale.share($0) < scale.share($1) })
            #expect(scale.share(low / 2) == 0 && scale.share(high * 2) == 1)
        }
    }
}
