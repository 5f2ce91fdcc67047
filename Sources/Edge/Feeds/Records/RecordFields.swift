internal import CSimdJSON.Tickers
internal import Market
internal import Time

extension Ticker {
    /// Creates a ticker from a record. A field that is missing, of another type, or not an exact number is nil.
    init(
        _ market: ListedMarket, _ element: csimdjson_ticker, of text: Span<UInt8>, unit: RecordShape.TimeUnit,
        received: WallTime
    ) {
        self.init(
            symbol: market.symbol, base: market.base ?? asset(element.base_asset, of: text),
            quote: market.quote ?? asset(element.quote_asset, of: text),
            open: decimal(element.open_price, of: text),
            low: decimal(element.low_price, of: text),
            high: decimal(element.high_price, of: text),
            last: decimal(element.last_price, of: text),
            volume: decimal(element.volume, of: text),
            bid: decimal(element.bid_price, of: text),
            ask: decimal(element.ask_price, of: text),
            exchangeTime: time(element.at, of: text, unit: unit, received: received))
    }
}

/// The maximum distance of an exchange's time from the time of receipt. A time beyond that is ignored.
private let timeLimit = Milliseconds(86_400_000)

private func time(
    _ slice: csimdjson_slice, of text: Span<UInt8>, unit: RecordShape.TimeUnit, received: WallTime
) -> WallTime? {
    guard let number = wholeNumber(slice, of: text) else { return nil }
    if unit == .milliseconds {
        let distance = WallTime(milliseconds: number).since(received)
        return distance <= timeLimit && Milliseconds(-timeLimit.count) <= distance
            ? WallTime(milliseconds: number) : nil
    }
    let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: 1_000)
    let candidates = [number, isTooLarge ? number : seconds, number / 1_000]
    return candidates.lazy.map(WallTime.init(milliseconds:)).first {
        let distance = $0.since(received)
        return distance <= timeLimit && Milliseconds(-timeLimit.count) <= distance
    }
}
