package import Market
package import Time

/// A price and when it was received.
package struct Sample: Equatable, Sendable {
    package let time: WallTime
    package let price: Price

    package init(time: WallTime, price: Price) {
        self.time = time
        self.price = price
    }
}

/// What a window of time holds.
package struct WindowStatistics: Equatable, Sendable {
    package let count: Int
    package let first: Sample
    package let last: Sample
    /// Of equal prices the first.
    package let lowest: Sample
    /// Of equal prices the first.
    package let highest: Sample

    package init(count: Int, first: Sample, last: Sample, lowest: Sample, highest: Sample) {
        self.count = count
        self.first = first
        self.last = last
        self.lowest = lowest
        self.highest = highest
    }
}

/// What one step of a chart holds: at least one sample.
package struct Bar: Equatable, Sendable {
    /// Where the step begins: a multiple of its length since 1970.
    package let start: WallTime
    package let count: Int
    package let open: Price
    package let high: Price
    package let low: Price
    package let close: Price

    package init(start: WallTime, count: Int, open: Price, high: Price, low: Price, close: Price) {
        self.start = start
        self.count = count
        self.open = open
        self.high = high
        self.low = low
        self.close = close
    }
}
