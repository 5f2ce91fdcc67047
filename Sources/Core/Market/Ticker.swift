package import Time

/// What an exchange says of one symbol in one response: all eleven fields of `tickers/24hr`.
///
/// A number that was missing, or that does not fit ``Price`` exactly, is nil; it is never taken for 0.
package struct Ticker: Equatable, Sendable {
    package var symbol: Symbol
    package var base: Asset?
    package var quote: Asset?
    /// The price 24 hours before.
    package var open: Price?
    package var low: Price?
    package var high: Price?
    /// The price of the last trade, which may be old and outside ``bid`` to ``ask``.
    package var last: Price?
    /// What was traded in 24 hours, in the base asset.
    package var volume: Price?
    package var bid: Price?
    package var ask: Price?
    /// When the exchange made this ticker; not the time of the last trade.
    package var exchangeTime: WallTime?

    @inlinable
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

    /// The change of ``last`` against ``open`` in per cent, for showing; nil when it cannot be said.
    package var changePercent: Price? {
        guard let last, let open else { return nil }
        return last.percentChange(from: open)
    }
}

/// One whole response of a feed: what decoded, in the order it came, and how many elements did not.
package struct TickerBatch: Sendable {
    package var tickers: [Ticker]
    /// Elements without a valid symbol, not well-formed, or with a symbol that came before.
    package var badElementCount: Int
    /// When the last byte was received.
    package var received: Instant

    package init(tickers: [Ticker], badElementCount: Int = 0, received: Instant) {
        self.tickers = tickers
        self.badElementCount = badElementCount
        self.received = received
    }
}
