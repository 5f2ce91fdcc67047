import Market
import Testing
import Time

@testable import Charts

/// Parts of a picture that depend on the values.
struct SVGTests {
    private func bars(_ prices: [Double], every step: Int64 = 300_000) -> [ChartBar] {
        prices.enumerated().map { ChartBar(time: ChartSample.start.milliseconds + Int64($0) * step, price: $1) }
    }

    private func svg(_ chart: Chart) -> String { chart.svg(width: 800, height: 400) }

    private func count(_ text: String, in picture: String) -> Int {
        picture.split(separator: text, omittingEmptySubsequences: false).count - 1
    }

    @Test func aTimeWithoutPricesIsHatched() {
        #expect(count("No prices for", in: svg(ChartSample.full)) == 1)
        #expect(svg(ChartSample.full).contains("No prices for 2h5m"))
        // The longest distance that is no gap.
        let near = ChartSample.chart([ChartSample.line(bars([1, 2], every: 600_000))])
        #expect(count("No prices for", in: svg(near)) == 0)
    }

    @Test func aBandIsDrawnUnlessItHasNoHeight() {
        var chart = ChartSample.full
        chart.bands = [ChartBand(low: 7_490_000, high: 7_510_000, label: "the band")]
        #expect(svg(chart).contains("class=\"band\""))
        chart.bands = [ChartBand(low: 7_500_000, high: 7_500_000, label: "the band")]
        #expect(!svg(chart).contains("class=\"band\""))
    }

    /// A price holds until the next one, so a step goes right before it goes up.
    @Test func stepsGoRightBeforeTheyGoUp() {
        let curve = { (style: ChartSeries.Style) in
            let series = ChartSample.line(self.bars([1, 2, 1]), style: style)
            return self.svg(ChartSample.chart([series])).split(separator: "\"").first { $0.hasPrefix("M") } ?? ""
        }
        #expect(curve(.step) != curve(.line) && curve(.step).count > curve(.line).count)
    }

    @Test func valuesAtTheEdgeDoNotCoverEachOther() {
        var chart = ChartSample.comparison
        let series = chart.series[0]
        chart.series = (0..<4).map { number in
            var one = series
            one.name = "s\(number)"
            return one
        }
        let drawing = SVGDrawing(chart, width: 800, height: 400, id: "c")
        let places = drawing.badgePlaces.map { $0.y }
        #expect(places.count == 4)
        for (upper, lower) in zip(places, places.dropFirst()) {
            #expect(lower - upper == 19 || lower == drawing.bottom - 2, "their height and a pixel")
        }
    }
}
