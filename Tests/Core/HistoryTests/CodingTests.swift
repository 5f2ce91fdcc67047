import Testing

@testable import History

// A span cannot be captured by an expectation.
extension BitReader {
    fileprivate mutating func read(_ count: Int, from bytes: [UInt8]) -> UInt64 { read(count, from: bytes.span) }

    fileprivate mutating func readWide(_ count: Int, from bytes: [UInt8]) -> UInt64 {
        readWide(count, from: bytes.span)
    }

    fileprivate mutating func readMask(_ count: Int, from bytes: [UInt8]) -> UInt64 {
        readMask(count, from: bytes.span)
    }

    fileprivate mutating func readRice(parameter: Int, from bytes: [UInt8]) -> UInt64 {
        readRice(parameter: parameter, from: bytes.span)
    }

    fileprivate static func word(at position: Int, in bytes: [UInt8]) -> UInt64 {
        word(at: position, in: bytes.span)
    }
}

extension ByteReader {
    fileprivate mutating func variable(_ bytes: [UInt8]) -> UInt64? { variable(bytes.span) }

    fileprivate mutating func fixed(_ count: Int, _ bytes: [UInt8]) -> UInt64? { fixed(count, bytes.span) }
}

/// The codes that blocks are made of: how many bits each takes, and that what is read is what was written.
@Suite("Codes")
struct CodingTests {
    private func bytes(_ writer: BitWriter) -> [UInt8] {
        var bytes: [UInt8] = []
        writer.append(to: &bytes)
        return bytes
    }

    @Test func theFirstBitIsTheLeastSignificant() {
        var writer = BitWriter()
        #expect(bytes(writer) == [])
        writer.write(1, count: 1)
        writer.write(0, count: 2)
        writer.write(0b101, count: 3)
        #expect(writer.bitCount == 6)
        #expect(bytes(writer) == [0b101001])
        writer.write(0b111, count: 3)
        #expect(writer.bitCount == 9)
        #expect(bytes(writer) == [0b11101001, 0b1])
        writer.removeAll()
        #expect(writer.bitCount == 0)
        #expect(bytes(writer) == [])
    }

    /// Every width at every place in a word, and across two words.
    @Test func everyWidthAtEveryPlace() {
        for offset in 0..<64 {
            for count in 0...64 {
                let number = 0xFEDC_BA98_7654_3210 & UInt64.ones(count)
                var writer = BitWriter()
                writer.write(.ones(offset), count: offset)
                writer.write(number, count: count)
                writer.write(1, count: 1)
                #expect(writer.bitCount == offset + count + 1)
                let bytes = bytes(writer)
                #expect(bytes.count == (offset + count + 8) / 8)
                var reader = BitReader(position: offset)
                #expect(reader.readWide(count, from: bytes) == number, "\(count) bits at \(offset)")
                #expect(reader.read(1, from: bytes) == 1)
                #expect(reader.position == offset + count + 1)
            }
        }
    }

    @Test func beyondTheEndThereAreZeros() {
        let bytes = [UInt8](repeating: 0xFF, count: 9)
        for (position, expected) in [(64, 0xFF), (68, 0xF), (71, 1), (72, 0), (1_000, 0)] as [(Int, UInt64)] {
            var reader = BitReader(position: position)
            #expect(reader.read(56, from: bytes) == expected, "\(position)")
        }
        #expect(BitReader.word(at: 8, in: bytes) == .max)
        #expect(BitReader.word(at: 16, in: bytes) == .max >> 8)
    }

    @Test(
        arguments: [
            (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]), (16_383, [0xFF, 0x7F]),
            (16_384, [0x80, 0x80, 1]), (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
        ] as [(UInt64, [UInt8])])
    func variableNumbers(number: UInt64, expected: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.appendVariable(number)
        #expect(bytes == expected)
        var reader = ByteReader(position: 1)
        #expect(reader.variable([9] + bytes + [7]) == number)
        #expect(reader.position == 1 + bytes.count)
        reader = ByteReader(position: 0)
        #expect(reader.variable(bytes.dropLast()) == nil)
    }

    @Test func aVariableNumberEndsAfterTenBytes() {
        var reader = ByteReader(position: 0)
        #expect(reader.variable([UInt8](repeating: 0x80, count: 12)) == nil)
    }

    @Test func fixedNumbersAreInside() {
        var bytes: [UInt8] = [0xEE]
        bytes.appendFixed(0x0102_0304_0506_0708, count: 8)
        bytes.appendFixed(0x1122_3344, count: 2)
        #expect(bytes == [0xEE, 8, 7, 6, 5, 4, 3, 2, 1, 0x44, 0x33])
        var reader = ByteReader(position: 1)
        #expect(reader.fixed(8, bytes) == 0x0102_0304_0506_0708)
        #expect(reader.fixed(3, bytes) == nil)
        #expect(reader.fixed(2, bytes) == 0x3344)
        #expect(reader.fixed(1, bytes) == nil)
        #expect(reader.fixed(0, bytes) == 0)
    }

    @Test(
        arguments: [
            (-1, 0), (0, 0), (1, 1), (2, 3), (63, .max >> 1), (64, .max), (65, .max),
        ] as [(Int, UInt64)])
    func ones(count: Int, expected: UInt64) {
        #expect(UInt64.ones(count) == expected)
    }

    @Test(
        arguments: [
            (0b1, 0, 0), (0b111, 2, 2), (0b1011, 2, 3), (0b1000, 0, 3), (0b1010_1010, 3, 7), (.max, 63, 63),
            (1 << 63, 0, 63), (0b1011, 3, 64),
        ] as [(UInt64, Int, Int)])
    func theOneWithSoManyBelow(mask: UInt64, number: Int, place: Int) {
        #expect(mask.positionOfSetBit(number) == place)
    }

    /// None and all take two bits; else each row takes one more.
    @Test(
        arguments: [
            (0, 64, 2), (.max, 64, 2), (0b111, 3, 2), (0b101, 3, 5), (1, 64, 66), (0, 0, 2), (1, 1, 2), (1, 2, 4),
        ] as [(UInt64, Int, Int)])
    func masks(mask: UInt64, count: Int, bits: Int) {
        var writer = BitWriter()
        writer.writeMask(mask, count: count)
        #expect(writer.bitCount == bits)
        var reader = BitReader(position: 0)
        #expect(reader.readMask(count, from: bytes(writer)) == mask)
        #expect(reader.position == bits)
    }

    @Test(
        arguments: [
            (0, 0, 1), (0, 5, 6), (1, 0, 2), (5, 0, 6), (5, 2, 4), (23, 0, 24), (24, 0, 88), (.max, 0, 88),
            (.max, 63, 65),
            (1 << 40, 36, 53), (1 << 40, 35, 88), (1 << 32, 32, 34), (1 << 33, 33, 35),
        ] as [(UInt64, Int, Int)])
    func riceCodes(number: UInt64, parameter: Int, bits: Int) {
        for offset in [0, 1, 7, 63] {
            var writer = BitWriter()
            writer.write(0, count: offset)
            writer.writeRice(number, parameter: parameter)
            writer.writeRice(3, parameter: 1)
            #expect(writer.bitCount == offset + bits + 3)
            var reader = BitReader(position: offset)
            #expect(reader.readRice(parameter: parameter, from: bytes(writer)) == number)
            #expect(reader.position == offset + bits)
            #expect(reader.readRice(parameter: 1, from: bytes(writer)) == 3)
        }
    }

    @Test(
        arguments: [
            (0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1.4, 0), (1, 1.5, 1), (1, 2.8, 1), (1, 2.9, 1), (1, 5.8, 2),
            (4, 5.8, 1),
            (10, 1_000, 6), (1, 1e40, 63),
        ] as [(Int, Double, Int)])
    func theParameterFollowsTheMean(count: Int, sum: Double, parameter: Int) {
        #expect(Rice.parameter(count: count, sum: sum) == parameter)
    }

    @Test(
        arguments: [
            (0, 0), (-1, 1), (1, 2), (-2, 3), (2, 4), (.max, .max - 1), (.min, .max),
        ] as [(Int64, UInt64)])
    func zigzag(number: Int64, code: UInt64) {
        #expect(number.zigzag == code)
        #expect(Int64(zigzag: code) == number)
    }

    @Test func groupsOfABlock() {
        #expect([1, 64, 65, 512].map { BlockFormat.groupCount(rows: $0) } == [1, 1, 2, 8])
        #expect(BlockFormat.rows(ofGroup: 0, of: 65) == 64)
        #expect(BlockFormat.rows(ofGroup: 1, of: 65) == 1)
    }
}
