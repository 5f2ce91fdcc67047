internal import Charts
internal import Control
internal import Market
internal import Time

/// The condition of a rise, fall or move rule: a distance within a time window.
struct MoveTerms: Equatable {
    let window: Milliseconds
    /// The distance: a percentage of the lowest or highest price, or an amount.
    let distance: Double
    let isPercent: Bool

    /// Parses a condition such as `rise 5% window 10m`; nil for other kinds of conditions.
    init?(_ condition: String) {
        let words = condition.split(separator: " ").map(String.init)
        guard words.count >= 4, ["rise", "fall", "move"].contains(words[0]), words[2] == "window",
            let window = Milliseconds(words[3]), window > .zero
        else { return nil }
        isPercent = words[1].hasSuffix("%")
        guard let number = try? Price(isPercent ? String(words[1].dropLast()) : words[1]) else { return nil }
        self.window = window
        distance = number.approximate
    }

    /// Returns the threshold at each bar: the distance above the lowest price of the window that ends there, or below
    /// the highest price.
    func threshold(_ bars: [ChartBar], _ bound: ControlInterface.Bound) -> [ChartBar] {
        let isRise = bound == .rise
        var candidates: [ChartBar] = []
        var first = 0
        return bars.map { bar in
            let value = isRise ? bar.low : bar.high
            while candidates.count > first, let last = candidates.last,
                isRise ? last.low >= value : last.high <= value
            {
                candidates.removeLast()
            }
            candidates.append(bar)
            while candidates[first].time < bar.time - window.count { first += 1 }
            let base = isRise ? candidates[first].low : candidates[first].high
            let way = isPercent ? base * distance / 100 : distance
            return ChartBar(time: bar.time, price: isRise ? base + way : base - way)
        }
    }
}

extension PriceReader {
    /// Returns the threshold of a rise or fall over time. An amount is in the market's currency.
    func threshold(
        _ terms: MoveTerms, _ bound: ControlInterface.Bound, _ symbol: String, in span: Range<WallTime>,
        _ request: ChartRequest
    ) throws(ClientError) -> ChartSeries {
        let start = WallTime(milliseconds: span.lowerBound.milliseconds - terms.window.count)
        var series = try line(symbol, in: start..<span.upperBound, columns: LiveCharts.pointLimit)
        series.bars = terms.threshold(series.bars, bound)
        series.style = .step
        series.isThreshold = true
        return series
    }
}
