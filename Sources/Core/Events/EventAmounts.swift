package import Market

/// The price and limit of an event as people read them.
///
/// They are rounded as everywhere, unless that would make a price look equal to a limit that it is not equal to.
package struct EventAmounts: Equatable, Sendable {
    /// Nil when the event has no price.
    package let price: String?
    /// One amount, the two ends of a zone, or nothing when the event has no limit.
    package let limits: [String]

    /// - Parameters:
    ///   - price: The price.
    ///   - limit: The limit it was compared with.
    ///   - currency: The currency of both; plain decimals are written when nil.
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
    /// Its price and limit as people read them.
    package var amounts: EventAmounts {
        EventAmounts(price: price, limit: limit, currency: currency)
    }
}
