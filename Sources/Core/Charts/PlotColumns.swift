internal import Time

/// The prices of a series in one column of a drawing.
struct PlotColumn: Equatable {
    var first: Double
    var low: Double
    var high: Double
    var last: Double
    /// The times of the first and the last price, in milliseconds since 1970.
    var begin: Int64
    var end: Int64
    /// True if there is no gap between this column and the previous one with prices.
    var isJoined: Bool
}

/// Divides a series into `count` columns, which must be greater than 0. A column without a price is nil. The other
/// columns contain their lowest and highest prices, so that no extreme is lost, however many prices there are.
func plotColumns(_ series: ChartSeries, in span: Range<WallTime>, count: Int) -> [PlotColumn?] {
    var columns = [PlotColumn?](repeating: nil, count: count)
    let (start, end) = (span.lowerBound.milliseconds, span.upperBound.milliseconds)
    let perMillisecond = Double(count) / Double(end - start)
    var current: PlotColumn?
    var place = -1
    var isFirst = true
    for (index, bar) in series.bars.enumerated() where bar.time >= start && bar.time <= end && bar.isFinite {
        let column = min(count - 1, max(0, Int(Double(bar.time - start) * perMillisecond)))
        if column == place, current != nil {
            if bar.low < current?.low ?? 0 { current?.low = bar.low }
            if bar.high > current?.high ?? 0 { current?.high = bar.high }
            current?.last = bar.close
            current?.end = bar.time
        } else {
            if place >= 0 { columns[place] = current }
            let isJoined = !isFirst && !series.hasGap(before: index)
            current = PlotColumn(
                first: bar.open, low: bar.low, high: bar.high, last: bar.close, begin: bar.time, end: bar.time,
                isJoined: isJoined)
            place = column
        }
        isFirst = false
    }
    if place >= 0 { columns[place] = current }
    return columns
}
