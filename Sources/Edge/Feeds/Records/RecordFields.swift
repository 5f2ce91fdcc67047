internal import CSimdJSON.Tickers
internal import Market
internal import Time

extension Ticker {
    /// Makes a ticker of a record. A field that is missing, of another type, or not an exact number is nil.
    init(
        _ market: ListedMarket, _ element: csimdjson_ticker, of text: Span<UInt8>, unit: RecordShape.TimeUnit,
        received: WallTime
    ) {
        self.init(
            symbol: market.symbol, base: market.base, quote: market.quote,
            open: exactNumber(element.open_price, of: text),
            low: exactNumber(element.low_price, of: text),
            high: exactNumber(element.high_price, of: text),
            last: exactNumber(element.last_price, of: text),
            volume: exactNumber(element.volume, of: text),
            bid: exactNumber(element.bid_price, of: text),
            ask: exactNumber(element.ask_price, of: text),
            exchangeTime: time(element.at, of: text, unit: unit, received: received))
    }
}

/// The number of a slice, exactly as it is written; nil when it is not a number or does not fit.
@inline(__always)
func exactNumber(_ slice: csimdjson_slice, of text: Span<UInt8>) -> Price? {
    guard slice.isUsable else { return nil }
    return try? Price(parsing: text, in: slice.range)
}

/// A time of an exchange counts only within a day of the time of receipt.
private let timeLimit = Milliseconds(86_400_000)

private func time(
    _ slice: csimdjson_slice, of text: Span<UInt8>, unit: RecordShape.TimeUnit, received: WallTime
) -> WallTime? {
    guard slice.isUsable, let number = Int64(reading: text.extracting(slice.range)) else { return nil }
    let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: 1_000)
    let candidates = unit == .milliseconds ? [number] : [number, isTooLarge ? number : seconds, number / 1_000]
    return candidates.lazy.map(WallTime.init(milliseconds:)).first {
        let distance = $0.since(received)
        return distance <= timeLimit && Milliseconds(-timeLimit.count) <= distance
    }
}
