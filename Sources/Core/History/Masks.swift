/// A mask of up to 64 rows; the first row is the least significant bit.
///
/// It is encoded in two bits: 0 for no row, 1 for all rows, 2 if the mask follows with one bit per row.
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
        default: readWide(count, from: bytes)
        }
    }
}

extension UInt64 {
    /// Returns a mask whose lowest `count` bits are set: none if `count` is negative, all if it is 64 or more.
    @inline(__always)
    static func ones(_ count: Int) -> UInt64 {
        count >= 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: Swift.max(0, count))) &- 1
    }

    /// Returns the position of the set bit that has this many set bits below it, or 64 if there is none.
    func positionOfSetBit(_ number: Int) -> Int {
        // Without gaps in the mask, the position is the number itself.
        guard self & (self &+ 1) != 0 else { return number }
        var rest = self
        for _ in 0..<number { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}
