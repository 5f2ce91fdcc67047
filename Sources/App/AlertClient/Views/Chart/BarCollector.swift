internal import Charts
internal import Market
internal import Time

/// A collector that aggregates any number of prices, in any order, into a bounded number of bars.
struct BarCollector {
    /// Maximum number of bars per symbol: 4,000 × 40 bytes = 160 kB.
    static let limit: Int64 = 4_000

    private let start: Int64
    private let step: Int64
    private var bars: [Int64: (bar: ChartBar, first: Int64, last: Int64)] = [:]

    /// Makes a collector for prices within a time span; others are ignored.
    init(_ span: Range<WallTime>) {
        start = span.lowerBound.milliseconds
        step = max(1, span.upperBound.since(span.lowerBound).count / Self.limit)
    }

    mutating func add(_ price: Double, at time: Int64) {
        let place = (time - start) / step
        guard time >= start, place <= Self.limit else { return }
        guard var entry = bars[place] else {
            bars[place] = (ChartBar(time: time, price: price), time, time)
            return
        }
        entry.bar.high = max(entry.bar.high, price)
        entry.bar.low = min(entry.bar.low, price)
        if time < entry.first { (entry.bar.open, entry.first, entry.bar.time) = (price, time, time) }
        if time >= entry.last { (entry.bar.close, entry.last) = (price, time) }
        bars[place] = entry
    }

    /// Returns the bars so far as a series. The line is interrupted between prices that are further apart than `gap`.
    func series(_ name: String, gap: Milliseconds) -> ChartSeries {
        let sorted = bars.values.map(\.bar).sorted { $0.time < $1.time }
        return ChartSeries(name: name, style: .line, bars: sorted, gap: max(gap, Milliseconds(step * 2)))
    }
}

extension ChartSeries {
    /// Aggregates the bars into candles of this length, which begin at multiples of it.
    func candles(of length: Milliseconds) -> ChartSeries {
        var candles: [ChartBar] = []
        var current: Int64?
        for bar in bars {
            let start = bar.time / length.count * length.count
            guard start == current else {
                var candle = bar
                candle.time = start
                candles.append(candle)
                current = start
                continue
            }
            candles[candles.count - 1].high = max(candles[candles.count - 1].high, bar.high)
            candles[candles.count - 1].low = min(candles[candles.count - 1].low, bar.low)
            candles[candles.count - 1].close = bar.close
        }
        return ChartSeries(
            name: name, style: .candles(length), bars: candles, gap: Milliseconds(length.count / 2 * 3))
    }
}
