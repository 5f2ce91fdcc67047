import JSON
import Testing

@Suite struct JSONReaderTests {
    private func read(_ text: String, limit: Int = 1_000) throws(JSONError) -> JSONValue {
        try JSONDocument(Array(text.utf8), limit: limit).root
    }

    private func member(_ text: String) throws -> JSONValue {
        var object = try read(text).object()
        let a = object.member("a")
        return try #require(a)
    }

    @Test func readsEachKindOfValue() throws {
        var object = try read(#" { "s":"text", "i":-12,"t":true,"f":false,"l":["a","b"],"n":null,"o":{"x":1}} "#)
            .object()
        #expect(try object.read("s") == "text")
        #expect(try object.read("i") == -12)
        #expect(try object.read("t") == true)
        #expect(try object.read("f") == false)
        #expect(try object.read("l") == ["a", "b"])
        let nothing: String? = try object.readIfPresent("n")
        #expect(nothing == nil)
        let absent: String? = try object.readIfPresent("x")
        #expect(absent == nil)
        let o = object.member("o")
        var inner = try #require(o).object()
        #expect(try inner.read("x") == 1)
    }

    @Test func membersAreFoundInAnyOrder() throws {
        var object = try read(#"{"a":1,"unknown":{"b":[9,{"c":8}]},"b":2,"c":3}"#).object()
        #expect(try object.read("c") == 3)
        #expect(try object.read("b") == 2)
        #expect(try object.read("a") == 1)
        #expect(try object.read("b") == 2)
        #expect(object.members.map(\.key) == ["a", "unknown", "b", "c"])
    }

    @Test(arguments: [
        (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"), (#"\u00e9\u20AC"#, "é€"), (#"\ud83d\ude00x"#, "😀x"),
        ("é€😀", "é€😀"), (#"\u0000"#, "\0"), ("", ""),
    ])
    func escapesAreUndone(written: String, text: String) throws {
        #expect(try member("{\"a\":\"\(written)\"}").string() == text)
    }

    @Test func aKeyMayHaveEscapes() throws {
        #expect(try member(#"{"b":1,"\u0061":7}"#).integer() == 7)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "[1 2]", "1 2",
        "nul", "nulls", "tru", "True", "01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "'a'", "\"a", "a\"",
        "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"a\"b", "\"a\"\"b\"", "[\"a\"\"b\"]", "//", "[1]]", "[}", "{]",
        "\u{feff}1",
        "\"\\", "\"\\\"", "\"\\u\"", "\"\\ud83d\\x\"", "[\"\\ud83d\",]",
    ])
    func whatIsNotJSONIsRefused(text: String) {
        #expect(throws: JSONError(.malformed)) { _ = try read(text) }
    }

    @Test(arguments: [
        "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\n\"", "\"\\ud83d\\ud83d\"", "\"\\ud83dx\"", "\"a\nb\"", "\"\u{1b}\"",
    ])
    func stringsThatAreNotTextAreRefused(text: String) {
        #expect(throws: JSONError(.invalidText)) { _ = try read(text) }
    }

    @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func onlyUTF8IsRead(bytes: [UInt8]) {
        #expect(throws: JSONError(.invalidText)) {
            _ = try JSONDocument(Array("\"".utf8) + bytes + Array("\"".utf8), limit: 100)
        }
    }

    @Test func nestingAndLengthAreLimited() throws {
        let nested = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
        _ = try read(nested(JSONDocument.maximumDepth))
        #expect(throws: JSONError(.tooDeep)) { _ = try read(nested(JSONDocument.maximumDepth + 1)) }
        _ = try read("[1,2]", limit: 5)
        #expect(throws: JSONError(.tooLong(limit: 4))) { _ = try read("[1,2]", limit: 4) }
    }

    @Test func numbersKeepTheirText() throws {
        for text in ["0", "-0", "1.50", "1e400", "123456789012345678901234567890", "-9223372036854775808", "2.5E-3"] {
            #expect(try member("{\"a\":\(text)}").numberText() == text)
        }
        #expect(try member(#"{"a":-9223372036854775808}"#).integer() == .min)
        for text in ["9223372036854775808", "1.0", "1e2"] {
            #expect(throws: JSONError(.mismatch(expected: "a 64-bit integer"))) {
                _ = try member("{\"a\":\(text)}").integer()
            }
        }
    }

    @Test func anErrorNamesTheWayToTheValue() throws {
        let text = #"{"alerts":[{"limit":1},{"limit":2},{"limit":{"x":[0,"no"]}}],"lists":[[1],[true]]}"#
        var object = try read(text).object()
        #expect(throws: JSONError(.mismatch(expected: "a 64-bit integer"), path: "alerts[0].limit.z")) {
            throw JSONError(.mismatch(expected: "a 64-bit integer")).inside("z").inside("limit").inside(element: 0)
                .inside("alerts")
        }
        #expect(throws: JSONError(.mismatch(expected: "a number"), path: "lists[1][0]")) {
            let _: [[Int]] = try object.read("lists")
        }
        #expect(throws: JSONError(.missing, path: "rules")) { let _: String = try object.read("rules") }
        #expect(throws: JSONError(.mismatch(expected: "a string"), path: "alerts[0]")) {
            let _: [String] = try object.read("alerts")
        }
    }

    @Test func theTextOfAValueIsAsWritten() throws {
        var object = try read(#"{"a": [1, "x\n"],"b":"q"}"#).object()
        let a = object.member("a")
        let list = try #require(a)
        #expect(String(decoding: list.text, as: UTF8.self) == #"[1, "x\n"]"#)
        let b = object.member("b")
        let string = try #require(b)
        #expect(String(decoding: string.text, as: UTF8.self) == #""q""#)
    }
}
