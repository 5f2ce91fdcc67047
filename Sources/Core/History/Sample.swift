package import Market
package import Time

/// A price and when it was received.
package struct Sample: Equatable, Sendable {
    /// When the price was received.
    package let time: WallTime
    /// In the quote currency of its symbol.
    package let price: Price

    /// A price in the quote currency of its symbol, and when it was received.
    package init(time: WallTime, price: Price) {
        self.time = time
        self.price = price
    }
}

/// Statistics of a time window.
package struct WindowStatistics: Equatable, Sendable {
    /// The number of samples; at least 1.
    package let count: Int
    /// The earliest sample.
    package let first: Sample
    /// The latest sample.
    package let last: Sample
    /// The first one, if several are equal.
    package let lowest: Sample
    /// The first one, if several are equal.
    package let highest: Sample

    /// The count is at least 1, and all samples are in the window; neither is checked.
    package init(count: Int, first: Sample, last: Sample, lowest: Sample, highest: Sample) {
        self.count = count
        self.first = first
        self.last = last
        self.lowest = lowest
        self.highest = highest
    }
}

/// One step of a chart, with at least one sample.
package struct Bar: Equatable, Sendable {
    /// The time at which the step begins: a multiple of its length since 1970, plus the offset.
    package let start: WallTime
    /// The number of samples; at least 1.
    package let count: Int
    /// The first price of the step.
    package let open: Price
    /// The highest price of the step.
    package let high: Price
    /// The lowest price of the step.
    package let low: Price
    /// The last price of the step.
    package let close: Price

    /// The count is at least 1, and no price is outside `low` and `high`; neither is checked.
    package init(start: WallTime, count: Int, open: Price, high: Price, low: Price, close: Price) {
        self.start = start
        self.count = count
        self.open = open
        self.high = high
        self.low = low
        self.close = close
    }
}
