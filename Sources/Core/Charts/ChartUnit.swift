package import Market

/// The unit of the values of a chart.
package enum ChartUnit: Equatable, Sendable {
    /// Amounts of a currency. Converted amounts are rounded for reading.
    case money(Currency, isConverted: Bool)
    /// Amounts of a currency that cannot be converted to the currency of everything else, `among`. Numbers have the
    /// style of that currency, and each amount ends with the mark.
    case unconverted(Currency, among: Currency, mark: String)
    /// Numbers without a unit.
    case plain

    /// The currency of the values; nil for numbers without a unit.
    package var currency: Currency? {
        switch self {
        case .money(let currency, _), .unconverted(let currency, _, _): currency
        case .plain: nil
        }
    }

    /// Formats a value with its unit: `₹75,13,000.50`.
    package func text(_ value: Double, hasUnicode: Bool) -> String {
        guard let price = Price(approximating: value) else { return "-" }
        switch self {
        case .money(let currency, let isConverted):
            return MoneyFormat(currency, hasUnicode: hasUnicode).text(price, isRounded: isConverted)
        case .unconverted(let currency, let other, let mark):
            let format = MoneyFormat(currency, among: other, hasUnicode: hasUnicode)
            return format.text(price, isRounded: false) + mark
        case .plain: return NumberStyle.point.text(price.reduced).signed(value < 0)
        }
    }

    /// Formats a tick of an axis without the unit: `75,13,000`.
    func tickText(_ tick: Price, decimals: Int, hasUnicode: Bool) -> String {
        var style =
            switch self {
            case .money(let currency, _), .unconverted(_, let currency, _): CurrencyStyle.of(currency).numbers
            case .plain: NumberStyle.point
            }
        if !hasUnicode { style = style.ascii }
        return style.text(tick.reduced, decimals: decimals).signed(tick.mantissa < 0)
    }
}

extension String {
    fileprivate func signed(_ isNegative: Bool) -> String { isNegative ? "-" + self : self }
}

extension Price {
    /// The nearest binary number. It is precise enough for drawing, and must not be used for anything else.
    package var approximate: Double { Double(mantissa) / powers[Int(scale)] }

    /// Makes the shortest decimal number that rounds to this binary number. This restores an original of at most 15
    /// digits. Returns nil if it does not fit.
    package init?(approximating value: Double) {
        guard value.isFinite else { return nil }
        if let price = try? Price("\(value)") {
            self = price
            return
        }
        // More than 18 decimal places: smaller digits would be unreadable anyway.
        guard value.magnitude < 1 else { return nil }
        self.init(mantissa: Int64((value * powers[18]).rounded()), scale: 18)
    }
}

/// The powers of ten with exponents 0 to 18, all exact.
private let powers: [Double] = (0..<18).reduce(into: [1]) { powers, _ in powers.append((powers.last ?? 1) * 10) }

/// Formats a change in percent: `+1.25%`. It has a sign unless it is 0, and two decimals, or none from 1,000% on.
package func percentText(_ percent: Double) -> String {
    guard percent.isFinite, percent.magnitude < 1e12 else { return "-" }
    let scale: UInt8 = percent.magnitude < 999.995 ? 2 : 0
    let units = (percent * powers[Int(scale)]).rounded()
    let number = Price(unchecked: Int64(units.magnitude), scale: scale)
    let sign = units > 0 ? "+" : units < 0 ? "-" : ""
    return sign + NumberStyle.point.text(number, decimals: Int(scale)) + "%"
}
