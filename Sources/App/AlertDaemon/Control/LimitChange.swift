internal import ExchangeRates
internal import Market

/// A change of a limit: a new price, or a difference from the current limit.
enum LimitChange: Equatable {
    case price(Price)
    case percent(Price)
    case amount(Price)

    /// Reads `7600000`, `7_600_000`, `+2%`, `-2%`, `+5000`; returns nil for any other text.
    init?(_ text: String) {
        let isRelative = text.hasPrefix("+") || text.hasPrefix("-")
        let isPercent = text.hasSuffix("%")
        guard isRelative || !isPercent else { return nil }
        let digits = text.dropFirst(text.hasPrefix("+") ? 1 : 0).dropLast(isPercent ? 1 : 0)
        guard digits.first?.isNumber ?? false || text.hasPrefix("-"), let number = try? Price(written: String(digits))
        else { return nil }
        self = isPercent ? .percent(number) : isRelative ? .amount(number) : .price(number)
    }

    /// The amount, which may have a currency; nil for a percentage.
    var money: Price? {
        switch self {
        case .price(let amount), .amount(let amount): amount
        case .percent: nil
        }
    }

    /// Returns the same change with another amount; a percentage does not change.
    func with(amount: Price) -> LimitChange {
        switch self {
        case .price: .price(amount)
        case .amount: .amount(amount)
        case .percent: self
        }
    }

    /// Returns the new limit, without trailing zeros if it was computed.
    ///
    /// A percentage adds digits each time, so it is rounded to 12 significant digits, half to even. Sums are exact.
    ///
    /// - Returns: nil if the limit cannot be represented.
    func applied(to limit: Price) -> Price? {
        switch self {
        case .price(let price): price
        case .amount(let amount): limit.adding(amount)?.reduced
        case .percent(let percent):
            Price(mantissa: 100, scale: 0).flatMap(percent.adding).flatMap { limit.scaled(toPercent: $0) }?.reduced
        }
    }
}

extension Price {
    /// Returns a percentage of the price, with 12 significant digits; nil if it is negative or cannot be represented.
    fileprivate func scaled(toPercent percent: Price) -> Price? {
        guard percent.isPositive else { return percent.isZero ? percent : nil }
        let share = Price(mantissa: 1, scale: 2).map { Ratio.one.multiplied(by: percent).multiplied(by: $0) }
        return try? share?.convert(self, digits: 12).0
    }
}
