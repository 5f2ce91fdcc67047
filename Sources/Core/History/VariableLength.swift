/// Integers in as few bytes as they need: seven bits per byte, the least significant first; the highest bit says that
/// more follow. At most ten bytes.
extension [UInt8] {
    mutating func appendVariable(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends the lowest `count` bytes of a number, the least significant first.
    mutating func appendFixed(_ number: UInt64, count: Int) {
        for place in 0..<count { append(UInt8(truncatingIfNeeded: number &>> UInt64(place * 8))) }
    }
}

/// Reads numbers from bytes; nil where there are no more.
struct ByteReader {
    var position: Int

    mutating func variable(_ bytes: Span<UInt8>) -> UInt64? {
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

    mutating func fixed(_ count: Int, _ bytes: Span<UInt8>) -> UInt64? {
        guard count <= bytes.count - position else { return nil }
        var number: UInt64 = 0
        for place in 0..<count { number |= UInt64(bytes[position + place]) &<< UInt64(place * 8) }
        position += count
        return number
    }
}
