package import Market

extension Symbol {
    /// What exchanges quote prices in; of two that fit a name, the longer one is meant.
    private static let quotes = [
        "fdusd", "usdt", "usdc", "busd", "tusd", "inr", "usd", "eur", "gbp", "sek", "jpy", "try", "brl", "btc", "eth",
        "bnb", "wrx",
    ]

    /// The asset that prices are in, as the end of the name tells it: `inr` of `btcinr`; nil for none that is known.
    ///
    /// It is a guess, for data that say no more than the name.
    package var presumedQuote: Asset? {
        let name = description
        return Self.quotes.first { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }.flatMap { Asset($0) }
    }
}
