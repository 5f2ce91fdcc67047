extension Price {
    /// The exact sum, or nil when it does not fit.
    public func adding(_ other: Price) -> Price? {
        let (left, right, scale) = aligned(with: other)
        return Price(exactly: left + right, scale: scale)
    }

    /// The exact difference, or nil when it does not fit.
    public func subtracting(_ other: Price) -> Price? {
        let (left, right, scale) = aligned(with: other)
        return Price(exactly: left - right, scale: scale)
    }

    /// The exact product, or nil when it does not fit.
    public func multiplied(by other: Price) -> Price? {
        Price(exactly: Int128(mantissa) * Int128(other.mantissa), scale: Int(scale) + Int(other.scale))
    }

    /// The number half way between this and the other, exact, or nil when it does not fit.
    public func midpoint(to other: Price) -> Price? {
        let (left, right, scale) = aligned(with: other)
        // Half is five tenths: 5 × 2 × 2^63 × 10^18 ≈ 9.3 × 10^37 stays below 2^127 ≈ 1.7 × 10^38.
        return Price(exactly: (left + right) * 5, scale: scale + 1)
    }

    /// Both mantissas at the greater of the two scales, each below 2^63 × 10^18 ≈ 9.3 × 10^36, and that scale.
    private func aligned(with other: Price) -> (left: Int128, right: Int128, scale: Int) {
        let scale = max(scale, other.scale)
        return (
            Int128(mantissa) * powerOfTen(scale - self.scale), Int128(other.mantissa) * powerOfTen(scale - other.scale),
            Int(scale)
        )
    }

    /// The change from `base` to this price in per cent, rounded half to even to two decimal places.
    ///
    /// For display only: a rule never decides on a rounded number.
    ///
    /// - Returns: nil when `base` is not greater than 0, or when the result does not fit.
    public func percentChange(from base: Price) -> Price? {
        guard base.isPositive else { return nil }
        var (new, old, _) = aligned(with: base)
        // 10^4 turns the quotient into hundredths of a per cent; digits beyond the 33rd cannot be seen in it.
        while old.magnitude > Self.largestForPercent || new.magnitude > Self.largestForPercent {
            old /= 10
            new /= 10
        }
        guard old > 0 else { return nil }
        let hundredths = Self.quotientHalfEven((new - old) * 10_000, old)
        return Int64(exactly: hundredths).map { Price(unchecked: $0, scale: 2) }
    }

    /// 10^33: twice this times 10^4 stays below 2^127 ≈ 1.7 × 10^38.
    private static let largestForPercent = UInt128(1_000_000_000_000_000_000) * 1_000_000_000_000_000

    /// The quotient rounded to a whole number, half to even; the divisor is greater than 0.
    private static func quotientHalfEven(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        let away: Int128 = dividend < 0 ? -1 : 1
        let twice = remainder.magnitude * 2
        if twice > divisor.magnitude || (twice == divisor.magnitude && quotient % 2 != 0) { return quotient + away }
        return quotient
    }
}
