/// Which rows of a group of up to 64 have something: the first row is the least significant bit.
///
/// Coded in two bits: 0 none of them, 1 all of them, 2 the mask follows with a bit for each row.
extension BitWriter {
    mutating func writeMask(_ mask: UInt64, count: Int) {
        if mask == 0 { return write(0, count: 2) }
        if mask == .ones(count) { return write(1, count: 2) }
        write(2, count: 2)
        write(mask, count: count)
    }
}

extension BitReader {
    @inline(__always)
    mutating func readMask(_ count: Int, from bytes: Span<UInt8>) -> UInt64 {
        switch read(2, from: bytes) {
        case 0: 0
        case 1: .ones(count)
        default: read(count, from: bytes)
        }
    }
}

extension UInt64 {
    /// That many ones, 0 to 64, from the least significant bit on.
    @inline(__always)
    static func ones(_ count: Int) -> UInt64 {
        count >= 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    }
}
