internal import Market

/// A number as a quotient of two whole ones, for tests with small numbers.
struct Fraction: Comparable {
    var top: Int128
    var bottom: Int128

    init(_ top: Int128, _ bottom: Int128 = 1) {
        self.top = top
        self.bottom = bottom
    }

    init(_ price: Price) {
        self.init(Int128(price.mantissa), (0..<price.scale).reduce(1) { power, _ in power * 10 })
    }

    static func * (left: Self, right: Self) -> Self {
        Fraction(left.top * right.top, left.bottom * right.bottom).lowest
    }
    static func / (left: Self, right: Self) -> Self {
        Fraction(left.top * right.bottom, left.bottom * right.top).lowest
    }
    static func + (left: Self, right: Self) -> Self {
        Fraction(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom).lowest
    }
    static func - (left: Self, right: Self) -> Self { left + Fraction(-right.top, right.bottom) }
    static func == (left: Self, right: Self) -> Bool { left.top * right.bottom == right.top * left.bottom }
    static func < (left: Self, right: Self) -> Bool { left.top * right.bottom < right.top * left.bottom }

    /// In lowest terms once the numbers are large: products of two still fit then.
    private var lowest: Self {
        let most: UInt128 = 1 << 48
        if top.magnitude < most, bottom.magnitude < most { return self }
        var (a, b) = (top.magnitude, bottom.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        return a == 0 ? self : Fraction(top / Int128(a), bottom / Int128(a))
    }

    /// As a decimal number with this many places at most, half to even.
    func rounded(places: Int) -> String {
        let power = (0..<places).reduce(Int128(1)) { power, _ in power * 10 }
        let (quotient, rest) = (top.magnitude * power.magnitude).quotientAndRemainder(dividingBy: bottom.magnitude)
        let isUp = rest * 2 > bottom.magnitude || (rest * 2 == bottom.magnitude && quotient % 2 == 1)
        let digits = Int128(quotient + (isUp ? 1 : 0)) * ((top < 0) == (bottom < 0) ? 1 : -1)
        return Fraction(digits, power).shown
    }

    /// As a decimal number with at most 12 significant digits, half to even, without zeros at the end.
    var shown: String {
        var scale = 0
        var (top, bottom) = (top.magnitude, bottom.magnitude)
        while top / bottom < 100_000_000_000, scale < 18, top != 0 {
            top *= 10
            scale += 1
        }
        while top / bottom >= 1_000_000_000_000 {
            bottom *= 10
            scale -= 1
        }
        var digits = top / bottom
        let rest = (top % bottom) * 2
        if rest > bottom || (rest == bottom && digits % 2 == 1) { digits += 1 }
        while scale < 0 {
            digits *= 10
            scale += 1
        }
        while scale > 0, digits % 10 == 0 {
            digits /= 10
            scale -= 1
        }
        var text = String(digits)
        if scale > 0 {
            text = String(repeating: "0", count: max(0, scale + 1 - text.count)) + text
            text.insert(".", at: text.index(text.endIndex, offsetBy: -scale))
        }
        return (self.top < 0 && digits != 0 ? "-" : "") + text
    }
}
