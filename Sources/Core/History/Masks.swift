/// A mask of rows in a group of up to 64: the first row is the least significant bit.
///
/// Encoded in two bits: 0 none of them, 1 all of them, 2 the mask follows with one bit per row.
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
    /// A mask of this many ones from the least significant bit on; none below 0, all from 64 on.
    @inline(__always)
    static func ones(_ count: Int) -> UInt64 {
        count >= 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: Swift.max(0, count))) &- 1
    }

    /// The position of the one that has this many ones below it; 64 when there is none.
    func placeOfOne(_ number: Int) -> Int {
        // Without holes it is the number itself.
        guard self & (self &+ 1) != 0 else { return number }
        var rest = self
        for _ in 0..<number { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}
