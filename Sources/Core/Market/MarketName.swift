extension Symbol {
    /// The market as people write it, base and quote: `BTC/INR`. The name of the symbol where the quote asset is not
    /// known, or is not the end of it.
    package func marketName(quotedIn quote: Asset?) -> String {
        let name = description
        guard let end = quote?.description, name.hasSuffix(end), name.utf8.count > end.utf8.count else { return name }
        return "\(name.dropLast(end.utf8.count))/\(end)".uppercased()
    }
}
