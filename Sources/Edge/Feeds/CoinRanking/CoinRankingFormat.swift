package import JSON
package import Market

/// The format of CoinRanking v2: `GET /v2/coins` returns a page of coins, the largest first.
///
/// The identity of a coin is its uuid, because several coins may have the same symbol. Of several coins with the same
/// symbol, the first one seen, which was the largest at that time, is named after the symbol: `btcusd`. The names of
/// the others also contain the uuid. Names never change, because they are kept in the state file. Prices are averages
/// over exchanges, in US dollars. A price with more than 18 decimals cannot be stored exactly and is not used. A
/// price may be null. Tickers have no bid, ask or volume.
///
/// Sources: the service's own documentation (developers.coinranking.com), and responses that others recorded in 2023
/// and 2025.
package struct CoinRankingFormat: RecordFormat {
    package let shape = RecordShape(
        list: "/data/coins", fields: [.symbol: "/symbol", .detail: "/uuid", .last: "/price"])
    package let detailField: RecordShape.Field? = .detail
    /// The quote asset of all prices.
    private static let quote = "usd"
    /// The maximum number of names that are kept while coins come and go. If there are more, the next poll starts
    /// over with the names in ``FeedParameters/coinNames``.
    private static let nameLimit = CoinName.limit
    private static let longestIdentity = 64

    /// Markets, by the uuid of the coin.
    private var markets: [String: ListedMarket] = [:]
    private var taken: Set<Symbol> = []

    /// - Parameter names: The markets that coins had before.
    package init(_ names: [CoinName] = []) {
        for name in names {
            let symbol = name.symbol.description
            guard symbol.hasSuffix(Self.quote), taken.insert(name.symbol).inserted else { continue }
            markets[name.identity] = ListedMarket(
                base: String(symbol.dropLast(Self.quote.utf8.count)), quote: Self.quote)
        }
    }

    /// Returns the market of a coin, or nil if the coin was never seen.
    func market(of uuid: String) -> Symbol? { markets[uuid]?.symbol }

    /// True if there are more names than may be kept, so that the next poll must start over with the stored names.
    var isFull: Bool { markets.count > Self.nameLimit }

    /// Returns true if the text may be the id of a coin, which becomes a part of addresses: at most 64 letters,
    /// digits, `-` and `_`.
    static func isIdentity(_ text: String) -> Bool {
        (1...longestIdentity).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                isLowercaseOrDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == 0x2D
                    || $0 == 0x5F
            }
    }

    package mutating func market(_ name: String, _ uuid: String) -> ListedMarket? {
        if let known = markets[uuid] { return known }
        // The limit is doubled, because the names of a response are added before old names are forgotten.
        guard Self.isIdentity(uuid), markets.count < 2 * Self.nameLimit else { return nil }
        let plain = Self.letters(of: name)
        let names = [plain, plain + Self.letters(of: uuid)]
        let market = names.lazy.compactMap { ListedMarket(base: $0, quote: Self.quote) }.first {
            !taken.contains($0.symbol)
        }
        guard let market else { return nil }
        markets[uuid] = market
        taken.insert(market.symbol)
        return market
    }

    /// Reads an error: `{"status":"fail","code":"RATE_LIMIT_EXCEEDED","message":"…"}`. Other errors have `type`
    /// instead of `code`.
    package func error(in root: JSONValue) -> ExchangeError? {
        guard var object = try? root.object(), object.text("status") == "fail" else { return nil }
        return ExchangeError(
            code: object.text("code") ?? object.text("type") ?? "", message: object.text("message") ?? "")
    }

    /// Returns the letters and digits of a name in lower case. Some symbols contain a currency sign.
    private static func letters(of name: String) -> String {
        String(decoding: name.lowercased().utf8.filter(isLowercaseOrDigit), as: UTF8.self)
    }
}
