package import Time

/// A chart as a value: what to draw, whether in a terminal or as SVG.
///
/// Values are binary numbers because they are only drawn: nothing is decided on them. Texts with amounts come from
/// exact prices, made by the caller.
package struct Chart: Equatable, Sendable {
    /// What it shows: `btcinr`.
    package var title: String
    /// The range as text: `24h`.
    package var rangeText: String
    /// The first series is the main one.
    package var series: [ChartSeries]
    package var limits: [LimitLine] = []
    package var bands: [ChartBand] = []
    package var markers: [ChartMarker] = []
    /// The left and the right edge; the right one is later.
    package var span: Range<WallTime>
    package var unit: ChartUnit
    package var clock: ChartClock
    /// Whether equal ratios have equal heights. Without effect if a value is not positive.
    package var isLogarithmic = false
    /// Whether series are drawn as percentages from their first value in the span, so that they can be compared.
    package var isRelative = false
    /// Whether the caption has the change from the first to the last price. Where a change over 24 hours is shown as
    /// well, the two would seem to contradict each other.
    package var statesChange = true

    /// Makes a chart; an empty span is widened to a millisecond.
    package init(
        title: String, rangeText: String, series: [ChartSeries], span: Range<WallTime>, unit: ChartUnit,
        clock: ChartClock
    ) {
        self.title = title
        self.rangeText = rangeText
        self.series = series
        let start = span.lowerBound.milliseconds.clamped
        let end = max(start + 1, span.upperBound.milliseconds.clamped)
        self.span = WallTime(milliseconds: start)..<WallTime(milliseconds: end)
        self.unit = unit
        self.clock = clock
    }
}

/// Prices of one symbol, oldest first.
package struct ChartSeries: Equatable, Sendable {
    package enum Style: Equatable, Sendable {
        /// Prices joined by straight lines.
        case line
        /// Each price holds until the next one.
        case step
        /// A line, with the area below it filled.
        case area
        /// The first, highest, lowest and last price of steps of this length.
        case candles(Milliseconds)
    }

    package var name: String
    package var style: Style
    /// In the order of time.
    package var bars: [ChartBar]
    /// Bars further apart than this have a gap between them, unless all around there are as far apart.
    package var gap: Milliseconds
    /// Whether it is a threshold that moves with the price, and is drawn like a limit.
    package var isThreshold = false

    package init(name: String, style: Style, bars: [ChartBar], gap: Milliseconds) {
        self.name = name
        self.style = style
        self.bars = bars
        self.gap = gap
    }
}

extension ChartSeries {
    /// Whether there is a gap between a bar and the one before it.
    func hasGap(before index: Int) -> Bool {
        LocalSteps.hasGap(before: index, of: bars.count, tolerance: gap) { bars[$0].time }
    }
}

/// The prices of a step of time, or a single price.
package struct ChartBar: Equatable, Sendable {
    /// When the price was received, or the step begins; in milliseconds since 1970.
    package var time: Int64
    /// The first price, on the axis of the chart, as are the others: in its currency, or in percent.
    package var open: Double
    package var high: Double
    package var low: Double
    package var close: Double

    /// Makes a bar of four prices; whichever is the highest becomes `high`, and the lowest `low`. Values that are not
    /// finite are never drawn.
    package init(time: Int64, open: Double, high: Double, low: Double, close: Double) {
        self.time = time
        self.open = open
        self.high = max(open, high, low, close)
        self.low = min(open, high, low, close)
        self.close = close
    }

    /// A single price.
    package init(time: Int64, price: Double) {
        self.init(time: time, open: price, high: price, low: price, close: price)
    }

    var isFinite: Bool { open.isFinite && high.isFinite && low.isFinite && close.isFinite }
}

/// A limit of a rule, as a horizontal line.
package struct LimitLine: Equatable, Sendable {
    /// Where the price has to go to reach it.
    package enum Kind: Equatable, Sendable {
        case upper
        case lower
        /// Reached from either side.
        case crossing
    }

    package var kind: Kind
    /// The limit, on the axis of the chart.
    package var value: Double
    /// What it is: `max ₹75,00,000.00 bitcoin band`; empty for an end of a band, which has a label of its own.
    package var label: String
    /// Where the alert resolves, drawn dashed; nil if that is the limit itself.
    package var clear: Double?
    /// Whether the alert is firing.
    package var isFiring = false
    /// Whether the chart has to make room for it, however far it is from the prices.
    package var isRequired = false

    package init(_ kind: Kind, at value: Double, label: String, clear: Double? = nil) {
        self.kind = kind
        self.value = value
        self.label = label
        self.clear = clear
    }
}

/// A shaded range of values, such as a zone in which a rule fires.
package struct ChartBand: Equatable, Sendable {
    /// The lower edge, on the axis of the chart.
    package var low: Double
    /// The upper edge.
    package var high: Double
    /// What it is, and both amounts.
    package var label: String
    /// Whether the alert is firing.
    package var isFiring = false

    package init(low: Double, high: Double, label: String) {
        self.low = low
        self.high = high
        self.label = label
    }
}

/// An event at a time and value.
package struct ChartMarker: Equatable, Sendable {
    package enum Kind: CaseIterable, Sendable {
        case fired
        case resolved
        /// A message without a beginning or an end, such as a crossing.
        case notice
    }

    package var kind: Kind
    package var time: WallTime
    /// The price that the event was decided on, on the axis of the chart.
    package var value: Double
    /// What happened, for a pointer that rests on it.
    package var text: String

    package init(_ kind: Kind, at time: WallTime, value: Double, text: String) {
        self.kind = kind
        self.time = time
        self.value = value
        self.text = text
    }
}
