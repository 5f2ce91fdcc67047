internal import Market

/// An amount as people write it where the currency is spent: `$1,234.56`, `1 234,56 kr`, `₹12,34,567.00`. The one place
/// that makes such a text. Spaces in it are no-break spaces, which copy and search as one word.
///
/// - Parameters:
///   - amount: The amount.
///   - currency: What it is in.
///   - isRounded: Whether it came by an exchange rate: then no more digits are shown than anybody reads; else all.
///   - hasUnicode: Whether characters beyond ASCII can be shown.
/// - Returns: The text, its sign in front.
func moneyText(_ amount: Price, _ currency: Currency, isRounded: Bool, hasUnicode: Bool) -> String {
    let local = CurrencyStyle.of(currency)
    let style = hasUnicode ? local : local.ascii(currency)
    let shown = isRounded ? amount.roundedForReading(digits: style.digits, decimals: style.decimals) : amount.reduced
    let number = style.numbers.text(shown, decimals: style.decimals)
    let sign = shown.mantissa < 0 ? "-" : ""
    let space = hasUnicode ? "\u{A0}" : " "
    return switch style.place {
    case .before: sign + style.symbol + number
    case .beforeWithSpace: sign + style.symbol + space + number
    case .after: sign + number + space + style.symbol
    }
}

extension Price {
    /// What is enough of a rounded number: at least so many significant digits, and so many after the point, half to
    /// even; never 0 for what is not 0.
    func roundedForReading(digits: Int, decimals: Int = 0) -> Price {
        let count = String(mantissa.magnitude).count
        return rounded(scale: max(decimals, Int(scale) - count + digits)).reduced
    }

    /// The number with at most so many digits after the point, half to even.
    private func rounded(scale places: Int) -> Price {
        guard places >= 0, places < Int(scale) else { return self }
        let divisor = (places..<Int(scale)).reduce(Int64(1)) { power, _ in power * 10 }
        let (quotient, rest) = mantissa.quotientAndRemainder(dividingBy: divisor)
        let half = divisor / 2
        let isUp = rest.magnitude > half.magnitude || (rest.magnitude == half.magnitude && quotient % 2 != 0)
        let away: Int64 = isUp ? (mantissa < 0 ? -1 : 1) : 0
        return Price(mantissa: quotient + away, scale: UInt8(places)) ?? self
    }
}
