public import Time

/// The data for one symbol in one response of an exchange: all eleven fields of `tickers/24hr`.
///
/// A number that is missing or does not fit in ``Price`` exactly is nil, never 0.
@usableFromInline
package struct Ticker: Equatable, Sendable {
    @usableFromInline package var symbol: Symbol
    /// The asset of the prices; nil if the exchange did not send it.
    @usableFromInline package var quote: Asset?
    // Fields that every poll reads are first, so that they share cache lines.
    /// The time at which the exchange made this ticker, not the time of the last trade.
    @usableFromInline package var exchangeTime: WallTime?
    /// The price of the last trade, which may be old and outside ``bid`` to ``ask``.
    @usableFromInline package var last: Price?
    /// The volume of the last 24 hours, in the base asset.
    @usableFromInline package var volume: Price?
    /// The highest current price of a buyer.
    @usableFromInline package var bid: Price?
    /// The lowest current price of a seller.
    @usableFromInline package var ask: Price?
    /// The traded asset; nil if the exchange did not send it.
    @usableFromInline package var base: Asset?
    /// The price 24 hours ago.
    @usableFromInline package var open: Price?
    /// The lowest price of the last 24 hours.
    @usableFromInline package var low: Price?
    /// The highest price of the last 24 hours.
    @usableFromInline package var high: Price?

    @inlinable
    @inline(__always)
    package init(
        symbol: Symbol, base: Asset? = nil, quote: Asset? = nil, open: Price? = nil, low: Price? = nil,
        high: Price? = nil,
        last: Price? = nil, volume: Price? = nil, bid: Price? = nil, ask: Price? = nil, exchangeTime: WallTime? = nil
    ) {
        self.symbol = symbol
        self.base = base
        self.quote = quote
        self.open = open
        self.low = low
        self.high = high
        self.last = last
        self.volume = volume
        self.bid = bid
        self.ask = ask
        self.exchangeTime = exchangeTime
    }

    /// The change from ``open`` to ``last`` in percent, for display; nil if either is missing or ``open`` is 0.
    package var changePercent: Price? {
        guard let last, let open else { return nil }
        return last.percentChange(from: open)
    }
}

/// A decoded response of a feed: the valid tickers in the order of the response, and the number of bad elements.
package struct TickerBatch: Sendable {
    /// The maximum number of elements in a response; a larger response is rejected as a whole. The limit is almost
    /// three times the largest known response, 3,500 markets of Binance, and 3 MB at about 300 bytes per ticker.
    package static let symbolLimit = 10_000

    /// The tickers in the order of the response, each symbol once.
    package var tickers: [Ticker]
    /// The number of elements that were malformed, or whose symbol was invalid or a duplicate.
    package var badElementCount: Int
    /// The first bad element and the reason, safe to print; nil if there is none.
    package var badExample: String?
    /// The time at which the last byte was received.
    package var received: Instant
    /// The minimum time before the next request; nil if only the usual interval applies.
    package var pause: Milliseconds?
    /// The data of a price service about the coins of the tickers; empty for an exchange.
    package var coins: [Coin] = []

    /// Makes a batch. The tickers must be in the order of the response, without bad elements.
    package init(tickers: [Ticker], badElementCount: Int = 0, received: Instant) {
        self.tickers = tickers
        self.badElementCount = badElementCount
        self.received = received
    }
}
