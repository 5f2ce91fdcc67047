package import Market

/// The price and limit of an event, formatted for people.
///
/// They are rounded as usual, unless that would make a price look equal to a limit that it does not equal.
package struct EventAmounts: Equatable, Sendable {
    /// Nil if the event has no price.
    package let price: String?
    /// One amount, both ends of a zone, or empty if the event has no limit.
    package let limits: [String]

    /// - Parameters:
    ///   - price: The price.
    ///   - limit: The limit that the price was compared with.
    ///   - currency: The currency of both; nil to format plain decimals.
    package init(price: Price? = nil, limit: LimitValue?, currency: Currency?) {
        let exact = { (amount: Price) in Self.text(amount, currency, isRounded: false) }
        let limits = limit?.prices ?? []
        let rounded = { (amount: Price) in Self.text(amount, currency, isRounded: true) }
        let looksEqual = limits.contains { $0 != price && rounded($0) == price.map(rounded) }
        self.price = price.map(looksEqual ? exact : rounded)
        self.limits = limits.map(looksEqual ? exact : rounded)
    }

    private static func text(_ amount: Price, _ currency: Currency?, isRounded: Bool) -> String {
        currency.map { moneyText(amount, $0, isRounded: isRounded, hasUnicode: true) } ?? "\(amount.reduced)"
    }
}

extension Occurrence {
    /// Its price and limit, formatted for people.
    package var amounts: EventAmounts {
        EventAmounts(price: price, limit: limit, currency: currency)
    }
}
