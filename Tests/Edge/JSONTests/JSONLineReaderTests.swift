import Testing

@testable import JSON

struct JSONLineReaderTests {
    /// The members time, symbol, price and complete of each line; nil for a line that is not an object.
    private func read(_ text: String, inBlocks: Bool = true) -> [[String?]?] {
        let bytes = Array(text.utf8)
        let reader = JSONLineReader(members: ["time", "symbol", "price", "complete"])
        var found: [[String?]?] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let isObject = reader.read(bytes.span, start..<end, block: inBlocks ? 0 : start)
            found.append(
                isObject
                    ? (0..<4).map { reader.value($0).map { String(decoding: bytes[$0], as: UTF8.self) } } : nil)
            start = end + 1
        }
        return found
    }

    private static let none: [String?] = [nil, nil, nil, nil]

    @Test(
        arguments: [
            ("{}", none), (" { } ", none),
            ("{\"time\":\"t\",\"symbol\":\"s\",\"price\":\"1.5\"}", ["t", "s", "1.5", nil]),
            ("\t{ \"price\" : 1.5e-3 , \"time\" : 17 ,\"x\":null }\r", ["17", nil, "1.5e-3", nil]),
            ("{\"complete\":true,\"records\":12}", [nil, nil, nil, "true"]),
            ("{\"timer\":1,\"tim\":2,\"time\":-3}", ["-3", nil, nil, nil]), ("{\"symbol\":\"\"}", [nil, "", nil, nil]),
            ("{\"time\":[1,{\"price\":2}],\"price\":{\"time\":3},\"symbol\":\"s\"}", [nil, "s", nil, nil]),
            ("{\"time\":1,\"time\":2}", ["1", nil, nil, nil]), ("{\"time\":null,\"price\":false}", none),
            ("{\"symbol\":\"a\\u0062\",\"time\":1}", ["1", nil, nil, nil]), ("{\"t\\u0069me\":1}", none),
            ("{\"symbol\":\"\u{E5}\u{20AC}\"}", [nil, "\u{E5}\u{20AC}", nil, nil]),
            ("{\"symbol\":\"{,]:\"}", [nil, "{,]:", nil, nil]),
        ] as [(String, [String?])])
    func anObjectHasItsMembers(line: String, expected: [String?]) {
        #expect(read(line) == [expected])
        #expect(read(line + "\n") == [expected])
    }

    @Test(arguments: [
        "", "{", "}", "[]", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{\"a\":1}}",
        "{\"a\":1 \"b\":2}", "{\"a\":[1}", "{\"a\":\"b}", "{\"a\":\"\\x\"}", "{\"a\" 1}", "{\"a\":1;\"b\":2}", "{} x",
        "{\"a\":@}", "{}{}", "{},", "1", "\"a\"", "{\"a\":+5}", "{\"a\":05}", "{\"a\":tru}", "{\"a\":\"\t\"}",
    ])
    func aLineThatIsNoObjectHarmsNoOther(line: String) {
        let good = "{\"time\":\"1\"}"
        let expected: [[String?]?] = [["1", nil, nil, nil], nil, ["1", nil, nil, nil], ["1", nil, nil, nil]]
        #expect(read([good, line, good, good].joined(separator: "\n") + "\n") == expected)
        #expect(read([good, line, good, good].joined(separator: "\n"), inBlocks: false) == expected)
        // Two of them could look like one string, or one object, that spans the lines between them.
        #expect(read([line, good, line, good].joined(separator: "\n") + " ") == [nil, expected[0], nil, expected[0]])
    }

    @Test func anObjectEndsOnItsLine() {
        #expect(read("{\"time\":1\n}\n{\"time\":2}") == [nil, nil, ["2", nil, nil, nil]])
        #expect(read("{\n\"time\":1}\n{\"time\":2}\n") == [nil, nil, ["2", nil, nil, nil]])
        #expect(read("{\"time\":\n1,\"price\":2}\n{}\n") == [nil, nil, Self.none])
    }

    @Test func invalidTextSpoilsItsLineOnly() {
        var bytes = Array("{\"time\":1}\n{\"time\":\"?\"}\n{\"time\":3}\n".utf8)
        bytes[bytes.firstIndex(of: UInt8(ascii: "?")) ?? 0] = 0xFF
        let reader = JSONLineReader(members: ["time"])
        let lines = [0..<10, 11..<23, 24..<34]
        let found = lines.map { reader.read(bytes.span, $0, block: 1) ? reader.value(0) : nil }
        #expect(found == [8..<9, nil, 32..<33])
    }

    /// Comments and blank lines are not read, whatever is in them.
    @Test func linesBetweenAreSkipped() {
        let text = Array("{\"time\":1}\n# {\"time\": \"\n\n  \n{\"time\":2}\n# [\n{\"time\":3}".utf8)
        let reader = JSONLineReader(members: ["time"])
        let lines = text.split(separator: 0x0A).map { $0.startIndex..<$0.endIndex }
            .filter { text[$0.lowerBound] == 0x7B }
        #expect(lines.map { reader.read(text.span, $0, block: 7) } == [true, true, true])
        #expect(reader.value(0) == text.count - 2..<text.count - 1)
    }

    @Test func anotherBlockIsAnotherText() {
        let reader = JSONLineReader(members: ["time"])
        let texts = ["{\"time\":1}", "{\"time\":22}", "x\"", "{\"time\":333}"].map { Array($0.utf8) }
        let found = texts.enumerated().map { number, text in
            reader.read(text.span, 0..<text.count, block: number) ? reader.value(0)?.count : nil
        }
        #expect(found == [1, 2, nil, 3])
    }

    @Test func membersAreFoundWhereverTheyAre() {
        let lines = [
            "{\"time\":1,\"price\":2}", "{\"price\":3,\"time\":4}", "{\"price\":5,\"time\":6}", "{\"x\":0,\"time\":7}",
            "{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,\"i\":0,\"price\":8}",
        ]
        #expect(
            read(lines.joined(separator: "\n")) == [
                ["1", nil, "2", nil], ["4", nil, "3", nil], ["6", nil, "5", nil], ["7", nil, nil, nil],
                [nil, nil, "8", nil],
            ])
    }
}
