internal import CSimdJSON.Tickers
internal import Market
internal import Time

extension Ticker {
    /// Makes a ticker from the fields of one element and what they mean; nil when it has no valid symbol.
    @inline(__always)
    init?(_ element: csimdjson_ticker, _ values: csimdjson_values, of text: Span<UInt8>, received: WallTime) {
        guard let symbol = name(values.symbol, element.symbol, of: text) else { return nil }
        self.init(
            symbol: Symbol(unchecked: symbol),
            base: name(values.base_asset, element.base_asset, of: text).map(Asset.init(unchecked:)),
            quote: name(values.quote_asset, element.quote_asset, of: text).map(Asset.init(unchecked:)),
            open: decimal(values.open_price, element.open_price, of: text),
            low: decimal(values.low_price, element.low_price, of: text),
            high: decimal(values.high_price, element.high_price, of: text),
            last: decimal(values.last_price, element.last_price, of: text),
            volume: decimal(values.volume, element.volume, of: text),
            bid: decimal(values.bid_price, element.bid_price, of: text),
            ask: decimal(values.ask_price, element.ask_price, of: text),
            exchangeTime: plausibleTime(values.at, element.at, of: text, received: received))
    }
}

/// How far `at` may be from the time of receipt; a time in seconds read as milliseconds is off by decades.
private let exchangeTimeLimit: Int64 = 86_400_000

@inline(__always)
func decimal(_ value: csimdjson_decimal, _ slice: csimdjson_slice, of text: Span<UInt8>) -> Price? {
    guard value.is_read == 0 else { return Price(unchecked: value.mantissa, scale: value.scale) }
    return decimal(slice, of: text)
}

/// Every number that is not plain digits: longer ones, negative ones, those with an exponent.
@inline(never)
private func decimal(_ slice: csimdjson_slice, of text: Span<UInt8>) -> Price? {
    guard slice.isUsable else { return nil }
    return try? Price(parsing: text, in: slice.range)
}

@inline(__always)
private func name(_ value: csimdjson_name, _ slice: csimdjson_slice, of text: Span<UInt8>) -> ShortText? {
    guard value.is_read == 0 else { return ShortText(words: (value.words.0, value.words.1, 0, 0)) }
    return slice.isString ? ShortText(lowercaseOrDigits: text, in: slice.range) : nil
}

/// The time of an element; nil when it has none that is near the time of receipt.
@inline(__always)
func plausibleTime(
    _ value: csimdjson_decimal, _ slice: csimdjson_slice, of text: Span<UInt8>, received: WallTime
) -> WallTime? {
    guard let milliseconds = wholeNumber(value, slice, of: text) else { return nil }
    let time = WallTime(milliseconds: milliseconds)
    let distance = time.since(received).count
    return distance <= exchangeTimeLimit && distance >= -exchangeTimeLimit ? time : nil
}

@inline(__always)
func wholeNumber(_ value: csimdjson_decimal, _ slice: csimdjson_slice, of text: Span<UInt8>) -> Int64? {
    if value.is_read != 0, value.scale == 0 { return value.mantissa }
    return slice.isUsable ? Int64(reading: text.extracting(slice.range)) : nil
}

extension csimdjson_slice {
    /// Its position in the text.
    var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
    var isString: Bool { kind == UInt32(CSIMDJSON_KIND_STRING) }
    var isNumber: Bool { kind == UInt32(CSIMDJSON_KIND_NUMBER) }
    var isUsable: Bool { kind != UInt32(CSIMDJSON_KIND_NONE) }
}

extension Int64 {
    /// Reads `-?digits`; nil for any other text and for numbers that do not fit.
    init?(reading text: Span<UInt8>) {
        let isNegative = text.count > 0 && text[0] == 0x2D
        guard text.count > (isNegative ? 1 : 0) else { return nil }
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<text.count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.subtractingReportingOverflow(Int64(digit))
            guard !isTooLarge, !overflow else { return nil }
            value = sum
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}

extension String {
    /// A copy of the given text, with what is not valid UTF-8 replaced.
    init(copying text: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for index in text.indices { bytes.append(text[index]) }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
