import Testing

@testable import Charts

/// Zones: a shaded band with a line at each end, which has one label wherever it is.
struct BandTests {
    /// The prices of the sample are near 7,500,000; ends that are far away are not in view.
    private func chart(_ low: Double, _ high: Double, isFiring: Bool = false) -> Chart {
        var chart = ChartSample.full
        var band = ChartBand(low: low, high: high, label: "within zone")
        band.isFiring = isFiring
        chart.bands = [band]
        chart.limits = [low, high].map { LimitLine(.crossing, at: $0, label: "") }
        return chart
    }

    private func cells(_ chart: Chart) -> String {
        chart.cells(width: 80, height: 20, symbols: .braille).plainLines.joined(separator: "\n")
    }

    private func count(_ text: String, in drawing: String) -> Int {
        drawing.split(separator: text, omittingEmptySubsequences: false).count - 1
    }

    @Test(arguments: [(7_490_000.0, 7_510_000.0), (1_000_000, 9_000_000), (7_490_000, 9_000_000)])
    func aBandInViewIsNamedOnceAndHasNoOtherLabels(low: Double, high: Double) {
        let chart = chart(low, high)
        #expect(count("within zone", in: cells(chart)) == 1)
        #expect(!cells(chart).contains("↑") && !cells(chart).contains("↓"))
        #expect(cells(chart).contains("░"))
        // The halo behind the text, the text, the title of the shading, and the description.
        let picture = chart.svg(width: 800, height: 400)
        #expect(count(">within zone<", in: picture) == 3)
        #expect(!picture.contains("↑ ") && !picture.contains("↓ "))
    }

    @Test(arguments: [(9_000_000.0, 9_500_000.0, "↑"), (4_000_000, 5_000_000, "↓")])
    func aBandOutsideIsNamedAtTheEdge(low: Double, high: Double, arrow: String) {
        let chart = chart(low, high, isFiring: true)
        #expect(cells(chart).contains("\(arrow) within zone"))
        #expect(!cells(chart).contains("░"))
        let picture = chart.svg(width: 800, height: 400)
        #expect(picture.contains("\(arrow) within zone"))
    }

    @Test func theLabelIsInTheMiddleOfWhatIsSeen() throws {
        let plot = Plot(chart(7_490_000, 9_000_000))
        let label = try #require(plot.bandLabels.first)
        #expect(plot.bandLabels.count == 1)
        #expect(label.middle == 7_490_000 + (plot.scale.high - 7_490_000) / 2)
    }

    @Test func oneThatFiresSaysSo() {
        let chart = chart(7_490_000, 7_510_000, isFiring: true)
        #expect(cells(chart).contains("● within zone"))
        #expect(chart.svg(width: 800, height: 400).contains(">● within zone<"))
        #expect(chart.caption().contains("Limits: within zone (firing)."))
        #expect(self.chart(7_490_000, 7_510_000).caption().contains("Limits: within zone."))
    }

    @Test func amongPercentagesOfSeveralSeriesItHasNoPlace() {
        var chart = ChartSample.comparison
        chart.bands = [ChartBand(low: -1, high: 1, label: "within zone")]
        #expect(!cells(chart).contains("within zone") && !cells(chart).contains("░"))
        #expect(!chart.svg(width: 800, height: 400).contains("class=\"band\""))
    }
}
