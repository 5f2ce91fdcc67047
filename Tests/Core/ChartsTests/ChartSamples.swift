import Foundation
import Market
import TestSupport
import Time

@testable import Charts

/// Charts for tests; the same on each run.
enum ChartSample {
    static let start = WallTime(rfc3339: "2026-11-21T00:00:00Z") ?? WallTime(milliseconds: 0)
    static let day: Int64 = 86_400_000

    /// A random walk of `count` equal steps over a day.
    static func bars(_ count: Int, from price: Double = 7_500_000, seed: UInt64 = 1) -> [ChartBar] {
        var random = SplitMix(seed: seed)
        var value = price
        return (0..<count).map { index in
            value *= 1 + (Double(random.next() % 2_001) - 1_000) / 1_000_000
            return ChartBar(time: start.milliseconds + Int64(index) * day / Int64(count), price: value.rounded())
        }
    }

    static func span(milliseconds: Int64 = day) -> Range<WallTime> {
        start..<WallTime(milliseconds: start.milliseconds + milliseconds)
    }

    static func chart(_ series: [ChartSeries]) -> Chart {
        Chart(
            title: "btcinr", rangeText: "24h", series: series, span: span(),
            unit: Currency("INR").map { .money($0, isConverted: false) } ?? .plain, clock: .utc)
    }

    static func line(_ bars: [ChartBar], style: ChartSeries.Style = .line) -> ChartSeries {
        ChartSeries(name: "btcinr", style: style, bars: bars, gap: .seconds(600))
    }

    /// A day of a market with limits, an alert that fired and resolved, and a gap of two hours.
    static var full: Chart {
        let all = bars(288)
        let bars = Array(all[..<120] + all[144...])
        var chart = chart([line(bars)])
        chart.limits = [
            LimitLine(.upper, at: 7_520_000, label: "max ₹75,20,000.00 bitcoin band", clear: 7_510_000),
            LimitLine(.lower, at: 4_800_000, label: "min ₹48,00,000.00 bitcoin band"),
        ]
        chart.limits[0].isFiring = true
        let fired = bars.first { $0.close >= 7_520_000 } ?? bars[0]
        chart.markers = [
            ChartMarker(
                .fired, at: WallTime(milliseconds: fired.time), value: fired.close, text: "FIRED bitcoin band"),
            ChartMarker(
                .resolved, at: WallTime(milliseconds: bars[80].time), value: bars[80].close, text: "RESOLVED"),
        ]
        return chart
    }

    static var candles: Chart {
        let all = bars(288)
        let hours = stride(from: 0, to: 288, by: 12).map { first -> ChartBar in
            let part = all[first..<first + 12]
            return ChartBar(
                time: all[first].time, open: all[first].open, high: part.map(\.high).max() ?? 0,
                low: part.map(\.low).min() ?? 0, close: all[first + 11].close)
        }
        var series = line(hours, style: .candles(.seconds(3_600)))
        series.gap = .seconds(5_400)
        return chart([series])
    }

    static var comparison: Chart {
        var chart = chart([
            ChartSeries(name: "btcinr", style: .line, bars: bars(288), gap: .seconds(600)),
            ChartSeries(name: "ethinr", style: .line, bars: bars(288, from: 250_000, seed: 5), gap: .seconds(600)),
            ChartSeries(name: "solinr", style: .line, bars: bars(288, from: 12_000, seed: 9), gap: .seconds(600)),
        ])
        chart.title = "btcinr, ethinr, solinr"
        chart.isRelative = true
        return chart
    }

    /// A walk with steps of very different sizes and now and then a gap, drawn in one of the given ways.
    static func random(
        _ random: inout SplitMix, styles: [ChartSeries.Style] = [.line, .step], isPlain: Bool = false
    ) -> Chart {
        var time = start.milliseconds - 3_600_000
        var price = pow(10, Double.random(in: -8...8, using: &random))
        let bars = (0..<Int.random(in: 1...2_000, using: &random)).map { _ in
            time += Int64.random(in: 1_000...(Bool.random(using: &random) ? 60_000 : 120_000), using: &random)
            if Int.random(in: 0..<100, using: &random) == 0 { time += 5_400_000 }
            price *= Int.random(in: 0..<50, using: &random) == 0 ? Double.random(in: 0.5...2, using: &random) : 1.0001
            return ChartBar(time: time, price: price)
        }
        var chart = chart([line(bars, style: styles.randomElement(using: &random) ?? .line)])
        guard !isPlain else { return chart }
        chart.isLogarithmic = Bool.random(using: &random)
        chart.isRelative = Bool.random(using: &random)
        return chart
    }
}
