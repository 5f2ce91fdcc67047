/// Integers in as few bytes as they need, at most ten: seven bits per byte, least significant first. The highest bit
/// of a byte is set if another byte follows.
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

    /// Appends a signed number as its zigzag code: 0, −1, 1, −2 … become 0, 1, 2, 3 …
    package mutating func appendZigzag(_ number: Int64) {
        appendVariable(number.zigzag)
    }

    /// Appends the lowest `count` bytes of a number, least significant first.
    package mutating func appendFixed(_ number: UInt64, count: Int) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: number &>> UInt64(place * 8))) }
    }

    /// Appends the CRC-32C of all preceding bytes.
    package mutating func appendChecksum() {
        appendFixed(UInt64(CRC32C.checksum(of: span, count: count)), count: 4)
    }
}

/// A reader of numbers from bytes. Each method returns nil if the bytes end too early.
package struct ByteReader {
    /// The byte offset of the next number.
    package var position: Int

    /// Begins reading at the given byte offset.
    package init(position: Int) {
        self.position = position
    }

    /// Reads the next number of variable length. Returns nil, and leaves the position undefined, if the bytes end
    /// within the number or it has more than ten bytes.
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

    /// Reads the next number of `count` bytes, at most eight, least significant first. Returns nil if there are fewer
    /// bytes.
    package mutating func fixed(_ count: Int, _ bytes: Span<UInt8>) -> UInt64? {
        guard count <= bytes.count - position else { return nil }
        var number: UInt64 = 0
        for place in 0..<count { number |= UInt64(bytes[position + place]) &<< UInt64(place * 8) }
        position += count
        return number
    }

    /// Returns the number of bytes before the CRC-32C at the end, or nil if the checksum is wrong.
    package static func checked(_ bytes: Span<UInt8>) -> Int? {
        let end = bytes.count - 4
        guard end >= 0 else { return nil }
        var reader = ByteReader(position: end)
        return reader.fixed(4, bytes) == UInt64(CRC32C.checksum(of: bytes, count: end)) ? end : nil
    }
}
