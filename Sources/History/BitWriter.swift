/// Bytes being written, bit by bit: the first bit is the least significant of the first byte.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    /// The bits that do not fill a byte yet, and how many they are: 0 to 7 between two calls.
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0

    /// How many bits were written.
    var bitCount: Int { bytes.count * 8 + Int(pendingCount) }

    /// Writes the lowest `count` bits, 0 to 64; those above must be zero.
    @inline(__always)
    mutating func write(_ bits: UInt64, count: Int) {
        guard count <= 56 else {
            write(bits & 0xFFFF_FFFF, count: 32)
            return write(bits &>> 32, count: count &- 32)
        }
        pending |= bits &<< pendingCount
        pendingCount &+= UInt64(truncatingIfNeeded: count)
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending &>>= 8
            pendingCount &-= 8
        }
    }

    /// Fills the last byte with zeros.
    mutating func align() {
        if pendingCount > 0 { write(0, count: 8 - Int(pendingCount)) }
    }

    /// Begins again without giving the memory back.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (pending, pendingCount) = (0, 0)
    }
}

/// The place in bytes from which the next bits are read, in the order of ``BitWriter``.
///
/// It never reads outside: beyond the end there are zeros.
struct BitReader {
    /// In bits from the start of the bytes.
    var position: Int

    /// The next `count` bits, 0 to 64.
    @inline(__always)
    mutating func read(_ count: Int, from bytes: Span<UInt8>) -> UInt64 {
        guard count <= 56 else {
            let low = read(32, from: bytes)
            return low | read(count &- 32, from: bytes) &<< 32
        }
        let word = Self.word(at: position, in: bytes)
        position &+= count
        return word & ((1 &<< UInt64(truncatingIfNeeded: count)) &- 1)
    }

    /// At least 57 bits from the place on; those above them may be missing.
    @inline(__always)
    static func word(at position: Int, in bytes: Span<UInt8>) -> UInt64 {
        let index = position &>> 3
        guard index <= bytes.count &- 8 else { return lastWord(at: position, in: bytes) }
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        return UInt64(littleEndian: word) &>> UInt64(truncatingIfNeeded: position & 7)
    }

    @inline(never)
    private static func lastWord(at position: Int, in bytes: Span<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        let index = position &>> 3
        for place in 0..<8 where index + place < bytes.count {
            word |= UInt64(bytes[index + place]) &<< UInt64(place * 8)
        }
        return word &>> UInt64(truncatingIfNeeded: position & 7)
    }
}
