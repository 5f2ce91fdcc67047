package import Market

extension Symbol {
    /// What exchanges quote prices in, longer names first.
    private static let quotes = [
        "fdusd", "usdt", "usdc", "busd", "tusd", "inr", "usd", "eur", "gbp", "sek", "jpy", "try", "brl", "btc", "eth",
        "bnb", "wrx",
    ]

    /// The quote asset according to the end of the name: `inr` of `btcinr`; nil when no known asset matches.
    ///
    /// It is a guess, for data with nothing but names.
    package var presumedQuote: Asset? {
        let name = description
        return Self.quotes.first { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }.flatMap { Asset($0) }
    }
}
