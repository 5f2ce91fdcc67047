package import Market

/// The limit of an alert or event: one price, or the two ends of a zone.
package enum LimitValue: Hashable, Sendable {
    case price(Price)
    case range(low: Price, high: Price)

    /// The one price, or the lower and the higher one.
    package var prices: [Price] {
        switch self {
        case .price(let price): [price]
        case .range(let low, let high): [low, high]
        }
    }
}

extension LimitValue: CustomStringConvertible {
    /// `7500000`, or `120..135`.
    package var description: String {
        switch self {
        case .price(let price): "\(price)"
        case .range(let low, let high): "\(low)..\(high)"
        }
    }

    /// Reads what ``description`` writes; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "..", omittingEmptySubsequences: false).map { try? Price(String($0)) }
        switch (parts.count, parts.first ?? nil, parts.last ?? nil) {
        case (1, let price?, _): self = .price(price)
        case (2, let low?, let high?): self = .range(low: low, high: high)
        default: return nil
        }
    }
}
