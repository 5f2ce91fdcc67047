extension Price {
    /// Returns the exact sum, or nil if it does not fit.
    public func adding(_ other: Price) -> Price? {
        let (left, right, scale) = aligned(with: other)
        return Price(exactly: left + right, scale: scale)
    }

    /// Returns the exact difference, or nil if it does not fit.
    public func subtracting(_ other: Price) -> Price? {
        let (left, right, scale) = aligned(with: other)
        return Price(exactly: left - right, scale: scale)
    }

    /// Returns the exact product, or nil if it does not fit.
    public func multiplied(by other: Price) -> Price? {
        Price(exactly: Int128(mantissa) * Int128(other.mantissa), scale: Int(scale) + Int(other.scale))
    }

    /// Returns the exact midpoint between this number and another, or nil if it does not fit.
    public func midpoint(to other: Price) -> Price? {
        let (left, right, scale) = aligned(with: other)
        // Half is five tenths: 5 × 2 × 2^63 × 10^18 ≈ 9.3 × 10^37 stays below 2^127 ≈ 1.7 × 10^38.
        return Price(exactly: (left + right) * 5, scale: scale + 1)
    }

    /// Returns both mantissas at the greater of the two scales, each below 2^63 × 10^18 ≈ 9.3 × 10^36, and that
    /// scale.
    private func aligned(with other: Price) -> (left: Int128, right: Int128, scale: Int) {
        let scale = max(scale, other.scale)
        return (
            Int128(mantissa) * powerOfTen(scale - self.scale), Int128(other.mantissa) * powerOfTen(scale - other.scale),
            Int(scale)
        )
    }

    /// Returns the change from `base` to this price in percent, rounded half to even to two decimal places.
    ///
    /// The result is for display only; rules never use rounded numbers.
    ///
    /// - Returns: nil if `base` is not greater than 0, or if the result does not fit.
    public func percentChange(from base: Price) -> Price? {
        guard base.isPositive else { return nil }
        var (new, old, _) = aligned(with: base)
        // The factor 10^4 makes the quotient a number of hundredths of a percent. Digits after the 33rd do not affect
        // it visibly.
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

    /// Returns the quotient rounded half to even to a whole number. The divisor must be greater than 0.
    private static func quotientHalfEven(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        let away: Int128 = dividend < 0 ? -1 : 1
        let twice = remainder.magnitude * 2
        if twice > divisor.magnitude || (twice == divisor.magnitude && quotient % 2 != 0) { return quotient + away }
        return quotient
    }
}
