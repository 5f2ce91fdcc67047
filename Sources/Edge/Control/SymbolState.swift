/// One symbol as the daemon sees it. Numbers are decimal strings, so that nothing is rounded.
package struct SymbolStatus: Codable, Equatable, Sendable {
    package var symbol: String
    package var base: String?
    package var quote: String?
    package var last: String?
    package var bid: String?
    package var ask: String?
    package var open: String?
    package var high: String?
    package var low: String?
    package var volume: String?
    /// Of `last` against `open`, in per cent with two digits; nil when it cannot be said.
    package var changePercent: String?
    package var exchangeTime: String?
    package var received: String
    /// `ok`, `frozen`, `missing` (not in the last response) or `unusable` (no positive price).
    package var state: String
    /// How many alerts of this symbol fire.
    package var firing: Int
    /// The limits nearest to the price on either side.
    package var min: String?
    package var max: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, base, quote, last, bid, ask, open, high, low, volume
        case changePercent = "change_percent"
        case exchangeTime = "exchange_time"
        case received, state, firing, min, max
    }

    package init(
        symbol: String, base: String? = nil, quote: String? = nil, last: String? = nil, bid: String? = nil,
        ask: String? = nil, open: String? = nil, high: String? = nil, low: String? = nil, volume: String? = nil,
        changePercent: String? = nil, exchangeTime: String? = nil, received: String, state: String, firing: Int,
        min: String? = nil, max: String? = nil
    ) {
        self.symbol = symbol
        self.base = base
        self.quote = quote
        self.last = last
        self.bid = bid
        self.ask = ask
        self.open = open
        self.high = high
        self.low = low
        self.volume = volume
        self.changePercent = changePercent
        self.exchangeTime = exchangeTime
        self.received = received
        self.state = state
        self.firing = firing
        self.min = min
        self.max = max
    }
}

/// The prices of a symbol over a time.
package struct WindowSummary: Codable, Equatable, Sendable {
    package var windowMilliseconds: Int
    package var samples: Int
    package var first: String
    package var firstTime: String
    package var last: String
    package var min: String
    package var max: String
    /// Of the last price against the first, in per cent with two digits; nil when it cannot be said.
    package var changePercent: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case windowMilliseconds = "window_ms"
        case samples, first
        case firstTime = "first_time"
        case last, min, max
        case changePercent = "change_percent"
    }

    package init(
        windowMilliseconds: Int, samples: Int, first: String, firstTime: String, last: String, min: String,
        max: String, changePercent: String? = nil
    ) {
        self.windowMilliseconds = windowMilliseconds
        self.samples = samples
        self.first = first
        self.firstTime = firstTime
        self.last = last
        self.min = min
        self.max = max
        self.changePercent = changePercent
    }
}

/// A price and when it was received.
package struct PricePoint: Codable, Equatable, Sendable {
    package var time: String
    package var price: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case time, price
    }

    package init(time: String, price: String) {
        self.time = time
        self.price = price
    }
}
