internal import Control
internal import Market
internal import Time

/// Prices drawn in one line, with a column for each share of the time; empty if there are fewer than two.
///
/// Each column shows the last price of its time. A column without a price shows the previous one, or stays blank if
/// prices are more than two columns apart: there was a gap. Points that cannot be read are left out.
func sparkline(_ points: [PricePoint], columns: Int, hasUnicode: Bool) -> String {
    let samples = points.compactMap(PlottedSample.init)
    guard let first = samples.first, let last = samples.last, samples.count > 1 else { return "" }
    let values = samples.map(\.value)
    guard let lowest = values.min(), let highest = values.max() else { return "" }
    let count = min(columns, samples.count)
    let length = max(1, last.time.since(first.time).count)
    let places = samples.map { sample in
        min(count - 1, max(0, Int(Double(sample.time.since(first.time).count) / Double(length) * Double(count))))
    }
    let levels = Array(hasUnicode ? "▁▂▃▄▅▆▇█" : "_.-:=+*#")
    var line = Array(repeating: Character(" "), count: count)
    for (index, place) in places.enumerated() {
        let share = highest > lowest ? (values[index] - lowest) / (highest - lowest) : 0.5
        let level = levels[Int(share * Double(levels.count - 1) + 0.5)]
        let next = index + 1 < places.count ? places[index + 1] : count
        let end = next - place <= 2 ? max(next, place + 1) : place + 1
        for column in place..<min(count, end) { line[column] = level }
    }
    return String(line)
}

private struct PlottedSample {
    var time: WallTime
    var value: Double

    init?(_ point: PricePoint) {
        guard let time = WallTime(rfc3339: point.time), let price = try? Price(point.price) else { return nil }
        self.time = time
        value = approximateValue(price)
    }
}

/// Precise enough for drawing only.
private func approximateValue(_ price: Price) -> Double {
    (0..<price.scale).reduce(Double(price.mantissa)) { value, _ in value / 10 }
}
