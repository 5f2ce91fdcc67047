internal import CSimdJSON.Records

/// Where the tickers of a response are, and where the fields of a ticker are in its element: JSON pointers (RFC 6901).
package struct RecordShape: Sendable {
    /// A field of an element; the raw values are the numbers that the reader of records gives to them.
    package enum Field: Int, CaseIterable, Sendable {
        case symbol
        /// The base asset, where the market of the symbol has none.
        case base
        /// The quote asset, likewise.
        case quote
        case open
        case low
        case high
        case last
        case volume
        case bid
        case ask
        case time
        /// What else a market depends on than its symbol.
        case detail
    }

    /// What `time` counts since 1970.
    package enum TimeUnit: Sendable {
        case milliseconds
        /// Seconds, milliseconds or microseconds: the one that is near the time of receipt.
        case any
    }

    /// The place of the list whose elements are the tickers; nil when the whole response is one ticker.
    package var list: String?
    /// The place of each field in an element.
    package var fields: [Field: String]
    /// Whether the list is an object, in which an element's name is that of the ticker; otherwise it is an array.
    package var isNamedByKey = false
    /// Whether a symbol may be written as a number.
    package var takesNumbersAsSymbols = false
    /// What the field ``Field/time`` counts. A time more than a day from that of receipt is left out.
    package var timeUnit = TimeUnit.milliseconds

    /// `list` and the values of `fields` are JSON pointers; an empty one is the whole response, or the whole element.
    package init(
        list: String?, fields: [Field: String], isNamedByKey: Bool = false, timeUnit: TimeUnit = .milliseconds
    ) {
        (self.list, self.fields, self.isNamedByKey, self.timeUnit) = (list, fields, isNamedByKey, timeUnit)
    }
}

/// The parts of a record as the reader found them.
struct Record {
    var raw = csimdjson_record()
    /// The numbers that were read already.

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
