// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The latest data of one symbol.
package struct SymbolStatus: Equatable, Sendable {
    /// The name of the source of prices.
    package var source: String
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
    /// The change from `open` to `last` in percent, with two decimals; nil if it cannot be computed.
    package var changePercent: String?
    /// The exchange's own time of the data.
    package var exchangeTime: String?
    /// When the data was received.
    package var received: String
    package var state: ControlInterface.SymbolState
    /// The number of firing alerts on this symbol.
    package var firing: Int
    /// The nearest limits on either side of the price.
    package var min: String?
    package var max: String?
    /// The currencies of these limits; nil for the quote currency.
    package var minCurrency: String?
    package var maxCurrency: String?

    package init(
        source: String, symbol: String, base: String? = nil, quote: String? = nil, last: String? = nil,
        bid: String? = nil, ask: String? = nil, open: String? = nil, high: String? = nil, low: String? = nil,
        volume: String? = nil, changePercent: String? = nil, exchangeTime: String? = nil, received: String,
        state: ControlInterface.SymbolState, firing: Int, min: String? = nil, max: String? = nil,
        minCurrency: String? = nil, maxCurrency: String? = nil
    ) {
        self.source = source
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
        self.minCurrency = minCurrency
        self.maxCurrency = maxCurrency
    }
}

extension SymbolStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.read("source")
        symbol = try object.read("symbol")
        base = try object.readIfPresent("base")
        quote = try object.readIfPresent("quote")
        last = try object.readIfPresent("last")
        bid = try object.readIfPresent("bid")
        ask = try object.readIfPresent("ask")
        open = try object.readIfPresent("open")
        high = try object.readIfPresent("high")
        low = try object.readIfPresent("low")
        volume = try object.readIfPresent("volume")
        changePercent = try object.readIfPresent("change_percent")
        exchangeTime = try object.readIfPresent("exchange_time")
        received = try object.read("received")
        state = try object.read("state")
        firing = try object.read("firing")
        min = try object.readIfPresent("min")
        max = try object.readIfPresent("max")
        minCurrency = try object.readIfPresent("min_currency")
        maxCurrency = try object.readIfPresent("max_currency")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("symbol", symbol)
        writer.member("base", base)
        writer.member("quote", quote)
        writer.member("last", last)
        writer.member("bid", bid)
        writer.member("ask", ask)
        writer.member("open", open)
        writer.member("high", high)
        writer.member("low", low)
        writer.member("volume", volume)
        writer.member("change_percent", changePercent)
        writer.member("exchange_time", exchangeTime)
        writer.member("received", received)
        writer.member("state", state)
        writer.member("firing", firing)
        writer.member("min", min)
        writer.member("max", max)
        writer.member("min_currency", minCurrency)
        writer.member("max_currency", maxCurrency)
        writer.endObject()
    }
}

/// A summary of the prices of a symbol over a window of time.
package struct WindowSummary: Equatable, Sendable {
    package var windowMilliseconds: Int
    package var samples: Int
    package var first: String
    package var firstTime: String
    package var last: String
    package var min: String
    package var max: String
    /// The change from the first to the last price in percent, with two decimals; nil if it cannot be computed.
    package var changePercent: String?

    package init(
        windowMilliseconds: Int, samples: Int, first: String, firstTime: String, last: String, min: String, max: String,
        changePercent: String? = nil
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

extension WindowSummary: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        windowMilliseconds = try object.read("window_ms")
        samples = try object.read("samples")
        first = try object.read("first")
        firstTime = try object.read("first_time")
        last = try object.read("last")
        min = try object.read("min")
        max = try object.read("max")
        changePercent = try object.readIfPresent("change_percent")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("window_ms", windowMilliseconds)
        writer.member("samples", samples)
        writer.member("first", first)
        writer.member("first_time", firstTime)
        writer.member("last", last)
        writer.member("min", min)
        writer.member("max", max)
        writer.member("change_percent", changePercent)
        writer.endObject()
    }
}

/// A price and when it was received.
package struct PricePoint: Equatable, Sendable {
    package var time: String
    package var price: String

    package init(time: String, price: String) {
        self.time = time
        self.price = price
    }
}

extension PricePoint: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        time = try object.read("time")
        price = try object.read("price")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("time", time)
        writer.member("price", price)
        writer.endObject()
    }
}
