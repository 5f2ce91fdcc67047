package import Time

/// Draws prices as one line of text that covers the span. Returns an empty text unless at least two columns have a
/// price.
///
/// Each column shows its last price. A column without a price repeats the previous column, or stays blank in a gap.
package func sparkline(_ series: ChartSeries, in span: Range<WallTime>, columns: Int, hasUnicode: Bool) -> String {
    guard !span.isEmpty, columns > 0 else { return "" }
    let found = plotColumns(series, in: span, count: min(columns, 1_000))
    let values = found.compactMap(\.?.last)
    guard let lowest = values.min(), let highest = values.max(), values.count > 1 else { return "" }
    let levels = Array(hasUnicode ? "▁▂▃▄▅▆▇█" : "_.-:=+*#")
    var line = Array(repeating: Character(" "), count: found.count)
    var previous: Int?
    for (place, column) in found.enumerated() {
        guard let column else { continue }
        let share = highest > lowest ? (column.last - lowest) / (highest - lowest) : 0.5
        if let previous, column.isJoined {
            for between in previous + 1..<max(previous + 1, place) { line[between] = line[previous] }
        }
        line[place] = levels[Int(share * Double(levels.count - 1) + 0.5)]
        previous = place
    }
    return String(line)
}
