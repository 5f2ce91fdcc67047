/// The price of a ticker on which a rule is evaluated.
@usableFromInline
package enum PriceKind: String, CaseIterable, Sendable {
    case last
    case bid
    case ask
    /// The midpoint between bid and ask.
    case mid
}

extension Ticker {
    /// Returns the price of the given kind, or nil if it is missing, not greater than 0, or does not fit exactly.
    @inlinable
    package func price(_ kind: PriceKind) -> Price? {
        let price: Price? =
            switch kind {
            case .last: last
            case .bid: bid
            case .ask: ask
            case .mid:
                bid.flatMap { bid in ask.flatMap { bid.isPositive && $0.isPositive ? bid.midpoint(to: $0) : nil } }
            }
        guard let price, price.isPositive else { return nil }
        return price
    }
}
