public import Time

/// What an exchange reports for one symbol in one response: all eleven fields of `tickers/24hr`.
///
/// A number that was missing, or that does not fit ``Price`` exactly, is nil; it is never taken for 0.
@usableFromInline
package struct Ticker: Equatable, Sendable {
    @usableFromInline package var symbol: Symbol
    /// The asset of the prices; nil when the exchange did not send it.
    @usableFromInline package var quote: Asset?
    // What every poll reads comes first, so that it shares cache lines.
    /// When the exchange made this ticker; not the time of the last trade.
    @usableFromInline package var exchangeTime: WallTime?
    /// The price of the last trade, which may be old and outside ``bid`` to ``ask``.
    @usableFromInline package var last: Price?
    /// The volume of the last 24 hours, in the base asset.
    @usableFromInline package var volume: Price?
    /// The highest price that a buyer offers now.
    @usableFromInline package var bid: Price?
    /// The lowest price that a seller asks now.
    @usableFromInline package var ask: Price?
    /// What is traded; nil when the exchange did not send it.
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

    /// The change of ``last`` from ``open`` in per cent, for display; nil when either is missing or ``open`` is 0.
    package var changePercent: Price? {
        guard let last, let open else { return nil }
        return last.percentChange(from: open)
    }
}

/// One whole response of a feed: the elements that could be decoded, in their order, and how many could not.
package struct TickerBatch: Sendable {
    /// The most elements that a response may have; one with more is refused as a whole. It is some twenty times what
    /// the exchange has ever listed, and at about 300 bytes a ticker 3 MB.
    package static let symbolLimit = 10_000

    /// The tickers in the order of the response, each symbol once.
    package var tickers: [Ticker]
    /// The number of elements that were malformed, or whose symbol was invalid or a duplicate.
    package var badElementCount: Int
    /// The first of these elements and what is wrong with it, safe to show; nil when there is none.
    package var badExample: String?
    /// When the last byte was received.
    package var received: Instant
    /// How long the source should not be asked again, beyond the usual interval; nil when it need not be spared.
    package var pause: Milliseconds?
    /// What a price service says of the coins of the tickers; empty for an exchange.
    package var coins: [Coin] = []

    /// Makes a batch; the tickers are in the order of the response, without those that could not be read.
    package init(tickers: [Ticker], badElementCount: Int = 0, received: Instant) {
        self.tickers = tickers
        self.badElementCount = badElementCount
        self.received = received
    }
}
