extension ShortText {
    /// Makes a text from a part of a longer text, or nil unless the part is 1 to 32 characters `a–z` and `0–9`. The
    /// text after the part is ignored, but if at least 32 bytes are available from its start, it is read eight bytes
    /// at a time.
    @inlinable
    package init?(lowercaseOrDigits text: Span<UInt8>, in range: Range<Int>) {
        let count = range.count
        guard count <= Self.maximumCount, range.lowerBound <= text.count &- Self.maximumCount else {
            self.init(text.extracting(range), accepts: isLowercaseOrDigit)
            return
        }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        guard count > 0, Self.read(text, range.lowerBound, count, into: &words.0) else { return nil }
        if count > 8 {
            guard Self.read(text, range.lowerBound &+ 8, count &- 8, into: &words.1) else { return nil }
        }
        if count > 16 {
            guard Self.read(text, range.lowerBound &+ 16, count &- 16, into: &words.2) else { return nil }
        }
        if count > 24 {
            guard Self.read(text, range.lowerBound &+ 24, count &- 24, into: &words.3) else { return nil }
        }
        self.init(words: words)
    }

    /// Reads the next `count` bytes, at most 8. Returns true if all are `a–z` or `0–9`.
    @inlinable
    @inline(__always)
    static func read(_ text: Span<UInt8>, _ offset: Int, _ count: Int, into word: inout UInt64) -> Bool {
        let bytes = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let mask = UInt64.max &<< UInt64(truncatingIfNeeded: (8 &- min(count, 8)) &* 8)
        word = UInt64(bigEndian: bytes) & mask
        // To compare all bytes with a character, add 0x80 minus the character to each byte: the highest bit is then
        // set if the byte is at least that character. The first sum tests for the first character of a range, the
        // second for the character after the last.
        let letters = (word &+ everyByte(0x80 - 0x61)) & ~(word &+ everyByte(0x7F - 0x7A))
        let digits = (word &+ everyByte(0x80 - 0x30)) & ~(word &+ everyByte(0x7F - 0x39))
        return (letters | digits) & ~word & everyByte(0x80) == everyByte(0x80) & mask
    }

    @inlinable
    @inline(__always)
    static func everyByte(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
}
