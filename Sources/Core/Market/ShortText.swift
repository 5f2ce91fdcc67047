/// Up to 32 bytes of ASCII, stored inline, so that copying, comparing and hashing never allocate.
///
/// Unused bytes are zero, and the first character is the most significant byte of the first word, so that comparing
/// the four words compares the text.
@usableFromInline
package struct ShortText: Hashable, Sendable {
    /// The maximum length in bytes.
    @usableFromInline package static let maximumCount = 32

    @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64)

    /// Makes a text from bytes, or nil if there are none, if there are more than ``maximumCount``, or if any byte is
    /// 0, not ASCII or rejected by `accepts`.
    @inlinable
    package init?(_ bytes: Span<UInt8>, accepts: (UInt8) -> Bool) {
        guard bytes.count > 0, bytes.count <= Self.maximumCount else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte != 0, byte < 0x80, accepts(byte) else { return nil }
            let bits = UInt64(byte) &<< UInt64(56 &- (index & 7) &* 8)
            switch index &>> 3 {
            case 0: words.0 |= bits
            case 1: words.1 |= bits
            case 2: words.2 |= bits
            default: words.3 |= bits
            }
        }
        self.init(words: words)
    }

    /// Makes a text from its words. Unused bytes must be zero.
    @inlinable
    package init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        left.words == right.words
    }

    @usableFromInline package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }

    /// The bytes of the text, from first to last.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.maximumCount)
        append(to: &bytes)
        return bytes
    }

    /// Appends the bytes of the text, from first to last.
    package func append(to bytes: inout [UInt8]) {
        Self.append(words.0, to: &bytes)
        Self.append(words.1, to: &bytes)
        Self.append(words.2, to: &bytes)
        Self.append(words.3, to: &bytes)
    }

    /// Appends the used bytes of the word, which are the first ones.
    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        guard word != 0 else { return }
        let count = 8 - word.trailingZeroBitCount / 8
        unsafe withUnsafeBytes(of: word.bigEndian) { all in
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: all.prefix(count)))
        }
    }
}

extension ShortText: Comparable {
    @usableFromInline package static func < (left: Self, right: Self) -> Bool {
        left.words < right.words
    }
}

extension ShortText: CustomStringConvertible {
    @usableFromInline package var description: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
