import History
import Market
import TestSupport
import Testing
import Time

@Suite("Block format")
struct BlockFormatTests {
    @Test func theWorkedExample() throws {
        var history = History(HistoryCapacity(keep: .seconds(3_600), interval: .seconds(30), bytes: 1 << 20))
        let symbol = try #require(Symbol("btcinr"))
        for (time, text) in [(1_000, "73216.0"), (31_000, "73216.5"), (61_000, "73216.5")] {
            history.append([Ticker(symbol: symbol, last: try Price(text))], at: WallTime(milliseconds: Int64(time)))
        }
        let block = try #require(history.encodeOpen(fromRow: 0))
        let expected: [UInt8] = [
            0x61, 0x48, 0x73, 0x74, 1, 1, 3, 0, 1, 0, 0, 0, 0x4C, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
            0xE8, 0x03, 0, 0, 0, 0, 0, 0, 0x48, 0xEE, 0, 0, 0, 0, 0, 0, 0x32, 0, 0, 0, 0, 0, 0xE0, 0xD4, 3, 0,
            6, 0x62, 0x74, 0x63, 0x69, 0x6E, 0x72, 0x21, 0, 0, 0, 0, 0, 1, 5, 0x80, 0xB0, 0x59, 0, 1, 1, 0x2A,
            0x88, 0x15, 0x46, 0x3E,
        ]
        #expect(block.bytes == expected)
    }

    /// The vectors of RFC 3720, appendix B.4.
    @Test func theChecksumIsCRC32C() {
        let sum = { (bytes: [UInt8]) in CRC32C.checksum(of: bytes.span, count: bytes.count) }
        #expect(sum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(sum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(sum([UInt8](0..<32)) == 0x46DD_794E)
        #expect(sum(Array("123456789".utf8)) == 0xE306_9283)
        let begin = CRC32C.checksum(of: Array("1234567890".utf8).span, count: 5)
        #expect(CRC32C.checksum(of: Array("6789".utf8).span, count: 4, continuing: begin) == 0xE306_9283)
    }

    /// Long texts are read in another way than short ones.
    @Test(arguments: [500, 511, 512, 513, 519, 520, 4_099]) func partsHaveTheChecksumOfTheWhole(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 / 256) }
        var sum: UInt32 = 0
        for start in stride(from: 0, to: count, by: 61) {
            let part = Array(bytes[start..<min(count, start + 61)])
            sum = CRC32C.checksum(of: part.span, count: part.count, continuing: sum)
        }
        #expect(CRC32C.checksum(of: bytes.span, count: count) == sum)
    }
}
