// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `ListTickers`.
package struct ListTickersParameters: Equatable, Sendable {
    /// The name of a source; all if nil. A symbol may also have its source before it: `kraken:btcusd`.
    package var source: String?
    /// A pattern in which `*` stands for any characters: `*inr`.
    package var match: String?
    /// The quote asset, in either case.
    package var quote: String?
    /// An instant in the past, for `past_change_percent`.
    package var changeFrom: String?
    /// The `next` of the previous page; nil for the first one.
    package var next: Int?

    package init(
        source: String? = nil, match: String? = nil, quote: String? = nil, changeFrom: String? = nil, next: Int? = nil
    ) {
        self.source = source
        self.match = match
        self.quote = quote
        self.changeFrom = changeFrom
        self.next = next
    }
}

extension ListTickersParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.readIfPresent("source")
        match = try object.readIfPresent("match")
        quote = try object.readIfPresent("quote")
        changeFrom = try object.readIfPresent("change_from")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("match", match)
        writer.member("quote", quote)
        writer.member("change_from", changeFrom)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The reply of `ListTickers`.
package struct ListTickersReply: Equatable, Sendable {
    package var simulated: Bool
    /// The names of the sources, separated by commas.
    package var source: String
    /// When the last usable response was received; nil if there has been none yet.
    package var received: String?
    /// Whether the prices are stale: there has been no usable response for three intervals.
    package var stale: Bool
    /// The names of the sources whose prices are stale.
    package var staleSources: [String]?
    package var symbols: [SymbolStatus]
    /// The `next` to request the next page with; nil if this is the last one.
    package var next: Int?

    package init(
        simulated: Bool, source: String, received: String? = nil, stale: Bool, staleSources: [String]? = nil,
        symbols: [SymbolStatus], next: Int? = nil
    ) {
        self.simulated = simulated
        self.source = source
        self.received = received
        self.stale = stale
        self.staleSources = staleSources
        self.symbols = symbols
        self.next = next
    }
}

extension ListTickersReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        source = try object.read("source")
        received = try object.readIfPresent("received")
        stale = try object.read("stale")
        staleSources = try object.readIfPresent("stale_sources")
        symbols = try object.read("symbols")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("source", source)
        writer.member("received", received)
        writer.member("stale", stale)
        writer.member("stale_sources", staleSources)
        writer.member("symbols", symbols)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `GetSymbol`.
package struct GetSymbolParameters: Equatable, Sendable {
    package var symbol: String

    package init(symbol: String) {
        self.symbol = symbol
    }
}

extension GetSymbolParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.endObject()
    }
}

/// The reply of `GetSymbol`.
package struct GetSymbolReply: Equatable, Sendable {
    package var simulated: Bool
    /// Whether the prices are stale, as in `ListTickers`.
    package var stale: Bool
    package var symbol: SymbolStatus
    /// At most 500.
    package var alerts: [AlertStatus]
    /// The `next` to request further alerts of the symbol with from `ListAlerts`; nil if there are none.
    package var alertsNext: Int?
    /// A summary of all kept prices; nil if there are none.
    package var window: WindowSummary?
    /// Kept prices, evenly chosen if there are many, oldest first.
    package var prices: [PricePoint]
    /// What a price service knows about the coin; nil for a market of an exchange.
    package var coin: CoinStatus?

    package init(
        simulated: Bool, stale: Bool, symbol: SymbolStatus, alerts: [AlertStatus], alertsNext: Int? = nil,
        window: WindowSummary? = nil, prices: [PricePoint], coin: CoinStatus? = nil
    ) {
        self.simulated = simulated
        self.stale = stale
        self.symbol = symbol
        self.alerts = alerts
        self.alertsNext = alertsNext
        self.window = window
        self.prices = prices
        self.coin = coin
    }
}

extension GetSymbolReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        stale = try object.read("stale")
        symbol = try object.read("symbol")
        alerts = try object.read("alerts")
        alertsNext = try object.readIfPresent("alerts_next")
        window = try object.readIfPresent("window")
        prices = try object.read("prices")
        coin = try object.readIfPresent("coin")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("stale", stale)
        writer.member("symbol", symbol)
        writer.member("alerts", alerts)
        writer.member("alerts_next", alertsNext)
        writer.member("window", window)
        writer.member("prices", prices)
        writer.member("coin", coin)
        writer.endObject()
    }
}

/// The parameters of `GetCoinHistory`.
package struct GetCoinHistoryParameters: Equatable, Sendable {
    package var symbol: String
    /// `1h`, `3h`, `12h`, `24h`, `7d`, `30d`, `3m`, `1y`, `3y` or `5y`.
    package var period: String

    package init(symbol: String, period: String) {
        self.symbol = symbol
        self.period = period
    }
}

extension GetCoinHistoryParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
        period = try object.read("period")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("period", period)
        writer.endObject()
    }
}

/// The reply of `GetCoinHistory`.
package struct GetCoinHistoryReply: Equatable, Sendable {
    package var simulated: Bool
    /// The name of the source.
    package var source: String
    package var symbol: String
    /// The asset of the prices.
    package var quote: String?
    /// Whether they have been requested but have not arrived; there are no prices then, and the call may be repeated.
    package var pending: Bool
    /// When they were received; nil if there are none.
    package var fetched: String?
    /// Why there are no prices, or only old ones; nil otherwise.
    package var message: String?
    /// The change over the period in percent, as the service reports it.
    package var changePercent: String?
    /// Oldest first.
    package var prices: [PricePoint]

    package init(
        simulated: Bool, source: String, symbol: String, quote: String? = nil, pending: Bool, fetched: String? = nil,
        message: String? = nil, changePercent: String? = nil, prices: [PricePoint]
    ) {
        self.simulated = simulated
        self.source = source
        self.symbol = symbol
        self.quote = quote
        self.pending = pending
        self.fetched = fetched
        self.message = message
        self.changePercent = changePercent
        self.prices = prices
    }
}

extension GetCoinHistoryReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        source = try object.read("source")
        symbol = try object.read("symbol")
        quote = try object.readIfPresent("quote")
        pending = try object.read("pending")
        fetched = try object.readIfPresent("fetched")
        message = try object.readIfPresent("message")
        changePercent = try object.readIfPresent("change_percent")
        prices = try object.read("prices")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("source", source)
        writer.member("symbol", symbol)
        writer.member("quote", quote)
        writer.member("pending", pending)
        writer.member("fetched", fetched)
        writer.member("message", message)
        writer.member("change_percent", changePercent)
        writer.member("prices", prices)
        writer.endObject()
    }
}

/// The parameters of the error `NoSuchSymbol`. The exchange does not list the symbol.
package struct NoSuchSymbol: Equatable, Sendable {
    package var symbol: String
    /// The symbol that was probably meant.
    package var suggestion: String?

    package init(symbol: String, suggestion: String? = nil) {
        self.symbol = symbol
        self.suggestion = suggestion
    }
}

extension NoSuchSymbol: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
        suggestion = try object.readIfPresent("suggestion")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("suggestion", suggestion)
        writer.endObject()
    }
}
