package import JSON
package import Market

/// Coins of CoinRanking v2: `GET /v2/coins` gives a page of them, the largest first.
///
/// A coin's identity is its uuid, as several coins may have the same symbol. The one that was seen first, the largest
/// at that time, is named by its symbol, `btcusd`; others get their uuid as well. Names never change: they are kept in
/// the state file. Prices are averages over exchanges in US dollars, with up to 18 places after the point; what has
/// more is not exact enough to be used. A price may be null. Where there is no bid, ask, or volume in the coin, there
/// is none in the ticker.
///
/// Sources: the service's own documentation (developers.coinranking.com), and answers that others recorded in 2023 and
/// 2025.
package struct CoinRankingFormat: RecordFormat {
    package let shape = RecordShape(
        list: "/data/coins", fields: [.symbol: "/symbol", .detail: "/uuid", .last: "/price"])
    package let detailField: RecordShape.Field? = .detail
    /// The asset of all prices.
    private static let quote = "usd"
    /// The most names that are kept while coins come and go; the next poll then begins with those that were kept
    /// elsewhere.
    private static let nameLimit = CoinName.limit
    private static let longestIdentity = 64

    /// The markets by the uuid of the coin.
    private var markets: [String: ListedMarket] = [:]
    private var taken: Set<Symbol> = []

    /// - Parameter names: the markets that coins have had before.
    package init(_ names: [CoinName] = []) {
        for name in names {
            let symbol = name.symbol.description
            guard symbol.hasSuffix(Self.quote), taken.insert(name.symbol).inserted else { continue }
            markets[name.identity] = ListedMarket(
                base: String(symbol.dropLast(Self.quote.utf8.count)), quote: Self.quote)
        }
    }

    /// The market of a coin that was seen.
    func market(of uuid: String) -> Symbol? { markets[uuid]?.symbol }

    /// Whether there are more names than are kept, so that the oldest have to be forgotten.
    var isFull: Bool { markets.count > Self.nameLimit }

    /// Whether the text can be an identifier of a coin, which becomes a part of addresses: at most 64 letters, digits,
    /// `-` and `_`.
    static func isIdentity(_ text: String) -> Bool {
        (1...longestIdentity).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                isLowercaseOrDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == 0x2D
                    || $0 == 0x5F
            }
    }

    package mutating func market(_ name: String, _ uuid: String) -> ListedMarket? {
        if let known = markets[uuid] { return known }
        // Twice as many, because those of a response come before old ones are forgotten.
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

    /// `{"status":"fail","code":"RATE_LIMIT_EXCEEDED","message":"…"}`; other errors have `type` instead of `code`.
    package func error(in root: JSONValue) -> ExchangeError? {
        guard var object = try? root.object(), object.text("status") == "fail" else { return nil }
        return ExchangeError(
            code: object.text("code") ?? object.text("type") ?? "", message: object.text("message") ?? "")
    }

    /// The letters and digits of a name in lower case: some symbols have a sign of money in them.
    private static func letters(of name: String) -> String {
        String(decoding: name.lowercased().utf8.filter(isLowercaseOrDigit), as: UTF8.self)
    }
}
