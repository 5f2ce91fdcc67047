package import JSON
package import Market
internal import Time

/// The format of Kraken's spot market: `GET /0/public/Ticker` without a pair returns all tickers, as the members of
/// `result`.
///
/// With `assetVersion=1`, a member is called `BTC/USD`. Without it, and on older mirrors, it is called `XXBTZUSD`,
/// `XBTUSDT` or `1INCHEUR`. Both forms are read. The low, the high and the volume have two values, for today and for
/// the last 24 hours; the second one is used. The opening price is that of midnight UTC, because there is no other.
/// Tickers have no time.
///
/// Sources: docs.kraken.com (Get Ticker Information, Spot REST rate limits), and responses recorded by others: the
/// tests of knowm/XChange (`XXBTZEUR`, with two values in `a` and `b`) and of Switchboard's Kraken client
/// (`XXBTZUSD`, with three), and of clients that use `assetVersion=1`. Errors come in an array, also with status 200.
/// Users measured `{"error":["EGeneral:Too many requests"]}` after about 30 requests in a row.
package struct KrakenFormat: RecordFormat {
    package let shape = RecordShape(
        list: "/result",
        fields: [
            .last: "/c/0", .bid: "/b/0", .ask: "/a/0", .open: "/o", .high: "/h/1", .low: "/l/1", .volume: "/v/1",
        ],
        isNamedByKey: true)

    package init() {}

    package func market(_ name: String, _ detail: String) -> ListedMarket? {
        Self.market(name)
    }

    /// Reads an error: `{"error":["EService: Throttled: 1763630628"]}` has a severity (`E` or `W`), a category, a
    /// description, and sometimes more. The code is the text up to the second colon.
    package func error(in root: JSONValue) -> ExchangeError? {
        guard var object = try? root.object(), let list = object.member("error"),
            let texts = try? list.array(of: ErrorText.self), let first = texts.first(where: { $0.text.hasPrefix("E") })
        else { return nil }
        let parts = first.text.split(separator: ":").map { $0.drop { $0 == " " } }
        let code = parts.prefix(2).joined(separator: ":")
        let until = parts.count > 2 ? Int64(parts[2]) : nil
        return ExchangeError(
            code: code, message: parts.count > 2 ? first.text : "",
            until: until.flatMap { Self.seconds.contains($0) ? WallTime(milliseconds: $0 * 1_000) : nil })
    }

    /// The times that an error may name, in seconds: from 1970 to 9999.
    private static let seconds = 0...WallTime.latest.milliseconds / 1_000

    /// An element of `error`; empty unless it is a text.
    private struct ErrorText: JSONReadable {
        var text: String
        init(json: JSONValue) throws(JSONError) {
            text = (try? json.string()) ?? ""
        }
    }

    /// Returns the market of a name in either form, or nil if it has characters that a symbol cannot have.
    package static func market(_ name: String) -> ListedMarket? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 { return market(base: parts[0], quote: parts[1]) }
        guard parts.count == 1 else { return nil }
        // Each asset has four letters, of which the first says whether it is a coin (X) or money (Z): XXBTZUSD,
        // ZEURZUSD, XETHXXBT.
        let bytes = Array(name.utf8)
        if bytes.count == 8, isClass(bytes[0]), isClass(bytes[4]) {
            return market(base: name.dropFirst().prefix(3), quote: name.suffix(3))
        }
        // This is the only name with such a quote asset after a longer base asset. Other names must not be split like
        // this: XTZUSD is XTZ/USD.
        if name == "USDTZUSD" { return market(base: "USDT", quote: "USD") }
        if let quote = quotes.first(where: { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }) {
            return market(base: name.dropLast(quote.utf8.count), quote: quote[...])
        }
        return ListedMarket.plain(name).flatMap(Symbol.init).map { ListedMarket(symbol: $0) }
    }

    private static func market(base: Substring, quote: Substring) -> ListedMarket? {
        guard let base = ListedMarket.plain(base), let quote = ListedMarket.plain(quote) else { return nil }
        return ListedMarket(base: common[base] ?? base, quote: common[quote] ?? quote)
    }

    private static func isClass(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "X") || byte == UInt8(ascii: "Z") }

    /// Common names of assets, by Kraken's own names.
    private static let common = ["xbt": "btc", "xdg": "doge"]

    /// Kraken's own names of assets, by their common names.
    static let ownNames = Dictionary(common.map { ($1, $0) }) { first, _ in first }

    /// Quote assets at the end of names without a slash. If a name ends with two of them, the first one in the list
    /// applies.
    private static let quotes = [
        "USDT", "USDC", "RLUSD", "USD", "EUR", "GBP", "CAD", "JPY", "AUD", "CHF", "AED", "DAI", "XBT", "ETH",
    ]
}
