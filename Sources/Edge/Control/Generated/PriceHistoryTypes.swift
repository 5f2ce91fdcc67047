// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The prices of one time step.
package struct PriceBar: Equatable, Sendable {
    /// When the step begins.
    package var time: String
    package var open: String
    package var high: String
    package var low: String
    package var close: String
    package var samples: Int

    package init(time: String, open: String, high: String, low: String, close: String, samples: Int) {
        self.time = time
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.samples = samples
    }
}

extension PriceBar: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        time = try object.read("time")
        open = try object.read("open")
        high = try object.read("high")
        low = try object.read("low")
        close = try object.read("close")
        samples = try object.read("samples")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("time", time)
        writer.member("open", open)
        writer.member("high", high)
        writer.member("low", low)
        writer.member("close", close)
        writer.member("samples", samples)
        writer.endObject()
    }
}

/// The prices of one poll: equally many symbols and prices, in the same order.
package struct PriceRow: Equatable, Sendable {
    package var time: String
    package var symbols: [String]
    package var prices: [String]

    package init(time: String, symbols: [String], prices: [String]) {
        self.time = time
        self.symbols = symbols
        self.prices = prices
    }
}

extension PriceRow: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        time = try object.read("time")
        symbols = try object.read("symbols")
        prices = try object.read("prices")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("time", time)
        writer.member("symbols", symbols)
        writer.member("prices", prices)
        writer.endObject()
    }
}

/// Prices of one symbol: equally many times and prices, in the same order.
package struct PriceColumn: Equatable, Sendable {
    package var symbol: String
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var timesMilliseconds: [Int]
    package var prices: [String]

    package init(symbol: String, timesMilliseconds: [Int], prices: [String]) {
        self.symbol = symbol
        self.timesMilliseconds = timesMilliseconds
        self.prices = prices
    }
}

extension PriceColumn: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
        timesMilliseconds = try object.read("times_ms")
        prices = try object.read("prices")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("times_ms", timesMilliseconds)
        writer.member("prices", prices)
        writer.endObject()
    }
}

/// How the price of a symbol moved within a minute in which the daemon had no prices, as the exchange recorded it.
package struct PriceCandle: Equatable, Sendable {
    /// When the minute begins.
    package var time: String
    package var open: String
    package var high: String
    package var low: String
    package var close: String
    /// The amount that was traded, in the base asset.
    package var volume: String

    package init(time: String, open: String, high: String, low: String, close: String, volume: String) {
        self.time = time
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
    }
}

extension PriceCandle: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        time = try object.read("time")
        open = try object.read("open")
        high = try object.read("high")
        low = try object.read("low")
        close = try object.read("close")
        volume = try object.read("volume")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("time", time)
        writer.member("open", open)
        writer.member("high", high)
        writer.member("low", low)
        writer.member("close", close)
        writer.member("volume", volume)
        writer.endObject()
    }
}
