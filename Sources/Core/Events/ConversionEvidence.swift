package import Market
package import Time

/// The conversion of a price from the market's quote currency into the rule's currency.
package struct ConversionEvidence: Equatable, Sendable {
    /// The price of one unit of the quote currency in the rule's currency, for display: 12 significant digits.
    package var rate: Price
    /// The date of the reference rates; nil if none was used.
    package var date: CivilDate?
    /// The sources of the rate, joined by ` + `: `exchange + peg + European Central Bank`.
    package var source: String
    /// The currencies on the conversion path: `BTC>INR>EUR>SEK`.
    package var path: String

    /// True if the conversion does not change the market's digits, because only a peg was used.
    package var isExact: Bool { date == nil && source == "peg" }

    package init(rate: Price, date: CivilDate? = nil, source: String, path: String) {
        self.rate = rate
        self.date = date
        self.source = source
        self.path = path
    }
}
