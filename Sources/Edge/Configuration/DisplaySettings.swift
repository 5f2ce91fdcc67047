internal import Diagnostics
package import Market

/// `[display]`
package struct DisplaySettings: Equatable, Sendable {
    /// The word that stands for each market's own currency.
    package static let quoteWord = "quote"
    /// The word that turns the peg of USDT off.
    package static let noneWord = "none"

    /// The currency that prices are shown in; nil for each market's own. Rules keep theirs.
    package var currency = Currency("USD")
    /// What USDT counts as, by declaration; nil when it is a coin like any other.
    package var tetherCountsAs = Currency("USD")

    /// The defaults of the section `[display]`.
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
    /// A currency, or nil for the word that means none.
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
