/// A writer of bits into 64-bit words, least significant bit first.
struct BitWriter {
    private var words: [UInt64] = []
    /// The bits of the unfinished word, 0 to 63.
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// The number of bits written.
    var bitCount: Int { words.count * 64 + pendingCount }

    /// Writes the lowest `count` bits, 0 to 64. All higher bits must be zero.
    @inline(__always)
    mutating func write(_ bits: UInt64, count: Int) {
        pending |= bits &<< UInt64(truncatingIfNeeded: pendingCount)
        let written = pendingCount
        pendingCount &+= count
        guard pendingCount >= 64 else { return }
        words.append(pending)
        pending = written == 0 ? 0 : bits &>> UInt64(truncatingIfNeeded: 64 &- written)
        pendingCount &-= 64
    }

    /// Discards all bits but keeps the allocated memory.
    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
        (pending, pendingCount) = (0, 0)
    }

    /// Appends the written bits to `bytes`, padding the last byte with zeros.
    func append(to bytes: inout [UInt8]) {
        for word in words { bytes.appendFixed(word, count: 8) }
        bytes.appendFixed(pending, count: (pendingCount + 7) / 8)
    }
}

/// A reader of bits from bytes, least significant bit first.
///
/// It never reads out of bounds: past the end, all bits read as zero.
struct BitReader {
    /// The next bit to read, counted from the start of the bytes.
    var position: Int

    /// Reads the next `count` bits, 0 to 56.
    @inline(__always)
    mutating func read(_ count: Int, from bytes: Span<UInt8>) -> UInt64 {
        let word = Self.word(at: position, in: bytes)
        position &+= count
        return word & ((1 &<< UInt64(truncatingIfNeeded: count)) &- 1)
    }

    /// Reads the next `count` bits, 0 to 64.
    @inline(never)
    mutating func readWide(_ count: Int, from bytes: Span<UInt8>) -> UInt64 {
        let low = read(min(count, 32), from: bytes)
        return count > 32 ? low | read(count &- 32, from: bytes) &<< 32 : low
    }

    /// Returns at least 57 bits starting at the position; the higher bits are undefined.
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
