/// A decimal number with room for a product of prices: what is too large for one ``Price`` is compared exactly, and
/// divided once, at the end, for showing.
///
/// Five factors of 63 bits and 10^54 to bring both sides to one scale make 315 + 180 bits; it holds 512.
package struct WideDecimal: Sendable {
    private var limbs = InlineArray<8, UInt64>(repeating: 0)
    private var isNegative: Bool
    private var scale: Int

    /// `mantissa` ÷ 10^`scale`.
    package init(_ mantissa: Int128, scale: Int) {
        isNegative = mantissa < 0
        limbs[0] = UInt64(truncatingIfNeeded: mantissa.magnitude)
        limbs[1] = UInt64(truncatingIfNeeded: mantissa.magnitude &>> 64)
        self.scale = scale
    }

    package init(_ price: Price) {
        self.init(Int128(price.mantissa), scale: Int(price.scale))
    }

    /// The exact difference of two prices.
    package init(_ left: Price, minus right: Price) {
        let scale = max(left.scale, right.scale)
        self.init(
            Int128(left.mantissa) * powerOfTen(scale - left.scale)
                - Int128(right.mantissa) * powerOfTen(scale - right.scale),
            scale: Int(scale))
    }

    /// The exact product.
    package func multiplied(by price: Price) -> WideDecimal {
        var product = self
        product.multiply(by: price.mantissa.magnitude)
        product.isNegative = isNegative != (price.mantissa < 0)
        product.scale += Int(price.scale)
        return product
    }

    /// The exact sum.
    package func adding(_ other: WideDecimal) -> WideDecimal {
        var (left, right) = (self, other)
        left.raise(toScale: right.scale)
        right.raise(toScale: left.scale)
        guard left.isNegative != right.isNegative else {
            left.add(right)
            return left
        }
        if left.isMagnitudeLess(than: right) { swap(&left, &right) }
        left.subtract(right)
        return left
    }

    private mutating func add(_ other: WideDecimal) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let (sum, first) = limbs[index].addingReportingOverflow(other.limbs[index])
            let (whole, second) = sum.addingReportingOverflow(carry)
            limbs[index] = whole
            carry = first || second ? 1 : 0
        }
    }

    /// Takes away a smaller magnitude.
    private mutating func subtract(_ other: WideDecimal) {
        var borrow: UInt64 = 0
        for index in limbs.indices {
            let (difference, first) = limbs[index].subtractingReportingOverflow(other.limbs[index])
            let (whole, second) = difference.subtractingReportingOverflow(borrow)
            limbs[index] = whole
            borrow = first || second ? 1 : 0
        }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let (high, low) = limbs[index].multipliedFullWidth(by: factor)
            let (sum, overflow) = low.addingReportingOverflow(carry)
            limbs[index] = sum
            carry = high &+ (overflow ? 1 : 0)
        }
    }

    /// Divides by a number that is not 0.
    ///
    /// - Returns: the remainder.
    private mutating func divide(by divisor: UInt64) -> UInt64 {
        var remainder: UInt64 = 0
        for index in limbs.indices.reversed() {
            (limbs[index], remainder) = divisor.dividingFullWidth((remainder, limbs[index]))
        }
        return remainder
    }

    private var isZero: Bool { limbs.indices.allSatisfy { limbs[$0] == 0 } }

    private func isMagnitudeLess(than other: WideDecimal) -> Bool {
        for index in limbs.indices.reversed() where limbs[index] != other.limbs[index] {
            return limbs[index] < other.limbs[index]
        }
        return false
    }

    private mutating func raise(toScale target: Int) {
        while scale < target {
            let step = min(target - scale, 18)
            multiply(by: UInt64(powerOfTen(UInt8(step))))
            scale += step
        }
    }
}

extension WideDecimal: Comparable {
    package static func == (left: Self, right: Self) -> Bool {
        !(left < right) && !(right < left)
    }

    package static func < (left: Self, right: Self) -> Bool {
        var (left, right) = (left, right)
        left.raise(toScale: right.scale)
        right.raise(toScale: left.scale)
        let (isLeftBelow, isRightBelow) = (left.isNegative && !left.isZero, right.isNegative && !right.isZero)
        if isLeftBelow != isRightBelow { return isLeftBelow }
        return isLeftBelow ? right.isMagnitudeLess(than: left) : left.isMagnitudeLess(than: right)
    }
}

extension WideDecimal {
    /// The quotient by a number greater than 0, rounded half to even to 12 significant digits, for showing; nil when it
    /// does not fit.
    package func rounded(dividedBy divisor: Price) -> Price? {
        guard divisor.isPositive, !isZero else { return isZero ? .zero : nil }
        var dividend = self
        var quotient = dividend
        var remainder = quotient.divide(by: divisor.mantissa.magnitude)
        // Fourteen digits are two more than are shown; what the remainder adds beyond them is a non-zero digit.
        while quotient.isMagnitudeLess(than: Self.fourteenDigits) {
            dividend.raise(toScale: dividend.scale + 6)
            quotient = dividend
            remainder = quotient.divide(by: divisor.mantissa.magnitude)
        }
        quotient.scale -= Int(divisor.scale)
        return quotient.shortened(hasRest: remainder != 0)
    }

    private static let fourteenDigits = WideDecimal(10_000_000_000_000, scale: 0)
    private static let thirteenDigits = WideDecimal(1_000_000_000_000, scale: 0)

    /// At most 12 digits, and at most 18 of them after the point.
    private func shortened(hasRest: Bool) -> Price? {
        var value = self
        var digit: UInt64 = 0
        var hasRest = hasRest
        while !value.isMagnitudeLess(than: Self.thirteenDigits) || value.scale > Int(Price.maximumScale) {
            hasRest = hasRest || digit != 0
            digit = value.divide(by: 10)
            value.scale -= 1
        }
        var mantissa = Int128(value.limbs[0])
        if digit > 5 || (digit == 5 && (hasRest || mantissa % 2 == 1)) { mantissa += 1 }
        while value.scale < 0, mantissa <= Int128(Int64.max) {
            mantissa *= 10
            value.scale += 1
        }
        return Price(exactly: isNegative ? -mantissa : mantissa, scale: value.scale)?.reduced
    }
}
