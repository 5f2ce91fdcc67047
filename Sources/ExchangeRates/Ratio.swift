internal import Market

/// What the rates of a path make together, exact: an amount times `numerator` ÷ `denominator` is the converted amount.
struct Ratio: Sendable {
    private var numerator = WideUnsigned(1)
    private var denominator = WideUnsigned(1)
    /// Both in 64 bits where they fit, for comparisons without an allocation.
    private var small: (numerator: UInt64, denominator: UInt64)? = (1, 1)

    init(_ steps: [ConversionStep]) {
        for step in steps {
            let rate = step.rate.rate.reduced
            let (up, down) = (rate.mantissa.magnitude, powerOfTen(rate.scale))
            numerator.multiply(by: step.isInverse ? down : up)
            denominator.multiply(by: step.isInverse ? up : down)
        }
        small = numerator.small.flatMap { up in denominator.small.map { (up, $0) } }
    }

    /// Whether an amount stays what it is.
    var isOne: Bool { numerator == denominator }

    /// Compares the converted amount with the limit: across, by `amount` × numerator and `limit` × denominator.
    func compare(_ amount: Price, to limit: Price) -> Comparison {
        let signs = (amount.mantissa.signum(), limit.mantissa.signum())
        guard signs.0 == signs.1 else { return Comparison(signs.0, signs.1) }
        let order = compareMagnitudes(amount, limit)
        return signs.0 < 0 ? order.reversed : order
    }

    private func compareMagnitudes(_ amount: Price, _ limit: Price) -> Comparison {
        let (up, down) = (powerOfTen(limit.scale), powerOfTen(amount.scale))
        if let small, let left = Self.product(amount.mantissa.magnitude, small.numerator, up),
            let right = Self.product(limit.mantissa.magnitude, small.denominator, down)
        {
            return Comparison(left, right)
        }
        return Comparison(
            numerator.multiplied(by: amount.mantissa.magnitude).multiplied(by: up),
            denominator.multiplied(by: limit.mantissa.magnitude).multiplied(by: down))
    }

    /// The product, or nil when it does not fit 128 bits.
    private static func product(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> UInt128? {
        let (product, overflow) = (UInt128(first) * UInt128(second)).multipliedReportingOverflow(by: UInt128(third))
        return overflow ? nil : product
    }

    /// The converted amount in `digits` significant digits, half to even, and whether that is exact.
    ///
    /// - Throws: ``ConversionError/tooLarge`` or ``ConversionError/tooSmall``.
    func convert(_ amount: Price, digits: Int) throws(ConversionError) -> (Price, isExact: Bool) {
        guard !amount.isZero else { return (.zero, true) }
        var quotient = DecimalQuotient(
            numerator.multiplied(by: amount.mantissa.magnitude), denominator.multiplied(by: powerOfTen(amount.scale)))
        let scale = min(digits - quotient.exponent, Int(Price.maximumScale))
        let magnitude = quotient.rounded(digits: scale + quotient.exponent)
        guard magnitude != 0 else { throw .tooSmall }
        let wide = Int128(magnitude) * Int128(powerOfTen(UInt8(clamping: -scale)))
        guard scale >= -Int(Price.maximumScale),
            let price = Price(exactly: amount.mantissa < 0 ? -wide : wide, scale: max(scale, 0))
        else { throw .tooLarge }
        return (price.reduced, quotient.isExact)
    }
}

/// The digits of `dividend` ÷ `divisor`, both greater than 0, first digit first.
private struct DecimalQuotient {
    /// The quotient is 0.d₁d₂d₃… × 10^`exponent`, and d₁ is not 0.
    private(set) var exponent = 0
    private var remainder: WideUnsigned
    private let divisor: WideUnsigned

    var isExact: Bool { remainder.isZero }

    init(_ dividend: WideUnsigned, _ divisor: WideUnsigned) {
        var (remainder, divisor) = (dividend, divisor)
        while remainder >= divisor {
            divisor.multiply(by: 10)
            exponent += 1
        }
        while remainder.multiplied(by: 10) < divisor {
            remainder.multiply(by: 10)
            exponent -= 1
        }
        self.remainder = remainder
        self.divisor = divisor
    }

    /// The first `digits` digits, up to 18, as a number, rounded half to even by what follows; at most 10^`digits`.
    ///
    /// Below 0 digits what follows is less than half of the last place: the number is 0.
    mutating func rounded(digits: Int) -> Int64 {
        guard digits >= 0 else { return 0 }
        var number: Int64 = 0
        for _ in 0..<digits { number = number * 10 + next() }
        let twice = remainder.multiplied(by: 2)
        return twice > divisor || (twice == divisor && number % 2 != 0) ? number + 1 : number
    }

    private mutating func next() -> Int64 {
        var digit: Int64 = 0
        remainder.multiply(by: 10)
        while remainder >= divisor {
            remainder.subtract(divisor)
            digit += 1
        }
        return digit
    }
}

/// 10 to the given power; powers above 18 count as 18.
private func powerOfTen(_ power: UInt8) -> UInt64 {
    (0..<min(power, Price.maximumScale)).reduce(1) { product, _ in product * 10 }
}
