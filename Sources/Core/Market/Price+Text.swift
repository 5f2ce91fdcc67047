/// The reason why a text is not a usable price.
public enum PriceError: Error, Equatable, Sendable {
    /// The text does not match `-?digits[.digits][(e|E)[+-]digits]`.
    case malformed
    /// The number needs more than 64 bits or more than 18 decimal places. Prices are never rounded to fit.
    case doesNotFit
}

extension Price {
    /// Parses `-?digits[.digits][(e|E)[+-]digits]` without spaces, such as `72046`, `0.00000041` or `4.9e-7`.
    ///
    /// Trailing zeros beyond the capacity of a price are accepted, because the number still fits exactly.
    ///
    /// - Throws: ``PriceError``.
    public init(parsing text: Span<UInt8>) throws(PriceError) {
        try self.init(parsing: text, in: 0..<text.count)
    }

    /// Parses a text in the format of ``init(parsing:)``.
    ///
    /// - Throws: ``PriceError``.
    public init(_ text: String) throws(PriceError) {
        try self.init(parsing: text.utf8.span)
    }

    /// Parses any number, digit by digit.
    static func general(_ text: Span<UInt8>) throws(PriceError) -> Price {
        var position = 0
        let isNegative = consume(0x2D, of: text, at: &position)
        var digits = DecimalDigits()
        guard digits.read(text, at: &position) else { throw .malformed }
        if consume(0x2E, of: text, at: &position) {
            digits.isAfterPoint = true
            guard digits.read(text, at: &position) else { throw .malformed }
        }
        if consume(0x65, of: text, at: &position) || consume(0x45, of: text, at: &position) {
            digits.scale -= try exponent(text, at: &position)
        }
        guard position == text.count else { throw .malformed }
        guard let price = digits.price(isNegative: isNegative) else { throw .doesNotFit }
        return price
    }

    private static func consume(_ byte: UInt8, of text: Span<UInt8>, at position: inout Int) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    /// Parses an exponent, limited to ±10^12. With fewer than 10^12 digits, a number with such an exponent does not
    /// fit anyway, unless all digits are zero.
    private static func exponent(_ text: Span<UInt8>, at position: inout Int) throws(PriceError) -> Int {
        let isNegative = consume(0x2D, of: text, at: &position)
        if !isNegative { _ = consume(0x2B, of: text, at: &position) }
        let start = position
        var value = 0
        while position < text.count, text[position] &- 0x30 < 10 {
            value = min(value * 10 + Int(text[position] - 0x30), 1_000_000_000_000)
            position += 1
        }
        guard position > start else { throw .malformed }
        return isNegative ? -value : value
    }
}

/// The digits of a number that is being parsed. There may be any number of them; only the significant ones are stored.
private struct DecimalDigits {
    /// Greater numbers never fit in 64 bits. The limit keeps `significant` far from overflow.
    private static let largest = Int128(10_000_000_000_000_000_000)

    var isAfterPoint = false
    /// The number of decimal places minus the exponent.
    var scale = 0
    private var significant: Int128 = 0
    /// The number of zeros since the last nonzero digit. They are significant only if another nonzero digit follows.
    private var zeros = 0
    private var isTooLong = false

    /// Reads the digits from `position` on. Returns true if there was at least one.
    mutating func read(_ text: Span<UInt8>, at position: inout Int) -> Bool {
        let start = position
        while position < text.count, text[position] &- 0x30 < 10 {
            append(text[position] - 0x30)
            position += 1
        }
        return position > start
    }

    private mutating func append(_ digit: UInt8) {
        if isAfterPoint { scale += 1 }
        guard digit != 0 else {
            zeros += 1
            return
        }
        if significant != 0 { shift(by: zeros + 1) }
        zeros = 0
        significant += Int128(digit)
    }

    private mutating func shift(by count: Int) {
        for _ in 0..<min(count, 20) {
            guard significant < Self.largest else {
                isTooLong = true
                return
            }
            significant *= 10
        }
    }

    /// Returns the number, with its trailing zeros if they fit, or nil if the number does not fit exactly.
    func price(isNegative: Bool) -> Price? {
        guard significant != 0 else { return UInt8(exactly: scale).flatMap { Price(mantissa: 0, scale: $0) } ?? .zero }
        guard !isTooLong else { return nil }
        let signed = isNegative ? -significant : significant
        return Self.price(signed, zeros: zeros, scale: scale) ?? Self.price(signed, zeros: zeros - scale, scale: 0)
            ?? Self.price(signed, zeros: 0, scale: scale - zeros)
    }

    /// Returns `significant` × 10^`zeros` ÷ 10^`scale` with exactly that scale, or nil if it does not fit.
    private static func price(_ significant: Int128, zeros: Int, scale: Int) -> Price? {
        // More than 18 zeros never fit. With 18, the product is at most 10^20 × 10^18, below 2^127 ≈ 1.7 × 10^38.
        guard (0...18).contains(zeros), (0...Int(Price.maximumScale)).contains(scale) else { return nil }
        var mantissa = significant
        for _ in 0..<zeros {
            mantissa *= 10
        }
        guard let fitting = Int64(exactly: mantissa), let small = UInt8(exactly: scale) else { return nil }
        return Price(mantissa: fitting, scale: small)
    }
}

extension Price: CustomStringConvertible {
    /// The number with all its digits and without an exponent: `0.00000041`, `73216.0`, `-5`.
    public var description: String {
        unsafe withText { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Appends ``description`` without making a string.
    package func append(to bytes: inout [UInt8]) {
        unsafe withText { unsafe bytes.append(contentsOf: $0) }
    }

    private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // At most 19 digits (a 0 and 18 decimals, or 19 significant digits), a point and a sign.
        var text = InlineArray<24, UInt8>(repeating: 0x30)
        var start = text.count
        var rest = mantissa.magnitude
        var place = 0
        repeat {
            if place == Int(scale), place > 0 { Self.put(UInt8(ascii: "."), before: &start, in: &text) }
            Self.put(0x30 + UInt8(truncatingIfNeeded: rest % 10), before: &start, in: &text)
            rest /= 10
            place += 1
        } while rest > 0 || place <= Int(scale)
        if mantissa < 0 { Self.put(UInt8(ascii: "-"), before: &start, in: &text) }
        return unsafe text.span.withUnsafeBufferPointer { unsafe body(UnsafeBufferPointer(rebasing: $0[start...])) }
    }

    private static func put(_ byte: UInt8, before start: inout Int, in text: inout InlineArray<24, UInt8>) {
        start -= 1
        text[start] = byte
    }
}
