internal import Diagnostics
package import Market

/// The settings in `[display]`.
package struct DisplaySettings: Equatable, Sendable {
    /// The value of `currency` that selects each market's quote currency.
    package static let quoteWord = "quote"
    /// The value of `usdt_as` that turns the peg of USDT off.
    package static let noneWord = "none"

    /// The currency that prices are shown in, or nil for each market's quote currency. Rules keep their own currency.
    package var currency = Currency("USD")
    /// The currency that USDT is treated as, or nil to treat it like any other coin.
    package var tetherCountsAs = Currency("USD")

    package init() {}

    init(reading table: TableReader) {
        currency = table.currency("currency", unless: Self.quoteWord, absent: currency)
        tetherCountsAs = table.currency("usdt_as", unless: Self.noneWord, absent: tetherCountsAs)
        if let node = table.node("usdt_as"), let other = tetherCountsAs, other == Currency("USDT") {
            table.context.error(
                node.position, "`usdt_as` is \(other) itself",
                advice: "name another currency, or write \"\(Self.noneWord)\"")
        }
    }
}

extension TableReader {
    /// Reads a currency. Returns nil if the text is `word`, and `absent` if the key is absent or faulty.
    fileprivate func currency(_ key: String, unless word: String, absent: Currency?) -> Currency? {
        guard let text = text(key, example: "\"USD\"") else { return absent }
        if text.value.lowercased() == word { return nil }
        guard let currency = Currency(text.value), currency.isKnown else {
            context.error(
                text.position, "`\(key)` is \"\(text.value)\", which is not a known currency",
                advice: currencyAdvice(text.value, word: word))
            return absent
        }
        return currency
    }
}
