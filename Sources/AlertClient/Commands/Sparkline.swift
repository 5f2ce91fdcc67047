internal import Market

/// The way of the prices in one line, oldest first, a level a column; empty when there are fewer than two.
///
/// Each column shows the last price of its share of them. Prices that are no numbers are left out.
func sparkline(_ prices: [String], columns: Int, hasUnicode: Bool) -> String {
    let values = prices.compactMap { try? Price($0) }.map(approximateValue)
    guard values.count > 1, let lowest = values.min(), let highest = values.max() else { return "" }
    let levels = Array(hasUnicode ? "▁▂▃▄▅▆▇█" : "_.-:=+*#")
    let count = min(columns, values.count)
    return String(
        (1...count).map { column in
            let value = values[column * values.count / count - 1]
            guard highest > lowest else { return levels[levels.count / 2] }
            return levels[Int((value - lowest) / (highest - lowest) * Double(levels.count - 1) + 0.5)]
        })
}

/// Near enough to draw with, and for nothing else.
private func approximateValue(_ price: Price) -> Double {
    (0..<price.scale).reduce(Double(price.mantissa)) { value, _ in value / 10 }
}
