// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `ListPrices`.
package struct ListPricesParameters: Equatable, Sendable {
    package var symbol: String
    /// The first instant that is included; the oldest kept price if nil.
    package var since: String?
    /// The first instant that is not included; no limit if nil.
    package var until: String?
    /// Return only this many of the newest prices.
    package var last: Int?

    package init(symbol: String, since: String? = nil, until: String? = nil, last: Int? = nil) {
        self.symbol = symbol
        self.since = since
        self.until = until
        self.last = last
    }
}

extension ListPricesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
        since = try object.readIfPresent("since")
        until = try object.readIfPresent("until")
        last = try object.readIfPresent("last")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("since", since)
        writer.member("until", until)
        writer.member("last", last)
        writer.endObject()
    }
}

/// The reply of `ListPrices`.
package struct ListPricesReply: Equatable, Sendable {
    package var simulated: Bool
    /// Successive prices further apart than this have a gap between them.
    package var gapMilliseconds: Int
    package var prices: [PricePoint]
    /// The `since` of the next page; nil if this is the last one.
    package var next: String?

    package init(simulated: Bool, gapMilliseconds: Int, prices: [PricePoint], next: String? = nil) {
        self.simulated = simulated
        self.gapMilliseconds = gapMilliseconds
        self.prices = prices
        self.next = next
    }
}

extension ListPricesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        gapMilliseconds = try object.read("gap_ms")
        prices = try object.read("prices")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("gap_ms", gapMilliseconds)
        writer.member("prices", prices)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `ListBars`.
package struct ListBarsParameters: Equatable, Sendable {
    package var symbol: String
    package var since: String
    package var until: String
    /// The length of a step; at least 1.
    package var stepMilliseconds: Int
    /// Steps begin at whole multiples of their length since 1970-01-01T00:00:00Z, this much later; 0 if nil.
    package var offsetMilliseconds: Int?

    package init(symbol: String, since: String, until: String, stepMilliseconds: Int, offsetMilliseconds: Int? = nil) {
        self.symbol = symbol
        self.since = since
        self.until = until
        self.stepMilliseconds = stepMilliseconds
        self.offsetMilliseconds = offsetMilliseconds
    }
}

extension ListBarsParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
        since = try object.read("since")
        until = try object.read("until")
        stepMilliseconds = try object.read("step_ms")
        offsetMilliseconds = try object.readIfPresent("offset_ms")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("since", since)
        writer.member("until", until)
        writer.member("step_ms", stepMilliseconds)
        writer.member("offset_ms", offsetMilliseconds)
        writer.endObject()
    }
}

/// The reply of `ListBars`.
package struct ListBarsReply: Equatable, Sendable {
    package var simulated: Bool
    package var bars: [PriceBar]
    /// The `since` of the next page; nil if this is the last one.
    package var next: String?

    package init(simulated: Bool, bars: [PriceBar], next: String? = nil) {
        self.simulated = simulated
        self.bars = bars
        self.next = next
    }
}

extension ListBarsReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        bars = try object.read("bars")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("bars", bars)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `ListCandles`.
package struct ListCandlesParameters: Equatable, Sendable {
    package var symbol: String
    /// The first instant that is included; the oldest kept candle if nil.
    package var since: String?
    /// The first instant that is not included; no limit if nil.
    package var until: String?

    package init(symbol: String, since: String? = nil, until: String? = nil) {
        self.symbol = symbol
        self.since = since
        self.until = until
    }
}

extension ListCandlesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        symbol = try object.read("symbol")
        since = try object.readIfPresent("since")
        until = try object.readIfPresent("until")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("symbol", symbol)
        writer.member("since", since)
        writer.member("until", until)
        writer.endObject()
    }
}

/// The reply of `ListCandles`.
package struct ListCandlesReply: Equatable, Sendable {
    package var simulated: Bool
    package var candles: [PriceCandle]
    /// The `since` of the next page; nil if this is the last one.
    package var next: String?

    package init(simulated: Bool, candles: [PriceCandle], next: String? = nil) {
        self.simulated = simulated
        self.candles = candles
        self.next = next
    }
}

extension ListCandlesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        candles = try object.read("candles")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("candles", candles)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `ExportPrices`.
package struct ExportPricesParameters: Equatable, Sendable {
    /// The name of the source; required if there are several.
    package var source: String?
    /// Patterns in which `*` stands for any characters; all symbols if nil.
    package var match: [String]?
    package var since: String?
    package var until: String?
    /// The `next` of the previous page; nil for the first one.
    package var next: String?

    package init(
        source: String? = nil, match: [String]? = nil, since: String? = nil, until: String? = nil, next: String? = nil
    ) {
        self.source = source
        self.match = match
        self.since = since
        self.until = until
        self.next = next
    }
}

extension ExportPricesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.readIfPresent("source")
        match = try object.readIfPresent("match")
        since = try object.readIfPresent("since")
        until = try object.readIfPresent("until")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("match", match)
        writer.member("since", since)
        writer.member("until", until)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The reply of `ExportPrices`.
package struct ExportPricesReply: Equatable, Sendable {
    package var simulated: Bool
    /// The name of the source.
    package var source: String
    package var rows: [PriceRow]
    /// The `next` to request the next page with; nil if this is the last one.
    package var next: String?

    package init(simulated: Bool, source: String, rows: [PriceRow], next: String? = nil) {
        self.simulated = simulated
        self.source = source
        self.rows = rows
        self.next = next
    }
}

extension ExportPricesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        simulated = try object.read("simulated")
        source = try object.read("source")
        rows = try object.read("rows")
        next = try object.readIfPresent("next")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("simulated", simulated)
        writer.member("source", source)
        writer.member("rows", rows)
        writer.member("next", next)
        writer.endObject()
    }
}

/// The parameters of `ImportPrices`.
package struct ImportPricesParameters: Equatable, Sendable {
    /// The name of the source; required if there are several.
    package var source: String?
    package var columns: [PriceColumn]
    /// Whether this is the last call: everything sent on the connection is then saved.
    package var last: Bool

    package init(source: String? = nil, columns: [PriceColumn], last: Bool) {
        self.source = source
        self.columns = columns
        self.last = last
    }
}

extension ImportPricesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.readIfPresent("source")
        columns = try object.read("columns")
        last = try object.read("last")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("columns", columns)
        writer.member("last", last)
        writer.endObject()
    }
}

/// The reply of `ImportPrices`.
package struct ImportPricesReply: Equatable, Sendable {
    package var added: Int
    /// Prices that were already there.
    package var duplicates: Int
    /// Prices for whose symbol and time another price exists, which is kept.
    package var conflicting: Int
    /// Prices older than the history.
    package var tooOld: Int

    package init(added: Int, duplicates: Int, conflicting: Int, tooOld: Int) {
        self.added = added
        self.duplicates = duplicates
        self.conflicting = conflicting
        self.tooOld = tooOld
    }
}

extension ImportPricesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        added = try object.read("added")
        duplicates = try object.read("duplicates")
        conflicting = try object.read("conflicting")
        tooOld = try object.read("too_old")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("added", added)
        writer.member("duplicates", duplicates)
        writer.member("conflicting", conflicting)
        writer.member("too_old", tooOld)
        writer.endObject()
    }
}
