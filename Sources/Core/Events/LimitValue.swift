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
        if let price = try? Price(text) {
            self = .price(price)
            return
        }
        // A price ends with a digit, so that the first two dots that follow each other are those between the prices.
        let dots = zip(text.indices, text.indices.dropFirst()).first { text[$0] == "." && text[$1] == "." }
        guard let (first, second) = dots, let low = try? Price(String(text[..<first])),
            let high = try? Price(String(text[text.index(after: second)...]))
        else { return nil }
        self = .range(low: low, high: high)
    }
}
