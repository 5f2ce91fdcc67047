extension Price {
    /// Reads the number in a part of a text, in the form that ``init(parsing:)`` describes. What follows the part does
    /// not matter, but reading is fastest where 16 bytes are available from its start.
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

    /// The form that exchanges send: 1 to 16 bytes, digits with at most one decimal point between them; nil for any
    /// other.
    ///
    /// All bytes are taken at once: numbers are of all lengths, and a processor cannot foresee the end of a loop.
    private static func plain(_ text: Span<UInt8>, in range: Range<Int>) -> Price? {
        guard !range.isEmpty, range.count <= widest else { return nil }
        guard range.lowerBound <= text.count &- widest else { return copied(text, in: range) }
        let low = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
        let high = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: range.lowerBound &+ 8, as: UInt64.self)
        // The first byte is the least significant: the shift puts zeros before it and drops what follows the last
        // digit.
        let front = UInt128(truncatingIfNeeded: (widest &- range.count) &* 8)
        let bytes = UInt128(UInt64(littleEndian: high)) &<< 64 | UInt128(UInt64(littleEndian: low))
        let digits = (bytes ^ everyByte(0x30)) &<< front
        // Adding 0x76 carries bytes of 10 and more to their highest bit; bytes beyond ASCII have it anyway.
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

    /// The same for a number too close to the end of the text, from a copy with room after it.
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

    /// The number of 16 digits of one byte each, the first the least significant; below 10^16.
    @inline(__always)
    private static func mantissa(_ digits: UInt128) -> Int64 {
        let first = eightDigits(UInt64(truncatingIfNeeded: digits))
        let last = eightDigits(UInt64(truncatingIfNeeded: digits &>> 64))
        return Int64(truncatingIfNeeded: first &* 100_000_000 &+ last)
    }

    /// Two digits make a byte below 100 in every second place; two multiplications weigh those four bytes.
    @inline(__always)
    private static func eightDigits(_ digits: UInt64) -> UInt64 {
        let pairs = digits &* 10 &+ digits &>> 8
        let mask: UInt64 = 0x0000_00FF_0000_00FF
        let outer = (pairs & mask) &* (100 &+ 1_000_000 &<< 32)
        let inner = (pairs &>> 16 & mask) &* (1 &+ 10_000 &<< 32)
        return (outer &+ inner) &>> 32
    }
}
