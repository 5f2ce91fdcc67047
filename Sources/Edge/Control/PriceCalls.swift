/// What `ListPrices` is asked: the prices of one symbol as they were received.
package struct ListPricesParameters: Codable, Equatable, Sendable {
    package var symbol: String
    /// RFC 3339; the first moment that belongs to it. From the oldest that is kept when nil.
    package var since: String?
    /// RFC 3339; the first moment that no longer belongs to it. To the newest when nil.
    package var until: String?
    /// Only the last so many.
    package var last: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, since, until, last
    }

    package init(symbol: String, since: String? = nil, until: String? = nil, last: Int? = nil) {
        self.symbol = symbol
        self.since = since
        self.until = until
        self.last = last
    }
}

/// What `ListPrices` answers: one page.
package struct ListPricesReply: Codable, Equatable, Sendable {
    /// The most prices of one reply; some 60 bytes each, 60 kB.
    package static let limit = 1_000

    package var simulated: Bool
    /// Prices further apart than this have a gap between them.
    package var gapMilliseconds: Int
    /// Oldest first.
    package var prices: [PricePoint]
    /// What `since` is for the next page; nil when there is none.
    package var next: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated
        case gapMilliseconds = "gap_ms"
        case prices, next
    }

    package init(simulated: Bool, gapMilliseconds: Int, prices: [PricePoint], next: String? = nil) {
        self.simulated = simulated
        self.gapMilliseconds = gapMilliseconds
        self.prices = prices
        self.next = next
    }
}

/// What `ListBars` is asked: the prices of one symbol, summed up in steps of one length.
package struct ListBarsParameters: Codable, Equatable, Sendable {
    package var symbol: String
    package var since: String
    package var until: String
    /// The length of a step; at least 1.
    package var stepMilliseconds: Int
    /// Where steps begin: at whole multiples of their length since 1970-01-01T00:00:00Z, so much later; 0 when nil.
    package var offsetMilliseconds: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, since, until
        case stepMilliseconds = "step_ms"
        case offsetMilliseconds = "offset_ms"
    }

    package init(
        symbol: String, since: String, until: String, stepMilliseconds: Int, offsetMilliseconds: Int? = nil
    ) {
        self.symbol = symbol
        self.since = since
        self.until = until
        self.stepMilliseconds = stepMilliseconds
        self.offsetMilliseconds = offsetMilliseconds
    }
}

/// The prices of one step of time.
package struct PriceBar: Codable, Equatable, Sendable {
    /// When the step begins.
    package var time: String
    package var open: String
    package var high: String
    package var low: String
    package var close: String
    package var samples: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case time, open, high, low, close, samples
    }

    package init(time: String, open: String, high: String, low: String, close: String, samples: Int) {
        self.time = time
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.samples = samples
    }
}

/// What `ListBars` answers: one page.
package struct ListBarsReply: Codable, Equatable, Sendable {
    /// The most bars of one reply; some 140 bytes each, 140 kB.
    package static let limit = 1_000

    package var simulated: Bool
    /// Oldest first; a step without a price has no bar.
    package var bars: [PriceBar]
    /// What `since` is for the next page; nil when there is none.
    package var next: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, bars, next
    }

    package init(simulated: Bool, bars: [PriceBar], next: String? = nil) {
        self.simulated = simulated
        self.bars = bars
        self.next = next
    }
}
