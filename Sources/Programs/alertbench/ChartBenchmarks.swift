import Charts
import Market
import Time

/// Measures how long it takes to draw a month of prices, without reading them.
func chartBenchmarks() throws -> [Row] {
    guard let rupee = Currency("INR") else { throw BenchmarkError(message: "INR is not a currency") }
    let start: Int64 = 1_700_000_000_000
    var price = 7_500_000.0
    let bars = (0..<Int64(86_400)).map { poll in
        price *= 1 + Double(poll &* 7_919 % 2_001 - 1_000) / 1_000_000
        return ChartBar(time: start + poll * 30_000, price: price)
    }
    let series = ChartSeries(name: "btcinr", style: .line, bars: bars, gap: .seconds(90))
    let span = WallTime(milliseconds: start)..<WallTime(milliseconds: start + 30 * 86_400_000)
    let chart = Chart(
        title: "btcinr", rangeText: "30d", series: [series], span: span, unit: .money(rupee, isConverted: false),
        clock: .utc)
    let cells = timed(calls: 10) { _ = chart.cells(width: 200, height: 50, symbols: .braille) }
    let picture = timed(calls: 10) { _ = chart.svg(width: 1_000, height: 400, hasStyle: false) }
    return [
        Row(
            name: "30 days of prices drawn in 200 columns", figure: readable(cells), reference: "-", ratio: nil,
            goal: "at most 2 ms"),
        Row(
            name: "the same as SVG, 1,000 pixels wide", figure: readable(picture), reference: "-", ratio: nil,
            goal: "at most 5 ms"),
    ]
}
