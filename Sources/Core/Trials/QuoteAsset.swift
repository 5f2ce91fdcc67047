package import Market

extension Symbol {
    /// The usual quote assets of exchanges. A name comes before the names that it ends with.
    private static let quotes = [
        "fdusd", "usdt", "usdc", "busd", "tusd", "inr", "usd", "eur", "gbp", "sek", "jpy", "try", "brl", "btc", "eth",
        "bnb", "wrx",
    ]

    /// The quote asset that the end of the name suggests: `inr` of `btcinr`; nil if no known asset matches.
    ///
    /// This is a guess, for data that has only names.
    package var presumedQuote: Asset? {
        let name = description
        return Self.quotes.first { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }.flatMap { Asset($0) }
    }
}
