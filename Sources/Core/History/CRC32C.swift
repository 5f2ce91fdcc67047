/// The checksum of RFC 3720, appendix B.4: Castagnoli's polynomial, which detects every change within 32 consecutive
/// bits and of up to 3 bits anywhere in a block of this size.
package enum CRC32C {
    /// The reversed polynomial.
    private static let polynomial: UInt32 = 0x82F6_3B78

    /// The contribution of a byte that is followed by 0 to 7 zero bytes: eight tables of 256.
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

    /// Fewer bytes are taken one by one: for them, a cache has to load more of the eight tables than it saves steps.
    private static let shortCount = 512

    /// The checksum of the first `count` bytes, continued from `previous`, the checksum of the bytes before them.
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
