internal import CSimdJSON.Records

/// The positions of the tickers in a response, and of the fields in an element, as JSON pointers (RFC 6901).
package struct RecordShape: Sendable {
    /// A field of an element. The raw values are the numbers of the fields in the parser of records.
    package enum Field: Int, CaseIterable, Sendable {
        case symbol
        /// The base asset, if the market of the symbol has none.
        case base
        /// The quote asset, if the market of the symbol has none.
        case quote
        case open
        case low
        case high
        case last
        case volume
        case bid
        case ask
        case time
        /// A value that a market depends on in addition to its symbol.
        case detail
    }

    /// The unit of `time`, which counts since 1970.
    package enum TimeUnit: Sendable {
        case milliseconds
        /// Seconds, milliseconds or microseconds: the unit that gives a time near the time of receipt.
        case any
    }

    /// The position of the list whose elements are the tickers, or nil if the whole response is one ticker.
    package var list: String?
    /// The position of each field in an element.
    package var fields: [Field: String]
    /// True if the list is an object, in which the name of an element is the name of the ticker. False if it is an
    /// array.
    package var isNamedByKey = false
    /// True if a symbol may be written as a number.
    package var takesNumbersAsSymbols = false
    /// The unit of the field ``Field/time``. A time more than a day from the time of receipt is ignored.
    package var timeUnit = TimeUnit.milliseconds

    /// Creates a shape. `list` and the values of `fields` are JSON pointers. An empty pointer is the whole response,
    /// or the whole element.
    package init(
        list: String?, fields: [Field: String], isNamedByKey: Bool = false, timeUnit: TimeUnit = .milliseconds
    ) {
        (self.list, self.fields, self.isNamedByKey, self.timeUnit) = (list, fields, isNamedByKey, timeUnit)
    }
}

/// The parts of a record as the parser found them.
struct Record {
    var raw = csimdjson_record()

    subscript(field: RecordShape.Field) -> csimdjson_slice {
        let ticker = raw.ticker
        return switch field {
        case .symbol: ticker.symbol
        case .base: ticker.base_asset
        case .quote: ticker.quote_asset
        case .open: ticker.open_price
        case .low: ticker.low_price
        case .high: ticker.high_price
        case .last: ticker.last_price
        case .volume: ticker.volume
        case .bid: ticker.bid_price
        case .ask: ticker.ask_price
        case .time: ticker.at
        case .detail: raw.detail
        }
    }
}
