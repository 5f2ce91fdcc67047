package import Market

/// What is known of the market that rules are for.
package struct MarketFacts {
    package struct SymbolFacts {
        package var quote: Currency?
        package var last: Price?
        package var bid: Price?
        package var ask: Price?
        package var isFrozen: Bool
        /// The most digits after the point of any price that was seen; nil where that is not known.
        package var decimals: Int?
        /// Of all prices that are kept; nil where that is not known.
        package var lowest: Price?
        package var highest: Price?

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

    /// All symbols that the exchange lists.
    package var symbols: [Symbol: SymbolFacts]
    /// An amount of the first currency in the second, rounded; nil when there is no way.
    package var convert: (_ amount: Price, _ from: Currency, _ to: Currency) -> Price?

    package init(
        symbols: [Symbol: SymbolFacts],
        convert: @escaping (_ amount: Price, _ from: Currency, _ to: Currency) -> Price?
    ) {
        self.symbols = symbols
        self.convert = convert
    }
}
