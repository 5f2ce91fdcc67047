package import Market
package import Time

/// The evidence of a conversion: how a price came from the market's quote currency into the rule's.
package struct ConversionEvidence: Equatable, Sendable {
    /// How much of the rule's currency one unit of the quote currency is; for showing, 12 significant digits.
    package var rate: Price
    /// The day of the reference rates; nil when none took part.
    package var date: CivilDate?
    /// Who says so: `ecb`, `exchange`, `peg`, joined by ` + `.
    package var source: String
    /// Over which currencies: `BTC>INR>EUR>SEK`.
    package var path: String

    /// Whether converted prices are the market's own digits: only a declared peg took part.
    package var isExact: Bool { date == nil && source == "peg" }

    package init(rate: Price, date: CivilDate? = nil, source: String, path: String) {
        self.rate = rate
        self.date = date
        self.source = source
        self.path = path
    }
}
