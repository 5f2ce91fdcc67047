package import Market

/// An exact non-negative fraction, such as the combined rates of a path. The converted amount is the original amount
/// times `numerator` ÷ `denominator`.
package struct Ratio: Sendable {
    private var numerator = WideUnsigned(1)
    private var denominator = WideUnsigned(1)
    /// Numerator and denominator in 64 bits, for comparisons without allocation; nil if they do not fit.
    private var small: (numerator: UInt64, denominator: UInt64)? = (1, 1)

    /// The ratio that leaves an amount unchanged.
    package static let one = Ratio([])

    init(_ steps: [ConversionStep]) {
        for step in steps {
            if step.isInverse { divide(by: step.rate.rate) } else { multiply(by: step.rate.rate) }
        }
    }

    /// Returns the product. `factor` must not be negative.
    package func multiplied(by factor: Price) -> Ratio {
        var product = self
        product.multiply(by: factor)
        return product
    }

    /// Returns the quotient. `divisor` must be greater than 0.
    package func divided(by divisor: Price) -> Ratio {
        var quotient = self
        quotient.divide(by: divisor)
        return quotient
    }

    /// The reciprocal; the ratio must not be 0.
    package var inverse: Ratio {
        var inverse = self
        (inverse.numerator, inverse.denominator) = (denominator, numerator)
        inverse.shorten()
        return inverse
    }

    private mutating func multiply(by factor: Price) {
        let factor = factor.reduced
        numerator.multiply(by: factor.mantissa.magnitude)
        denominator.multiply(by: powerOfTen(factor.scale))
        shorten()
    }

    private mutating func divide(by divisor: Price) {
        let divisor = divisor.reduced
        numerator.multiply(by: powerOfTen(divisor.scale))
        denominator.multiply(by: divisor.mantissa.magnitude)
        shorten()
    }

    private mutating func shorten() {
        small = numerator.small.flatMap { up in denominator.small.map { (up, $0) } }
    }

    /// True if the ratio leaves an amount unchanged.
    package var isOne: Bool { numerator == denominator }
}

// MARK: Comparing

extension Ratio {
    /// Compares the converted amount with the limit by cross-multiplication: `amount` × numerator with `limit` ×
    /// denominator.
    package func compare(_ amount: Price, to limit: Price) -> Comparison {
        let signs = (amount.mantissa.signum(), limit.mantissa.signum())
        guard signs.0 == signs.1 else { return Comparison(signs.0, signs.1) }
        let order = compareMagnitudes(amount, limit)
        return signs.0 < 0 ? order.reversed : order
    }

    private func compareMagnitudes(_ amount: Price, _ limit: Price) -> Comparison {
        let (up, down) = amount.scale == limit.scale ? (1, 1) : (powerOfTen(limit.scale), powerOfTen(amount.scale))
        if let small, let left = Self.product(amount.mantissa.magnitude, small.numerator, up),
            let right = Self.product(limit.mantissa.magnitude, small.denominator, down)
        {
            return Comparison(left, right)
        }
        return Comparison(
            numerator.multiplied(by: amount.mantissa.magnitude).multiplied(by: up),
            denominator.multiplied(by: limit.mantissa.magnitude).multiplied(by: down))
    }

    /// Returns the product, or nil if it does not fit in 128 bits.
    private static func product(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> UInt128? {
        let (product, overflow) = (UInt128(first) * UInt128(second)).multipliedReportingOverflow(by: UInt128(third))
        return overflow ? nil : product
    }

    /// Compares the converted difference of two amounts with a limit. No amount may be negative, and `lower` must not
    /// be above `upper`. The result is exact even if the difference does not fit in a `Price`.
    package func compare(from lower: Price, to upper: Price, with limit: Price) -> Comparison {
        if let difference = upper.subtracting(lower) { return compare(difference, to: limit) }
        let scales = [upper, lower, limit].map { powerOfTen($0.scale) }
        var right = numerator.multiplied(by: lower.mantissa.magnitude, scales[0], scales[2])
        right.add(denominator.multiplied(by: limit.mantissa.magnitude, scales[0], scales[1]))
        return Comparison(numerator.multiplied(by: upper.mantissa.magnitude, scales[1], scales[2]), right)
    }
}

// MARK: Converting

extension Ratio {
    /// Converts an amount and adds a number in the target currency. The sum is rounded half to even to `digits`
    /// significant digits; `isExact` is true if no rounding was necessary.
    ///
    /// - Throws: ``ConversionError/tooLarge`` or ``ConversionError/tooSmall``.
    package func convert(
        _ amount: Price, adding other: Price = .zero, digits: Int
    ) throws(ConversionError) -> (Price, isExact: Bool) {
        if other.isZero, let small {
            // Both products fit in 128 bits: the factors have 64 bits each.
            let dividend = UInt128(small.numerator) * UInt128(amount.mantissa.magnitude)
            let divisor = UInt128(small.denominator) * UInt128(powerOfTen(amount.scale))
            if max(dividend, divisor) < UInt128.quotientLimit {
                return try Self.round(dividend, over: divisor, isNegative: amount.mantissa < 0, digits)
            }
        }
        let scales = (powerOfTen(amount.scale), powerOfTen(other.scale))
        var sum = numerator.multiplied(by: amount.mantissa.magnitude, scales.1)
        var isNegative = amount.mantissa < 0
        var rest = denominator.multiplied(by: other.mantissa.magnitude, scales.0)
        if isNegative == (other.mantissa < 0) {
            sum.add(rest)
        } else {
            if sum < rest {
                swap(&sum, &rest)
                isNegative.toggle()
            }
            sum.subtract(rest)
        }
        return try Self.round(sum, over: denominator.multiplied(by: scales.0, scales.1), isNegative: isNegative, digits)
    }

    private static func round<Number: Divisible>(
        _ dividend: Number, over divisor: Number, isNegative: Bool, _ digits: Int
    ) throws(ConversionError) -> (Price, isExact: Bool) {
        guard !dividend.isZero else { return (.zero, true) }
        var quotient = DecimalQuotient(dividend, divisor)
        let scale = min(digits - quotient.exponent, Int(Price.maximumScale))
        let magnitude = quotient.rounded(digits: scale + quotient.exponent)
        guard magnitude != 0 else { throw .tooSmall }
        let wide = Int128(magnitude) * Int128(powerOfTen(UInt8(clamping: -scale)))
        guard scale >= -Int(Price.maximumScale),
            let price = Price(exactly: isNegative ? -wide : wide, scale: max(scale, 0))
        else { throw .tooLarge }
        return (price.reduced, quotient.isExact)
    }
}

extension WideUnsigned {
    fileprivate func multiplied(by factors: UInt64...) -> WideUnsigned {
        factors.reduce(self) { $0.multiplied(by: $1) }
    }
}

/// An unsigned number that can be an operand of a ``DecimalQuotient``.
private protocol Divisible: Comparable {
    var isZero: Bool { get }
    mutating func multiply(by factor: UInt64)
    mutating func subtract(_ other: Self)
}

extension Divisible {
    fileprivate func multiplied(by factor: UInt64) -> Self {
        var product = self
        product.multiply(by: factor)
        return product
    }
}

extension WideUnsigned: Divisible {}

extension UInt128: Divisible {
    /// The limit below which dividend and divisor never reach 2^128: the smaller one grows to less than ten times the
    /// greater one, the remainder to less than ten times that, and 2^128 ÷ 100 is more than 2^121.
    fileprivate static let quotientLimit: UInt128 = 1 << 121

    fileprivate var isZero: Bool { self == 0 }
    fileprivate mutating func multiply(by factor: UInt64) { self *= UInt128(factor) }
    fileprivate mutating func subtract(_ other: UInt128) { self -= other }
}

/// The decimal digits of `dividend` ÷ `divisor`, both greater than 0, starting with the most significant one.
private struct DecimalQuotient<Number: Divisible> {
    /// The quotient is 0.d₁d₂d₃… × 10^`exponent`, and d₁ is not 0.
    private(set) var exponent = 0
    private var remainder: Number
    private let divisor: Number

    var isExact: Bool { remainder.isZero }

    init(_ dividend: Number, _ divisor: Number) {
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

    /// Returns the first `digits` digits, up to 18, as a number rounded half to even, at most 10^`digits`.
    ///
    /// If `digits` is negative, the number is 0, because the quotient is less than half a unit in the last place.
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

/// Returns 10 to the given power. Powers above 18 count as 18.
private func powerOfTen(_ power: UInt8) -> UInt64 {
    (0..<min(power, Price.maximumScale)).reduce(1) { product, _ in product * 10 }
}
