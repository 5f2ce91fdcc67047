package import Time

/// The description of a chart, independent of how it is drawn: in a terminal or as SVG.
///
/// Values are binary numbers because they are only drawn and decide nothing. The caller makes texts with amounts from
/// exact prices.
package struct Chart: Equatable, Sendable {
    /// The subject, such as `btcinr`.
    package var title: String
    /// The time range as text, such as `24h`.
    package var rangeText: String
    /// The first series is the main one.
    package var series: [ChartSeries]
    package var limits: [LimitLine] = []
    package var bands: [ChartBand] = []
    package var markers: [ChartMarker] = []
    /// The times at the left and right edges, never equal.
    package var span: Range<WallTime>
    package var unit: ChartUnit
    package var clock: ChartClock
    /// True if equal ratios have equal heights. It has no effect if a value is not positive.
    package var isLogarithmic = false
    /// True if series are drawn as percent changes from their first values in the span, so that they can be compared.
    package var isRelative = false
    /// True if the caption includes the change from the first to the last price. Set it to false if a 24-hour change
    /// is shown nearby, because the two would seem to contradict each other.
    package var statesChange = true

    /// Makes a chart. An empty span is widened to 1 ms.
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
        /// Each price stays valid until the next one.
        case step
        /// A line with the area below it filled.
        case area
        /// The open, high, low and close of steps of this length.
        case candles(Milliseconds)
    }

    package var name: String
    package var style: Style
    /// The bars in order of time.
    package var bars: [ChartBar]
    /// The longest time between two bars that is not a gap. A longer time is not a gap either if the bars nearby are
    /// about as far apart.
    package var gap: Milliseconds
    /// True if this is a threshold that moves with the price. It is drawn like a limit.
    package var isThreshold = false

    package init(name: String, style: Style, bars: [ChartBar], gap: Milliseconds) {
        self.name = name
        self.style = style
        self.bars = bars
        self.gap = gap
    }
}

extension ChartSeries {
    /// Returns true if there is a gap between a bar and the one before it.
    func hasGap(before index: Int) -> Bool {
        LocalSteps.hasGap(before: index, of: bars.count, tolerance: gap) { bars[$0].time }
    }
}

/// The prices of a step of time, or a single price.
package struct ChartBar: Equatable, Sendable {
    /// The time at which the price was received or the step begins, in milliseconds since 1970.
    package var time: Int64
    /// The first price. All four are in the unit of the chart.
    package var open: Double
    package var high: Double
    package var low: Double
    package var close: Double

    /// Makes a bar from four prices, the highest of which becomes `high`, and the lowest `low`. Values that are not
    /// finite are never drawn.
    package init(time: Int64, open: Double, high: Double, low: Double, close: Double) {
        self.time = time
        self.open = open
        self.high = max(open, high, low, close)
        self.low = min(open, high, low, close)
        self.close = close
    }

    /// Makes a bar from a single price.
    package init(time: Int64, price: Double) {
        self.init(time: time, open: price, high: price, low: price, close: price)
    }

    var isFinite: Bool { open.isFinite && high.isFinite && low.isFinite && close.isFinite }
}

/// A limit of a rule, as a horizontal line.
package struct LimitLine: Equatable, Sendable {
    /// The direction in which a price breaches the limit.
    package enum Kind: Equatable, Sendable {
        case upper
        case lower
        /// Breached from either side.
        case crossing
    }

    package var kind: Kind
    /// The limit, in the unit of the chart.
    package var value: Double
    /// The label, such as `max ₹75,00,000.00 bitcoin band`. Empty for an edge of a band, because the band has a label
    /// of its own.
    package var label: String
    /// The value at which the alert resolves, drawn as a dashed line; nil if it is the limit itself.
    package var clear: Double?
    /// True if the alert is firing.
    package var isFiring = false
    /// True if the limit must be in view, however far it is from the prices.
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
    /// The lower edge, in the unit of the chart.
    package var low: Double
    package var high: Double
    /// The label, with both amounts.
    package var label: String
    /// True if the alert is firing.
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
        /// An event that does not start or end an alert, such as a crossing.
        case notice
    }

    package var kind: Kind
    package var time: WallTime
    /// The price that caused the event, in the unit of the chart.
    package var value: Double
    /// A description of the event, for a tooltip.
    package var text: String

    package init(_ kind: Kind, at time: WallTime, value: Double, text: String) {
        self.kind = kind
        self.time = time
        self.value = value
        self.text = text
    }
}
