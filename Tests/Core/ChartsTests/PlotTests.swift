import Market
import Testing
import Time

@testable import Charts

struct PlotTests {
    @Test func aNearLimitIsInViewAndAFarOneIsNamedAtTheEdge() {
        let plot = Plot(ChartSample.full)
        #expect(plot.limits.map(\.value) == [7_520_000])
        #expect(plot.hidden.map(\.line.value) == [4_800_000])
        #expect(plot.hidden.first?.isAbove == false)
        let lines = ChartSample.full.cells(width: 80, height: 20, symbols: .braille).plainLines
        #expect(lines.contains { $0.contains("↓ min ₹48,00,000.00 bitcoin band") })
    }

    @Test func aRequiredLimitIsInViewHoweverFar() {
        var chart = ChartSample.full
        chart.limits[1].isRequired = true
        let plot = Plot(chart)
        #expect(plot.hidden.isEmpty)
        #expect(plot.scale.low < 4_800_000)
    }

    @Test func pricesKeepMuchOfTheHeight() {
        var chart = ChartSample.full
        chart.limits = (0..<40).map { LimitLine(.upper, at: 7_560_000 + Double($0) * 20_000, label: "max \($0)") }
        let plot = Plot(chart)
        let range = ValueRange(chart.series[0], in: chart.span)
        let share = ((range?.high ?? 0) - (range?.low ?? 0)) / (plot.scale.high - plot.scale.low)
        #expect(share > 0.3 && !plot.limits.isEmpty && !plot.hidden.isEmpty)
    }

    @Test func relativeSeriesBeginAtZero() {
        let chart = ChartSample.comparison
        let plot = Plot(chart)
        for (index, series) in chart.series.enumerated() {
            #expect(plot.shown(series.bars[0].open, series: index) == 0)
        }
        #expect(plot.scale.low < 0 && plot.scale.high > 0)
    }

    @Test func aFlatLineIsInTheMiddle() {
        let bars = (0..<10).map { ChartBar(time: ChartSample.start.milliseconds + $0 * 60_000, price: 5) }
        let plot = Plot(ChartSample.chart([ChartSample.line(bars)]))
        #expect(abs(plot.share(5) - 0.5) < 1e-9)
    }

    @Test func logarithmicHeightsAreRatios() {
        var chart = ChartSample.chart([
            ChartSample.line(
                [1, 10, 100].enumerated().map {
                    ChartBar(time: ChartSample.start.milliseconds + Int64($0.offset) * 60_000, price: $0.element)
                })
        ])
        chart.isLogarithmic = true
        let plot = Plot(chart)
        #expect(abs((plot.share(100) - plot.share(10)) - (plot.share(10) - plot.share(1))) < 1e-9)
        chart.series[0].bars[0].low = -1
        #expect(!Plot(chart).scale.isLogarithmic)
    }

    @Test func theCaptionSaysWhatIsDrawn() {
        let caption = ChartSample.full.caption()
        #expect(caption.hasPrefix("btcinr, Nov 21 00:00 to Nov 22 00:00. First ₹75,05,115.00"))
        #expect(caption.contains("last ₹74,95,755.00 (-0.12%)"))
        #expect(caption.contains("1 gap, 2h5m in total."))
        #expect(caption.contains("max ₹75,20,000.00 bitcoin band (firing); min ₹48,00,000.00 bitcoin band."))
        #expect(caption.hasSuffix("Events: 1 fired, 1 resolved."))
        var plain = ChartSample.full
        plain.statesChange = false
        #expect(plain.caption() == caption.replacing(" (-0.12%)", with: ""))
        #expect(ChartSample.full.caption(hasUnicode: false).contains("INR 74,95,755.00"))
    }

    @Test func sparklinesKeepGaps() {
        let text = { (bars: [ChartBar]) in
            sparkline(ChartSample.line(bars), in: ChartSample.span(), columns: 12, hasUnicode: true)
        }
        let rising = (0..<24).map { ChartBar(time: ChartSample.start.milliseconds + $0 * 3_600_000, price: Double($0)) }
        var series = ChartSample.line(rising)
        series.gap = .seconds(3_600)
        #expect(sparkline(series, in: ChartSample.span(), columns: 8, hasUnicode: true) == "▁▂▃▄▅▆▇█")
        #expect(sparkline(series, in: ChartSample.span(), columns: 8, hasUnicode: false) == "_.-:=+*#")
        series.bars.removeSubrange(6..<18)
        #expect(sparkline(series, in: ChartSample.span(), columns: 8, hasUnicode: true) == "▁▂    ▇█")
        #expect(text([]).isEmpty && text(Array(rising.prefix(1))).isEmpty)
    }

    @Test func oneSeriesInPercentKeepsItsLimits() {
        var chart = ChartSample.full
        chart.isRelative = true
        #expect(!Plot(chart).limits.isEmpty)
        var two = ChartSample.comparison
        two.limits = [LimitLine(.upper, at: two.series[0].bars[0].open, label: "max")]
        #expect(Plot(two).limits.isEmpty && Plot(two).hidden.isEmpty)
    }

    @Test func theFirstOfEqualExtremesCounts() {
        let start = ChartSample.start.milliseconds
        let bars = [2.0, 1, 3, 1, 3].enumerated().map { ChartBar(time: start + Int64($0) * 600_000, price: $1) }
        let range = ValueRange(ChartSample.line(bars), in: ChartSample.span())
        #expect(range?.lowTime == bars[1].time && range?.highTime == bars[2].time)
        // Ten minutes is the longest distance that is no gap.
        #expect(range?.gaps == 0)
        let late = bars.dropLast() + [ChartBar(time: bars[4].time + 1, price: 3)]
        let gapped = ValueRange(ChartSample.line(Array(late)), in: ChartSample.span())
        #expect(gapped?.gaps == 1 && gapped?.gapLength == 600_001)
    }

    @Test func theColorsOfSeriesRepeat() {
        for depth in [ColorDepth.sixteen, .many, .full] {
            let colors = (0..<12).map { Palette(depth).parameters(.series($0), isReversed: false) }
            #expect(Set(colors.prefix(6)).count == 6)
            #expect(Array(colors.prefix(6)) == Array(colors.suffix(6)))
            #expect(Palette(depth).parameters(.series(-1), isReversed: false) == colors[5])
        }
    }
}
