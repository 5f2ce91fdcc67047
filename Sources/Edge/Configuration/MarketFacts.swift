package import Market
package import Time

/// Known facts about the market that rules are for.
package struct MarketFacts {
    /// Known facts about one symbol; prices are in its quote currency.
    package struct SymbolFacts {
        /// nil when not known, as for all values but ``isFrozen``.
        package var quote: Currency?
        /// The last price of the latest response; bid and ask are from it as well.
        package var last: Price?
        /// The highest price that a buyer offers; nil without one.
        package var bid: Price?
        /// The lowest price that a seller asks; nil without one.
        package var ask: Price?
        /// Whether it has not moved for as long as `frozen_after` says.
        package var isFrozen: Bool
        /// The most digits after the point of any recorded price; nil when not known.
        package var decimals: Int?
        /// Of all recorded prices; nil when not known.
        package var lowest: Price?
        /// Of all recorded prices; nil when not known.
        package var highest: Price?
        /// Days before which no price was recorded, as far as rules ask for them.
        package var daysWithoutPrice: Set<CivilDate> = []

        package init(
            quote: Currency?, last: Price? = nil, bid: Price? = nil, ask: Price? = nil, isFrozen: Bool = false,
            decimals: Int? = nil, lowest: Price? = nil, highest: Price? = nil
        ) {
            self.quote = quote
            self.last = last
            self.bid = bid
            self.ask = ask
            self.isFrozen = isFrozen
            self.decimals = decimals
            self.lowest = lowest
            self.highest = highest
        }
    }

    /// The symbols that the exchange lists.
    package var symbols: [Symbol: SymbolFacts]
    /// Converts an amount of the first currency into the second, rounded; nil when that is impossible.
    package var convert: (_ amount: Price, _ from: Currency, _ to: Currency) -> Price?

    package init(
        symbols: [Symbol: SymbolFacts],
        convert: @escaping (_ amount: Price, _ from: Currency, _ to: Currency) -> Price?
    ) {
        self.symbols = symbols
        self.convert = convert
    }
}
