/// Integers in as few bytes as they need: seven bits per byte, the least significant first; the highest bit says that
/// more follow. At most ten bytes.
extension [UInt8] {
    /// Appends a number in one to ten bytes.
    package mutating func appendVariable(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a signed number as an unsigned one: 0, −1, 1, −2 … as 0, 1, 2, 3 …
    package mutating func appendZigzag(_ number: Int64) {
        appendVariable(number.zigzag)
    }

    /// Appends the lowest `count` bytes of a number, the least significant first.
    package mutating func appendFixed(_ number: UInt64, count: Int) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: number &>> UInt64(place * 8))) }
    }

    /// Appends the CRC-32C of all bytes.
    package mutating func appendChecksum() {
        appendFixed(UInt64(CRC32C.checksum(of: span, count: count)), count: 4)
    }
}

/// Reads numbers from bytes; nil where there are no more.
package struct ByteReader {
    /// Where the next number begins, in bytes.
    package var position: Int

    /// Begins reading at a position in bytes.
    package init(position: Int) {
        self.position = position
    }

    /// The next number of variable length; nil, at an undefined position, if the bytes end within it or it has more
    /// than ten bytes.
    package mutating func variable(_ bytes: Span<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// The next number of `count` bytes, at most eight, the least significant first; nil if there are fewer bytes.
    package mutating func fixed(_ count: Int, _ bytes: Span<UInt8>) -> UInt64? {
        guard count <= bytes.count - position else { return nil }
        var number: UInt64 = 0
        for place in 0..<count { number |= UInt64(bytes[position + place]) &<< UInt64(place * 8) }
        position += count
        return number
    }

    /// The number of bytes before the CRC-32C at their end; nil when it is not theirs.
    package static func checked(_ bytes: Span<UInt8>) -> Int? {
        let end = bytes.count - 4
        guard end >= 0 else { return nil }
        var reader = ByteReader(position: end)
        return reader.fixed(4, bytes) == UInt64(CRC32C.checksum(of: bytes, count: end)) ? end : nil
    }
}
