package import Market
package import Time

/// Prices of one market, for a service that stores them.
package struct PriceSeries: Equatable, Sendable {
    package struct Key: Hashable, Sendable {
        package var source: SourceName
        package var symbol: Symbol
        /// The quote asset, or nil if unknown.
        package var quote: Asset?

        package init(source: SourceName, symbol: Symbol, quote: Asset?) {
            self.source = source
            self.symbol = symbol
            self.quote = quote
        }
    }

    package struct Sample: Equatable, Sendable {
        /// The price, or nil where the prices end because the market or its source is gone.
        package var price: Price?
        /// The time at which the price was received.
        package var time: WallTime

        package init(_ price: Price?, at time: WallTime) {
            self.price = price
            self.time = time
        }
    }

    package var key: Key
    /// The samples, in order of time.
    package var samples: [Sample]

    package init(_ key: Key, _ samples: [Sample]) {
        self.key = key
        self.samples = samples
    }
}

/// Prices that a service does not have yet.
package struct PriceBatch: Equatable, Sendable {
    package var series: [PriceSeries] = []
    /// The time up to which the batch has the prices of each source.
    package var positions: [SourceName: WallTime] = [:]
    /// The markets that have a price now.
    package var open: Set<PriceSeries.Key> = []
    /// True if there are later prices that are not in the batch.
    package var hasMore = false

    package init() {}

    var sampleCount: Int { series.reduce(0) { $0 + $1.samples.count } }
}
