extension Price {
    /// Parses the number in a part of a text, in the format of ``init(parsing:)``. The text after the part is ignored,
    /// but parsing is fastest if at least 16 bytes are available from its start.
    ///
    /// - Throws: ``PriceError``.
    public init(parsing text: Span<UInt8>, in range: Range<Int>) throws(PriceError) {
        guard let plain = Price.plain(text, in: range) else {
            self = try Price.general(text.extracting(range))
            return
        }
        self = plain
    }

    private static let widest = 16

    /// Parses the format that exchanges use: 1 to 16 bytes, digits with at most one decimal point between them.
    /// Returns nil for any other text.
    ///
    /// All bytes are processed together, because the lengths of numbers vary and the end of a loop would be
    /// mispredicted.
    private static func plain(_ text: Span<UInt8>, in range: Range<Int>) -> Price? {
        guard !range.isEmpty, range.count <= widest else { return nil }
        guard range.lowerBound <= text.count &- widest else { return copied(text, in: range) }
        let low = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
        let high = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound &+ 8, as: UInt64.self)
        // The first byte is the least significant: the shift puts zeros before it and drops everything after the last
        // digit.
        let front = UInt128(truncatingIfNeeded: (widest &- range.count) &* 8)
        let bytes = UInt128(UInt64(littleEndian: high)) &<< 64 | UInt128(UInt64(littleEndian: low))
        let digits = (bytes ^ everyByte(0x30)) &<< front
        // Adding 0x76 sets the highest bit of bytes that are 10 or more; in bytes beyond ASCII it is already set.
        let others = ((digits &+ everyByte(0x76)) | digits) & everyByte(0x80)
        guard others != 0 else { return Price(unchecked: mantissa(digits), scale: 0) }
        let point = UInt128(truncatingIfNeeded: others.trailingZeroBitCount &- 7)
        guard others & (others &- 1) == 0, (digits &>> point) & 0xFF == 0x2E ^ 0x30, point > front, point < 120
        else { return nil }
        let whole = digits & ((1 &<< point) &- 1)
        let fraction = digits & ~((1 &<< (point &+ 8)) &- 1)
        return Price(
            unchecked: mantissa(fraction | whole &<< 8), scale: UInt8(truncatingIfNeeded: (120 &- point) &>> 3))
    }

    /// Parses a number that is too close to the end of the text, by way of a padded copy.
    private static func copied(_ text: Span<UInt8>, in range: Range<Int>) -> Price? {
        var copy = InlineArray<16, UInt8>(repeating: 0)
        for (place, index) in range.enumerated() { copy[place] = text[index] }
        return plain(copy.span, in: 0..<range.count)
    }

    @inline(__always)
    private static func everyByte(_ byte: UInt8) -> UInt128 {
        let half = UInt64(byte) &* 0x0101_0101_0101_0101
        return UInt128(half) &<< 64 | UInt128(half)
    }

    /// Returns the number with these 16 digits, below 10^16. Each digit is a byte; the first digit is the least
    /// significant byte.
    @inline(__always)
    private static func mantissa(_ digits: UInt128) -> Int64 {
        let first = eightDigits(UInt64(truncatingIfNeeded: digits))
        let last = eightDigits(UInt64(truncatingIfNeeded: digits &>> 64))
        return Int64(truncatingIfNeeded: first &* 100_000_000 &+ last)
    }

    /// Returns the number with these eight digits. Pairs of digits become bytes below 100 in every second position,
    /// and two multiplications combine these four bytes.
    @inline(__always)
    private static func eightDigits(_ digits: UInt64) -> UInt64 {
        let pairs = digits &* 10 &+ digits &>> 8
        let mask: UInt64 = 0x0000_00FF_0000_00FF
        let outer = (pairs & mask) &* (100 &+ 1_000_000 &<< 32)
        let inner = (pairs &>> 16 & mask) &* (1 &+ 10_000 &<< 32)
        return (outer &+ inner) &>> 32
    }
}
