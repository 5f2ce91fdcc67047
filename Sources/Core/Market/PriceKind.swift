/// Which of a ticker's prices a rule is evaluated on.
@usableFromInline
package enum PriceKind: String, CaseIterable, Sendable {
    case last
    case bid
    case ask
    /// Half way between bid and ask.
    case mid
}

extension Ticker {
    /// The price of that kind; nil when it is missing, not greater than 0, or does not fit exactly.
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
