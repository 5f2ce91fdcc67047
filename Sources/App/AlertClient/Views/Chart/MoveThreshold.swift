internal import Charts
internal import Control
internal import Market
internal import Time

/// How far a price must move, and within which time: what the condition of a rule says.
struct MoveTerms: Equatable {
    let window: Milliseconds
    /// In percent of the lowest or highest price, or as an amount.
    let distance: Double
    let isPercent: Bool

    /// Reads `rise 5% window 10m`; nil for any other kind of condition.
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

    /// The threshold after each price: so far above the lowest, or below the highest, price of the window before it.
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
    /// The threshold of a rise or fall over time. An amount counts in the market's currency.
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
