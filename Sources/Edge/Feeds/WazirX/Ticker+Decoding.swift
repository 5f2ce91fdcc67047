internal import CSimdJSON.Tickers
internal import Market
internal import Time

extension Ticker {
    /// Makes a ticker from the fields of one element; nil when it has no valid symbol.
    init?(_ element: csimdjson_ticker, of text: Span<UInt8>, received: WallTime) {
        guard element.symbol.isString, let symbol = Symbol(text, in: element.symbol.range) else { return nil }
        self.init(
            symbol: symbol,
            base: asset(element.base_asset, of: text),
            quote: asset(element.quote_asset, of: text),
            open: decimal(element.open_price, of: text),
            low: decimal(element.low_price, of: text),
            high: decimal(element.high_price, of: text),
            last: decimal(element.last_price, of: text),
            volume: decimal(element.volume, of: text),
            bid: decimal(element.bid_price, of: text),
            ask: decimal(element.ask_price, of: text),
            exchangeTime: plausibleTime(element.at, of: text, received: received))
    }
}

/// How far `at` may be from the time of receipt; a time in seconds read as milliseconds is off by decades.
private let exchangeTimeLimit = Milliseconds(86_400_000)
private let earliestExchangeTime = Milliseconds(-86_400_000)

@inline(__always)
private func decimal(_ slice: csimdjson_slice, of text: Span<UInt8>) -> Price? {
    guard slice.isUsable else { return nil }
    return try? Price(parsing: text, in: slice.range)
}

private func asset(_ slice: csimdjson_slice, of text: Span<UInt8>) -> Asset? {
    slice.isString ? Asset(text, in: slice.range) : nil
}

private func plausibleTime(_ slice: csimdjson_slice, of text: Span<UInt8>, received: WallTime) -> WallTime? {
    guard slice.isUsable, let milliseconds = Int64(reading: text.extracting(slice.range)) else { return nil }
    let time = WallTime(milliseconds: milliseconds)
    let distance = time.since(received)
    return distance <= exchangeTimeLimit && distance >= earliestExchangeTime ? time : nil
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
        if let short = Self(digits: text) {
            self = short
            return
        }
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

extension Int64 {
    /// Reads 1 to 18 digits, which always fit; nil for any other text.
    private init?(digits text: Span<UInt8>) {
        guard text.count > 0, text.count <= 18 else { return nil }
        var value: Int64 = 0
        for index in text.indices {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        self = value
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
