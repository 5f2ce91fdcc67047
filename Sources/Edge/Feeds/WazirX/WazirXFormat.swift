package import JSON
package import Market

/// The format of WazirX's spot market: `GET /sapi/v1/tickers/24hr` returns all tickers in one array. It has had 122
/// to 459 symbols.
///
/// Sources: the exchange's own documentation (docs.wazirx.com), and responses of 2020 to 2024 that others recorded.
package struct WazirXFormat: RecordFormat {
    package let shape = RecordShape(
        list: "",
        fields: [
            .symbol: "/symbol", .base: "/baseAsset", .quote: "/quoteAsset", .open: "/openPrice", .low: "/lowPrice",
            .high: "/highPrice", .last: "/lastPrice", .volume: "/volume", .bid: "/bidPrice", .ask: "/askPrice",
            .time: "/at",
        ])

    package init() {}

    package func market(_ name: String, _ detail: String) -> ListedMarket? {
        Symbol(name).map { ListedMarket(symbol: $0) }
    }

    /// Reads an error: `{"code":2136,"message":"Too many api request"}`
    package func error(in root: JSONValue) -> ExchangeError? {
        guard var object = try? root.object(), let code = try? object.member("code")?.numberText(),
            let number = Int64(code)
        else { return nil }
        return ExchangeError(code: "\(number)", message: object.text("message") ?? "")
    }
}
