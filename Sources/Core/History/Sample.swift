package import Market
package import Time

/// A price and the time at which it was received.
package struct Sample: Equatable, Sendable {
    package let time: WallTime
    /// The price in the quote currency of its symbol.
    package let price: Price

    package init(time: WallTime, price: Price) {
        self.time = time
        self.price = price
    }
}

/// Statistics of the prices in a time window.
package struct WindowStatistics: Equatable, Sendable {
    /// The number of samples; at least 1.
    package let count: Int
    package let first: Sample
    package let last: Sample
    /// The first one if several are equal.
    package let lowest: Sample
    /// The first one if several are equal.
    package let highest: Sample

    /// Makes statistics. The count must be at least 1, and all samples must be in the window; neither is checked.
    package init(count: Int, first: Sample, last: Sample, lowest: Sample, highest: Sample) {
        self.count = count
        self.first = first
        self.last = last
        self.lowest = lowest
        self.highest = highest
    }
}

/// The open, high, low and close of one step of a chart, which has at least one sample.
package struct Bar: Equatable, Sendable {
    /// The start of the step: a multiple of its length since 1970, plus the offset.
    package let start: WallTime
    /// The number of samples; at least 1.
    package let count: Int
    package let open: Price
    package let high: Price
    package let low: Price
    package let close: Price

    /// Makes a bar. The count must be at least 1, and no price may be outside `low` to `high`; neither is checked.
    package init(start: WallTime, count: Int, open: Price, high: Price, low: Price, close: Price) {
        self.start = start
        self.count = count
        self.open = open
        self.high = high
        self.low = low
        self.close = close
    }
}
