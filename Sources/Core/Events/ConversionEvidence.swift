package import Market
package import Time

/// How a price was converted from the market's quote currency into the rule's.
package struct ConversionEvidence: Equatable, Sendable {
    /// One unit of the quote currency in the rule's currency, for display: 12 significant digits.
    package var rate: Price
    /// The day of the reference rates; nil when none took part.
    package var date: CivilDate?
    /// The sources of the rate: `ecb`, `exchange`, `peg`, joined by ` + `.
    package var source: String
    /// The currencies on the way: `BTC>INR>EUR>SEK`.
    package var path: String

    /// Whether converted prices are the market's own digits: only a declared peg took part.
    package var isExact: Bool { date == nil && source == "peg" }

    /// Without a date, no reference rate took part: only pegs and market prices.
    package init(rate: Price, date: CivilDate? = nil, source: String, path: String) {
        self.rate = rate
        self.date = date
        self.source = source
        self.path = path
    }
}
