package import Market

/// The limit of an alert or event: one price, or both ends of a zone.
package enum LimitValue: Hashable, Sendable {
    case price(Price)
    case range(low: Price, high: Price)

    /// The price, or both ends of the zone, lower one first.
    package var prices: [Price] {
        switch self {
        case .price(let price): [price]
        case .range(let low, let high): [low, high]
        }
    }
}

extension LimitValue: CustomStringConvertible {
    /// Formats as `7500000` or `120..135`.
    package var description: String {
        switch self {
        case .price(let price): "\(price)"
        case .range(let low, let high): "\(low)..\(high)"
        }
    }

    /// Parses the format of ``description``; nil for any other text.
    package init?(_ text: String) {
        if let price = try? Price(text) {
            self = .price(price)
            return
        }
        // A price ends with a digit, so the first two consecutive dots are the separator.
        let dots = zip(text.indices, text.indices.dropFirst()).first { text[$0] == "." && text[$1] == "." }
        guard let (first, second) = dots, let low = try? Price(String(text[..<first])),
            let high = try? Price(String(text[text.index(after: second)...]))
        else { return nil }
        self = .range(low: low, high: high)
    }
}
