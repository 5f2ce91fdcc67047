/// An exact decimal number: `mantissa` ÷ 10^`scale`. Money is never a binary floating-point number here.
///
/// Two prices are equal if they are the same number, whatever their scale: `1.50` equals `1.5`. The scale preserves
/// trailing zeros, so that a price is written exactly as it was read: `73216.0` stays `73216.0`.
public struct Price: Sendable {
    /// The largest scale: the number of decimal places.
    public static let maximumScale: UInt8 = 18

    /// The number without its decimal point.
    public let mantissa: Int64

    /// The number of digits of the mantissa that are decimal places: 0 to ``maximumScale``.
    public let scale: UInt8

    /// The number zero.
    public static let zero = Price(unchecked: 0, scale: 0)

    /// The number one.
    package static let one = Price(unchecked: 1, scale: 0)

    /// Makes the price `mantissa` ÷ 10^`scale`, or nil if the scale is above ``maximumScale``.
    public init?(mantissa: Int64, scale: UInt8) {
        guard scale <= Self.maximumScale else { return nil }
        self.init(unchecked: mantissa, scale: scale)
    }

    /// Makes a price. The scale must be at most ``maximumScale``.
    @inlinable
    @inline(__always)
    package init(unchecked mantissa: Int64, scale: UInt8) {
        self.mantissa = mantissa
        self.scale = scale
    }

    /// Makes a price from a number that may have too many digits, by dropping trailing zeros.
    ///
    /// - Returns: nil if the number does not fit exactly.
    package init?(exactly mantissa: Int128, scale: Int) {
        var mantissa = mantissa
        var scale = scale
        let fits = { (value: Int128) in value >= Int128(Int64.min) && value <= Int128(Int64.max) }
        while scale > Int(Self.maximumScale) || !fits(mantissa) {
            guard scale > 0, mantissa % 10 == 0 else { return nil }
            mantissa /= 10
            scale -= 1
        }
        guard scale >= 0 else { return nil }
        self.init(unchecked: Int64(mantissa), scale: UInt8(scale))
    }

    /// True if the number is greater than 0.
    @inlinable public var isPositive: Bool { mantissa > 0 }

    /// True if the number is 0.
    @inlinable public var isZero: Bool { mantissa == 0 }

    /// The number in units of 10^-18, as an integer below 2^123, so that prices of all scales can be compared as
    /// integers.
    package var units: Int128 { Int128(mantissa) &* powerOfTen(Self.maximumScale &- scale) }

    /// The same number with the smallest possible scale.
    public var reduced: Price {
        var mantissa = mantissa
        var scale = scale
        while scale > 0, mantissa % 10 == 0 {
            mantissa /= 10
            scale -= 1
        }
        return Price(unchecked: mantissa, scale: scale)
    }
}

extension Price: Comparable {
    /// Returns true if both are the same number, whatever their scale.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        if left.scale == right.scale { return left.mantissa == right.mantissa }
        return aligned(left, right) { $0 == $1 }
    }

    /// Returns true if the left number is less than the right one.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        if left.scale == right.scale { return left.mantissa < right.mantissa }
        return aligned(left, right) { $0 < $1 }
    }

    /// Calls the body with both mantissas at the greater of the two scales. |Int64| × 10^18 is below 2^123, so
    /// `Int128` cannot overflow.
    @usableFromInline
    static func aligned<Result>(
        _ left: Self, _ right: Self, _ body: (Int128, Int128) -> Result
    ) -> Result {
        let scale = max(left.scale, right.scale)
        return body(
            Int128(left.mantissa) &* powerOfTen(scale &- left.scale),
            Int128(right.mantissa) &* powerOfTen(scale &- right.scale))
    }
}

extension Price: Hashable {
    /// Hashes the number, whatever its scale.
    public func hash(into hasher: inout Hasher) {
        let reduced = reduced
        hasher.combine(reduced.mantissa)
        hasher.combine(reduced.scale)
    }
}

/// Returns 10 to the given power, 0 to 18.
@inline(__always)
func powerOfTen(_ power: UInt8) -> Int128 {
    var result: Int64 = 1
    for _ in 0..<power { result &*= 10 }
    return Int128(result)
}
