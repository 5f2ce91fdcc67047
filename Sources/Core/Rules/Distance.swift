package import Market

/// A distance from a price: a percentage of it, or an amount in the rule's currency.
package enum Distance: Equatable, Sendable {
    case percent(Price)
    case amount(Price)

    /// The number without its unit.
    package var value: Price {
        switch self {
        case .percent(let value), .amount(let value): value
        }
    }

    /// Returns the distance at a price; nil if it does not fit exactly.
    package func amount(at price: Price) -> Price? {
        switch self {
        case .percent(let percent): Price(mantissa: 1, scale: 2).flatMap(percent.multiplied)?.multiplied(by: price)
        case .amount(let amount): amount
        }
    }

    /// The same distance without trailing zeros.
    var reduced: Distance {
        switch self {
        case .percent(let percent): .percent(percent.reduced)
        case .amount(let amount): .amount(amount.reduced)
        }
    }
}

extension Distance: CustomStringConvertible {
    /// Formats as `0.5%` or `20`.
    package var description: String {
        switch self {
        case .percent(let percent): "\(percent)%"
        case .amount(let amount): "\(amount)"
        }
    }
}
