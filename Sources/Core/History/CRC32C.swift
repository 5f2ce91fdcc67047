/// The checksum of RFC 3720, appendix B.4, with Castagnoli's polynomial. It detects every change within 32
/// consecutive bits, and every change of up to 3 bits anywhere in a block of history.
package enum CRC32C {
    /// The reversed polynomial.
    private static let polynomial: UInt32 = 0x82F6_3B78

    /// Eight tables of 256 entries: the contribution of a byte followed by 0 to 7 zero bytes.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
        }
        for index in 256..<2_048 {
            let before = tables[index - 256]
            tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()

    /// The smallest input that is processed eight bytes at a time. For less, loading the eight tables into the cache
    /// costs more than the saved steps.
    private static let shortCount = 512

    /// Returns the checksum of the first `count` bytes, continuing `previous`, the checksum of all bytes before them.
    package static func checksum(of bytes: Span<UInt8>, count: Int, continuing previous: UInt32 = 0) -> UInt32 {
        let tables = tables.span
        var sum = ~previous
        var index = 0
        while count >= shortCount, index + 8 <= count {
            let word = BitReader.word(at: index * 8, in: bytes) ^ UInt64(sum)
            sum = 0
            for place in 0..<8 {
                sum ^= tables[(7 &- place) &<< 8 | Int(truncatingIfNeeded: word &>> UInt64(place &* 8) & 0xFF)]
            }
            index += 8
        }
        while index < count {
            sum = sum >> 8 ^ tables[Int(truncatingIfNeeded: (sum ^ UInt32(bytes[index])) & 0xFF)]
            index += 1
        }
        return ~sum
    }
}
