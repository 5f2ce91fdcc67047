internal import Time

/// The part of a drawing that does not depend on its format: the values as shown, and the limits and bands in view.
struct Plot {
    /// A limit whose line is out of view, because showing it would flatten the prices too much.
    struct HiddenLimit: Equatable {
        var line: LimitLine
        var isAbove: Bool
    }

    /// The label of a limit or a band.
    struct Label: Equatable {
        var text: String
        var isFiring: Bool
    }

    /// The minimum share of the height for the prices.
    private static let leastShare = 0.4
    /// The space above and below the values in view, as a share of their range.
    private static let margin = 0.06

    let chart: Chart
    let scale: ValueScale
    /// The limits in view.
    let limits: [LimitLine]
    let hidden: [HiddenLimit]
    let bands: [ChartBand]
    /// The values of each series in the span; nil if it has no price there.
    let ranges: [ValueRange?]
    /// True if the span has no price, so that there is nothing to draw.
    let isEmpty: Bool
    /// The value that each series is relative to; empty if values are shown unchanged.
    private let bases: [Double]

    init(_ chart: Chart) {
        self.chart = chart
        let ranges = chart.series.map { ValueRange($0, in: chart.span) }
        self.ranges = ranges
        bases = chart.isRelative ? ranges.map { $0?.first ?? 1 } : []
        var range: (low: Double, high: Double)?
        for (index, found) in ranges.enumerated() {
            guard let found, !chart.series[index].isThreshold else { continue }
            let low = Self.shown(found.low, bases, index)
            let high = Self.shown(found.high, bases, index)
            range = range.map { (min($0.low, low), max($0.high, high)) } ?? (low, high)
        }
        isEmpty = range == nil
        let prices = Self.widened(range ?? (0, 1), isRelative: chart.isRelative)
        // A limit is an amount, which cannot be compared with percentages of several series.
        let hasLimits = !chart.isRelative || chart.series.count < 2
        let lines = hasLimits ? chart.limits : []
        bands = hasLimits ? chart.bands.filter { $0.low.isFinite && $0.high.isFinite && $0.low <= $0.high } : []
        let base = bases.first
        let value = { (value: Double) in Self.shown(value, base.map { [$0] } ?? [], 0) }
        let view = Self.view(prices, lines.filter { $0.value.isFinite }, value)
        limits = view.lines
        hidden = view.hidden
        let rest = (view.high - view.low) * Self.margin
        let isLogarithmic = chart.isLogarithmic && !chart.isRelative && prices.low > 0 && view.low > 0
        let growth = isLogarithmic ? Self.power(view.high / view.low, Self.margin) : 1
        scale =
            isLogarithmic
            ? ValueScale(view.low / growth, view.high * growth, isLogarithmic: true)
            : ValueScale(view.low - rest, view.high + rest, isLogarithmic: false)
    }

    /// The series except thresholds, with their values in the span.
    var shownSeries: [(series: ChartSeries, range: ValueRange?)] {
        zip(chart.series, ranges).filter { !$0.0.isThreshold }.map { (series: $0.0, range: $0.1) }
    }

    /// Returns the labels of limits and bands that are out of view above or below.
    func hiddenLabels(isAbove: Bool) -> [Label] {
        let lines = hidden.filter { $0.isAbove == isAbove && !$0.line.label.isEmpty }
        let outside = bands.filter {
            isAbove ? shown($0.low, series: 0) > scale.high : shown($0.high, series: 0) < scale.low
        }
        return lines.map { Label(text: $0.line.label, isFiring: $0.line.isFiring) }
            + outside.map { Label(text: $0.label, isFiring: $0.isFiring) }
    }

    /// The label of each band in view, with the middle of its visible part, as a shown value.
    var bandLabels: [(label: Label, middle: Double)] {
        bands.compactMap { band in
            let low = max(shown(band.low, series: 0), scale.low)
            let high = min(shown(band.high, series: 0), scale.high)
            guard low <= high else { return nil }
            return (Label(text: band.label, isFiring: band.isFiring), low + (high - low) / 2)
        }
    }

    /// Returns the value as shown: unchanged, or as the change in percent from the first value in the span.
    func shown(_ value: Double, series: Int) -> Double { Self.shown(value, bases, series) }

    /// Returns the height of a value: 0 at the bottom, 1 at the top.
    func share(_ value: Double, series: Int = 0) -> Double { scale.share(shown(value, series: series)) }

    func ticks(count: Int) -> ValueTicks {
        guard !isEmpty else { return .none }
        return scale.isLogarithmic
            ? .logarithmic(scale.low, scale.high, count: count) : .linear(scale.low, scale.high, count: count)
    }

    private static func shown(_ value: Double, _ bases: [Double], _ series: Int) -> Double {
        guard bases.indices.contains(series) else { return value }
        return bases[series] > 0 ? (value / bases[series] - 1) * 100 : 0
    }

    /// Raises a number above 1 to a small power, accurate to about 1%, which is enough for a margin.
    private static func power(_ number: Double, _ exponent: Double) -> Double {
        let size = exponent * logarithm(number)
        return 1 + size + size * size / 2 + size * size * size / 6
    }

    /// Returns the range, widened about its middle if it is too narrow, so that a flat line is in the middle of the
    /// plot.
    private static func widened(_ range: (low: Double, high: Double), isRelative: Bool) -> (low: Double, high: Double) {
        let size = max(range.low.magnitude, range.high.magnitude)
        let least = isRelative ? 0.1 : size > 0 ? size * 0.001 : 1
        guard range.high - range.low < least else { return range }
        let middle = range.low + (range.high - range.low) / 2
        return (middle - least / 2, middle + least / 2)
    }

    /// Extends the view to all required limits, and to other limits, nearest first, as long as they leave enough
    /// height for the prices.
    private static func view(
        _ prices: (low: Double, high: Double), _ lines: [LimitLine], _ shown: @escaping (Double) -> Double
    ) -> (low: Double, high: Double, lines: [LimitLine], hidden: [HiddenLimit]) {
        var (low, high) = prices
        let room = (prices.high - prices.low) / leastShare
        let distance = { (line: LimitLine) in
            max(0, prices.low - shown(line.value), shown(line.value) - prices.high)
        }
        for line in lines.sorted(by: { distance($0) < distance($1) }) {
            let value = shown(line.value)
            guard line.isRequired || max(high, value) - min(low, value) <= room else { continue }
            (low, high) = (min(low, value), max(high, value))
        }
        let isInView = { (line: LimitLine) in (low...high).contains(shown(line.value)) }
        let hidden = lines.filter { !isInView($0) }.map { HiddenLimit(line: $0, isAbove: shown($0.value) > high) }
        return (low, high, lines.filter(isInView), hidden)
    }
}

/// The values of a series in the span of a chart.
struct ValueRange: Equatable {
    var first: Double
    var last: Double
    var low: Double
    var high: Double
    var lowTime: Int64
    var highTime: Int64
    /// The number of gaps between the bars.
    var gaps = 0
    /// The total length of the gaps, in milliseconds.
    var gapLength: Int64 = 0

    /// Finds the values; nil if the series has no price in the span.
    init?(_ series: ChartSeries, in span: Range<WallTime>) {
        let (start, end) = (span.lowerBound.milliseconds, span.upperBound.milliseconds)
        let places = series.bars.indices.lazy.filter { index in
            let bar = series.bars[index]
            return bar.time >= start && bar.time <= end && bar.isFinite
        }
        guard let bar = places.first.map({ series.bars[$0] }) else { return nil }
        (first, last, low, high, lowTime, highTime) = (bar.open, bar.close, bar.low, bar.high, bar.time, bar.time)
        var previous = bar.time
        for index in places {
            let bar = series.bars[index]
            if bar.low < low { (low, lowTime) = (bar.low, bar.time) }
            if bar.high > high { (high, highTime) = (bar.high, bar.time) }
            last = bar.close
            if bar.time > previous, series.hasGap(before: index) {
                gaps += 1
                gapLength += bar.time - previous
            }
            previous = bar.time
        }
    }
}
