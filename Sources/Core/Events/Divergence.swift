package import Market

/// The details of a `diverged` or `converged` event. The price of the event is the price of the event's own symbol.
/// Both prices are in the currency of the event.
package struct Divergence: Equatable, Sendable {
    /// The name of the check.
    package var check: String
    /// The market that the event's symbol was compared with.
    package var source: SourceName
    package var symbol: Symbol
    /// The price of that market, rounded if it was converted.
    package var price: Price
    /// The difference in per cent of ``price``; negative if the event's symbol is cheaper.
    package var percent: Price
    /// The largest difference that is not reported, in per cent.
    package var within: Price

    package init(
        check: String, source: SourceName, symbol: Symbol, price: Price, percent: Price, within: Price
    ) {
        (self.check, self.source, self.symbol) = (check, source, symbol)
        (self.price, self.percent, self.within) = (price, percent, within)
    }
}
