/// Formats an amount in the style of its currency: `$1,234.56`, `1 234,56 kr`, `₹12,34,567.00`. This is the only
/// formatter of money; every text for people uses it. Spaces in the result are no-break spaces, so that an amount
/// stays on one line.
///
/// - Parameters:
///   - amount: the amount.
///   - currency: the currency of the amount.
///   - isRounded: true to round for reading, as for a converted amount; false to show all digits.
///   - hasUnicode: false to use ASCII characters only.
/// - Returns: the text, which begins with a minus sign if the amount is negative.
package func moneyText(_ amount: Price, _ currency: Currency, isRounded: Bool, hasUnicode: Bool) -> String {
    MoneyFormat(currency, hasUnicode: hasUnicode).text(amount, isRounded: isRounded)
}

/// A formatter for many amounts of one currency, with the results of ``moneyText(_:_:isRounded:hasUnicode:)``.
package struct MoneyFormat: Sendable {
    private let style: CurrencyStyle
    /// The text before the number.
    private let before: [UInt8]
    /// The text after the number.
    private let after: [UInt8]

    /// Makes a formatter, looking up the style of the currency once. Without Unicode, the code replaces a symbol such
    /// as ₹.
    package init(_ currency: Currency, hasUnicode: Bool) {
        let local = CurrencyStyle.of(currency)
        self.init(hasUnicode ? local : local.ascii(currency), hasUnicode: hasUnicode)
    }

    private init(_ style: CurrencyStyle, hasUnicode: Bool) {
        self.style = style
        let symbol = Array(style.symbol.utf8)
        let space = Array((hasUnicode ? "\u{A0}" : " ").utf8)
        (before, after) =
            switch style.place {
            case .before: (symbol, [])
            case .beforeWithSpace: (symbol + space, [])
            case .after: ([], space + symbol)
            }
    }

    /// Makes a formatter for amounts that are shown among amounts of another currency. Numbers have the style of
    /// `other` and are followed by the code of `currency`.
    package init(_ currency: Currency, among other: Currency, hasUnicode: Bool) {
        let numbers = CurrencyStyle.of(other).numbers
        var own = CurrencyStyle.of(currency)
        (own.symbol, own.place) = ("\(currency)", .after)
        own.numbers = hasUnicode ? numbers : numbers.ascii
        self.init(own, hasUnicode: hasUnicode)
    }

    /// Formats an amount, either rounded for reading or with all its digits.
    package func text(_ amount: Price, isRounded: Bool) -> String {
        guard isRounded else { return text(amount.reduced) }
        let shown = amount.roundedForReading(digits: style.digits, decimals: style.decimals)
        return text(looksGrouped(shown) ? amount.roundedForReading(digits: 1, decimals: 4) : shown)
    }

    /// Returns true if three decimals after a comma could be mistaken for thousands: `61,945 kr`. A fourth decimal is
    /// then shown, so that the text is also valid input.
    private func looksGrouped(_ shown: Price) -> Bool {
        shown.scale == 3 && style.numbers.decimalMark == "," && (1_000..<1_000_000).contains(shown.mantissa.magnitude)
    }

    /// Formats a sum of money, as opposed to the price of one unit. It is rounded half to even to the decimals of the
    /// currency, so that three decimals are not mistaken for thousands: `91,62 €`. A sum of at least 0 and below 1,
    /// or in a currency without decimals, is rounded like any other amount.
    package func sum(_ amount: Price) -> String {
        let isSmall = amount.mantissa >= 0 && amount < .one
        return isSmall || style.decimals == 0
            ? text(amount, isRounded: true) : text(amount.roundedForReading(digits: 1, decimals: style.decimals))
    }

    private func text(_ shown: Price) -> String {
        // A table has thousands of amounts, so each is built in a single byte array.
        var text: [UInt8] = []
        text.reserveCapacity(48)
        if shown.mantissa < 0 { text.append(UInt8(ascii: "-")) }
        text += before
        style.numbers.append(shown, decimals: looksGrouped(shown) ? 4 : style.decimals, to: &text)
        text += after
        return String(decoding: text, as: UTF8.self)
    }
}

extension Price {
    /// Rounds half to even, keeping at least `digits` significant digits and `decimals` decimal places. A number that
    /// is not 0 never becomes 0.
    package func roundedForReading(digits: Int, decimals: Int = 0) -> Price {
        rounded(scale: places(digits: digits, decimals: decimals)).reduced
    }

    /// Rounds like ``roundedForReading(digits:decimals:)``, but up. A number that has no room for that stays as it is.
    package func roundedUpForReading(digits: Int, decimals: Int) -> Price {
        let places = places(digits: digits, decimals: decimals)
        let rounded = rounded(scale: places)
        guard rounded < self else { return rounded.reduced }
        return Price(mantissa: rounded.mantissa + 1, scale: rounded.scale)?.reduced ?? self
    }

    /// Returns the number of decimal places with at least `digits` significant digits, and at least `decimals`.
    private func places(digits: Int, decimals: Int) -> Int {
        var count = 1
        var rest = mantissa.magnitude
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        return max(decimals, Int(scale) - count + digits)
    }

    /// Returns the number with at most `places` decimal places, rounded half to even.
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
