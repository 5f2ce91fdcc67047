public import Market

/// An exact amount of one currency.
public struct Money: Hashable, Sendable {
    /// The amount, which may be negative.
    public var amount: Price
    /// The currency of ``amount``.
    public var currency: Currency

    /// Makes an amount of a currency.
    public init(_ amount: Price, _ currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    /// Parses a number, a space and a currency, such as `100 SEK`. Returns nil for any other text.
    public init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let amount = try? Price(String(words[0])), let currency = Currency(String(words[1]))
        else { return nil }
        self.init(amount, currency)
    }
}

extension Money: CustomStringConvertible {
    /// The format of ``init(_:)``: `100 SEK`.
    public var description: String { "\(amount) \(currency)" }
}
