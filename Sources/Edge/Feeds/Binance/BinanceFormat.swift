package import JSON
package import Market
internal import Time

/// The format of Binance's spot market: `GET /api/v3/ticker/24hr` without a symbol returns all tickers in one array.
///
/// Sources: the exchange's own documentation (github.com/binance/binance-spot-api-docs, `rest-api.md`, `errors.md`),
/// and responses recorded by others: the tests of binance/binance-connector-typescript, and a ticker of SHIBTRY of
/// 2022 in the code of small bots. Errors with the end of a ban are as users of ccxt reported them.
package struct BinanceFormat: RecordFormat {
    package let shape = RecordShape(
        list: "",
        fields: [
            .symbol: "/symbol", .last: "/lastPrice", .bid: "/bidPrice", .ask: "/askPrice", .open: "/openPrice",
            .high: "/highPrice", .low: "/lowPrice", .volume: "/volume", .time: "/closeTime",
        ])

    package init() {}

    package func market(_ name: String, _ detail: String) -> ListedMarket? {
        Self.market(name)
    }

    /// Reads the exchange's own error.
    ///
    /// `{"code":-1003,"msg":"Way too much request weight used; IP banned until 1763630628570. Please …"}`
    package func error(in root: JSONValue) -> ExchangeError? {
        guard var object = try? root.object(), let code = object.text("code") else { return nil }
        let message = object.text("msg") ?? object.text("message") ?? ""
        return ExchangeError(code: code, message: message, until: Self.endOfBan(in: message))
    }

    /// Returns the market of a symbol such as `BTCUSDT`, in which nothing separates the assets. The quote asset is
    /// the longest known asset at the end of the symbol.
    ///
    /// - Returns: A market without assets if the symbol does not end with a known one. Nil if it has characters that
    ///   a symbol cannot have, as a few coins do.
    package static func market(_ name: String) -> ListedMarket? {
        guard let plain = ListedMarket.plain(name) else { return nil }
        for length in stride(from: longestQuote, through: 1, by: -1) where plain.utf8.count > length {
            let quote = String(plain.suffix(length))
            if quotes.contains(quote) { return ListedMarket(base: String(plain.dropLast(length)), quote: quote) }
        }
        return Symbol(plain).map { ListedMarket(symbol: $0) }
    }

    /// The assets that markets are or were quoted in. None of them may equal the end of a base asset followed by a
    /// shorter quote asset. AEUR is missing for this reason: few markets were quoted in it, and ADA/EUR ends with it.
    package static let quotes: Set<String> = [
        "usdt", "fdusd", "usdc", "tusd", "busd", "usdp", "usds", "usd1", "xusd", "bfusd", "dai", "pax", "ust", "vai",
        "btc", "eth", "bnb", "xrp", "trx", "doge", "sol", "dot",
        "eur", "euri", "gbp", "try", "brl", "jpy", "aud", "pln", "ron", "czk", "ars", "mxn", "cop", "zar", "uah", "ngn",
        "rub", "kzt", "idrt", "bidr", "bkrw", "bvnd",
    ]

    private static let longestQuote = quotes.reduce(0) { max($0, $1.utf8.count) }

    /// Reads the time after the word `until`, in milliseconds since 1970.
    private static func endOfBan(in message: String) -> WallTime? {
        let words = message.split(whereSeparator: { $0 == " " || $0 == "." })
        guard let place = words.firstIndex(of: "until"), place + 1 < words.count else { return nil }
        return Int64(words[place + 1]).map(WallTime.init(milliseconds:))
    }
}
