package import Market
package import Time

/// Known facts about the market that rules apply to.
package struct MarketFacts {
    /// Known facts about one symbol, with prices in its quote currency.
    package struct SymbolFacts {
        /// The quote currency, or nil if unknown.
        package var quote: Currency?
        /// The last price in the latest response, or nil if unknown. `bid` and `ask` are from the same response.
        package var last: Price?
        /// The highest price that a buyer offers, or nil if there is none.
        package var bid: Price?
        /// The lowest price that a seller asks, or nil if there is none.
        package var ask: Price?
        /// True if there were no trades or price changes for `frozen_after`.
        package var isFrozen: Bool
        /// The maximum number of decimals of any recorded price, or nil if unknown.
        package var decimals: Int?
        /// The lowest recorded price, or nil if unknown.
        package var lowest: Price?
        /// The highest recorded price, or nil if unknown.
        package var highest: Price?
        /// Days before which no price was recorded. Only days that rules refer to are included.
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

    /// The facts about each symbol that the exchange lists.
    package var symbols: [Symbol: SymbolFacts]
    /// Converts an amount of the first currency into the second and rounds it. Returns nil if there is no conversion
    /// path.
    package var convert: (_ amount: Price, _ from: Currency, _ to: Currency) -> Price?

    package init(
        symbols: [Symbol: SymbolFacts],
        convert: @escaping (_ amount: Price, _ from: Currency, _ to: Currency) -> Price?
    ) {
        self.symbols = symbols
        self.convert = convert
    }
}
