extension Symbol {
    /// Returns the symbol in its common form, base and quote: `BTC/INR`. If the quote asset is unknown or the symbol
    /// does not end with it, the result is the plain symbol.
    package func marketName(quotedIn quote: Asset?) -> String {
        let name = description
        guard let end = quote?.description, name.hasSuffix(end), name.utf8.count > end.utf8.count else { return name }
        return "\(name.dropLast(end.utf8.count))/\(end)".uppercased()
    }
}
