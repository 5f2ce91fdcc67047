import Feeds
import Market
import Testing

@Suite struct HostileBytesTests {
    private static let sample = "[\(element("one")),\(element("two")), {\"symbol\":\"six\",\"x\":[\"\\u00e9é\",{}]}]"

    @Test func aCutOffBodyIsNeverUsable() {
        let bytes = Array(Self.sample.utf8)
        for count in 0..<bytes.count {
            #expect(decodingFailure(bytes.prefix(count)) != nil, "the first \(count) bytes")
        }
        #expect(decodingFailure(bytes) == nil)
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF],
            [0x80],
            [0xF0, 0x82, 0x82, 0xAC], [0x01], [0x0A],
        ] as [[UInt8]])
    func invalidBytesHarmOnlyTheirElement(invalid: [UInt8]) throws {
        let start = Array("[\(element("one")),{\"symbol\":\"bad\",\"x\":\"é".utf8)
        let end = Array("é\"},\(element("two")),{\"symbol\":\"x\",\"y\":\"é\\\"\"}]".utf8)
        var decoder = RecordDecoder(WazirXFormat())
        let batch = try decoder.decode(padded(start + invalid + end), received: receipt)
        #expect(batch.symbols == ["one", "two", "x"])
        #expect(batch.badElementCount == 1)
    }

    @Test func invalidBytesOutsideOfStringsHarmOnlyTheirElement() throws {
        let body = Array("[\(element("one"))".utf8) + [0xFF] + Array(",\(element("two"))]".utf8)
        var decoder = RecordDecoder(WazirXFormat())
        let batch = try decoder.decode(padded(body), received: receipt)
        #expect(batch.symbols == ["two"])
        #expect(batch.badElementCount == 1)
    }

    @Test func invalidBytesOutsideOfTheArrayLoseIt() {
        #expect(decodingFailure(Array("[\(element("one"))]".utf8) + [0xFF]) == .structureLost)
        #expect(decodingFailure([0xFF] + Array("[\(element("one"))]".utf8)) == .notJSON(isHTML: false))
    }

    @Test func validTextBeyondASCIIIsFine() throws {
        let batch = try decode("[{\"symbol\":\"a\",\"name\":\"₿ 😀 é \u{7F}\"}]")
        #expect(batch.symbols == ["a"])
        #expect(batch.badElementCount == 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func flippedBitsNeverCrashNorAddElements(seed: UInt64) {
        var random = TestRandom(state: seed)
        var decoder = RecordDecoder(WazirXFormat())
        let bytes = Array(Self.sample.utf8)
        for _ in 0..<3_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            guard let batch = try? decoder.decode(padded(damaged), received: receipt) else { continue }
            #expect(batch.tickers.count + batch.badElementCount <= 7)
            #expect(Set(batch.symbols).count == batch.tickers.count)
        }
    }

    @Test(arguments: [4, 5] as [UInt64])
    func wildBytesNeverCrash(seed: UInt64) {
        var random = TestRandom(state: seed)
        var decoder = RecordDecoder(WazirXFormat())
        let alphabet = Array(#"[]{}:,"\ 1e-.nulltrue\u"#.utf8) + [0x00, 0x01, 0x80, 0xC3, 0xFF]
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<200, using: &random)
            let body = [0x5B] + (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0x20 }
            _ = try? decoder.decode(padded(body), received: receipt)
        }
    }
}
