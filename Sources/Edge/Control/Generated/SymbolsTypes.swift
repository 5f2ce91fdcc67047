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
    /// The change in percent, with two decimals, from the last recorded price before `change_from` to `last`; nil if it
    /// was not asked for, and if there is no recorded price of the day before.
    package var pastChangePercent: String?
    /// The exchange's own time of the data.
    package var exchangeTime: String?
    /// When the data was received.
    package var received: String
    package var state: ControlInterface.SymbolState
    /// The number of firing alerts on this symbol.
    package var firing: Int
    /// The lower and the upper limit that are nearest to the price, whether it has reached them or not.
    package var min: String?
    package var max: String?
    /// The currencies of these limits; nil for the quote currency.
    package var minCurrency: String?
    package var maxCurrency: String?
    /// The name of the base asset, if one of the sources is a price service that knows it.
    package var name: String?
    /// The rank of the coin by market capitalization, where 1 is the largest; nil unless a price service knows it.
    package var rank: Int?
    /// Its market capitalization, in the quote asset; nil unless a price service knows it.
    package var marketCap: String?
    /// The value traded in 24 hours, in the quote asset; nil unless a price service knows it.
    package var turnover: String?

    package init(
        source: String, symbol: String, base: String? = nil, quote: String? = nil, last: String? = nil,
        bid: String? = nil, ask: String? = nil, open: String? = nil, high: String? = nil, low: String? = nil,
        volume: String? = nil, changePercent: String? = nil, pastChangePercent: String? = nil,
        exchangeTime: String? = nil, received: String, state: ControlInterface.SymbolState, firing: Int,
        min: String? = nil, max: String? = nil, minCurrency: String? = nil, maxCurrency: String? = nil,
        name: String? = nil, rank: Int? = nil, marketCap: String? = nil, turnover: String? = nil
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
        self.pastChangePercent = pastChangePercent
        self.exchangeTime = exchangeTime
        self.received = received
        self.state = state
        self.firing = firing
        self.min = min
        self.max = max
        self.minCurrency = minCurrency
        self.maxCurrency = maxCurrency
        self.name = name
        self.rank = rank
        self.marketCap = marketCap
        self.turnover = turnover
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
        pastChangePercent = try object.readIfPresent("past_change_percent")
        exchangeTime = try object.readIfPresent("exchange_time")
        received = try object.read("received")
        state = try object.read("state")
        firing = try object.read("firing")
        min = try object.readIfPresent("min")
        max = try object.readIfPresent("max")
        minCurrency = try object.readIfPresent("min_currency")
        maxCurrency = try object.readIfPresent("max_currency")
        name = try object.readIfPresent("name")
        rank = try object.readIfPresent("rank")
        marketCap = try object.readIfPresent("market_cap")
        turnover = try object.readIfPresent("turnover")
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
        writer.member("past_change_percent", pastChangePercent)
        writer.member("exchange_time", exchangeTime)
        writer.member("received", received)
        writer.member("state", state)
        writer.member("firing", firing)
        writer.member("min", min)
        writer.member("max", max)
        writer.member("min_currency", minCurrency)
        writer.member("max_currency", maxCurrency)
        writer.member("name", name)
        writer.member("rank", rank)
        writer.member("market_cap", marketCap)
        writer.member("turnover", turnover)
        writer.endObject()
    }
}

/// What a price service knows about a coin in addition to `SymbolStatus`.
package struct CoinStatus: Equatable, Sendable {
    /// The service's own identifier, which no other coin has.
    package var identity: String
    /// The price in bitcoins.
    package var bitcoinPrice: String?
    /// The service's own rating of its data about the coin; 1 is the most trustworthy.
    package var tier: Int?
    /// Whether its trading volume is low, so that the price may be unreliable.
    package var lowVolume: Bool?
    /// When the service first listed it.
    package var listed: String?
    /// The address of its page.
    package var link: String?
    /// The prices of the last 24 hours at equal intervals, oldest first; empty strings where there was no price.
    package var sparkline: [String]
    /// The changes over the periods whose past prices are stored.
    package var changes: [CoinChange]

    package init(
        identity: String, bitcoinPrice: String? = nil, tier: Int? = nil, lowVolume: Bool? = nil, listed: String? = nil,
        link: String? = nil, sparkline: [String], changes: [CoinChange]
    ) {
        self.identity = identity
        self.bitcoinPrice = bitcoinPrice
        self.tier = tier
        self.lowVolume = lowVolume
        self.listed = listed
        self.link = link
        self.sparkline = sparkline
        self.changes = changes
    }
}

extension CoinStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        identity = try object.read("identity")
        bitcoinPrice = try object.readIfPresent("bitcoin_price")
        tier = try object.readIfPresent("tier")
        lowVolume = try object.readIfPresent("low_volume")
        listed = try object.readIfPresent("listed")
        link = try object.readIfPresent("link")
        sparkline = try object.read("sparkline")
        changes = try object.read("changes")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("identity", identity)
        writer.member("bitcoin_price", bitcoinPrice)
        writer.member("tier", tier)
        writer.member("low_volume", lowVolume)
        writer.member("listed", listed)
        writer.member("link", link)
        writer.member("sparkline", sparkline)
        writer.member("changes", changes)
        writer.endObject()
    }
}

/// How the price of a coin changed.
package struct CoinChange: Equatable, Sendable {
    /// As in `GetCoinHistory`.
    package var period: String
    package var percent: String
    /// When these prices were received.
    package var fetched: String

    package init(period: String, percent: String, fetched: String) {
        self.period = period
        self.percent = percent
        self.fetched = fetched
    }
}

extension CoinChange: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        period = try object.read("period")
        percent = try object.read("percent")
        fetched = try object.read("fetched")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("period", period)
        writer.member("percent", percent)
        writer.member("fetched", fetched)
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
