import JSON
import Testing

@Suite struct JSONWriterTests {
    private func text(_ value: some JSONWritable) -> String {
        String(decoding: JSONWriter.text(of: value), as: UTF8.self)
    }

    @Test func writesMembersInTheirOrder() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("b", 1)
        writer.member("a", "x")
        writer.member("none", String?.none)
        writer.member("list", [true, false])
        writer.member("empty", [String]())
        writer.key("object" as StaticString)
        writer.beginObject()
        writer.key("k\"" as String)
        writer.raw([0x30])
        writer.endObject()
        writer.endObject()
        let expected = #"{"b":1,"a":"x","none":null,"list":[true,false],"empty":[],"object":{"k\"":0}}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test func elementsThatEndLikeSeparatorsAreSeparated() {
        #expect(text([[":", "{", "["], [","], []]) == #"[[":","{","["],[","],[]]"#)
    }

    @Test(arguments: [
        ("\"\\/", #""\"\\/""#), ("\t\n\r", #""\t\n\r""#), ("\u{0}\u{1b}\u{7f}", #""\u0000\u001b\u007f""#),
        ("\u{85}\u{9b}", #""\u0085\u009b""#), ("\u{2028}\u{202e}\u{200b}", #""\u2028\u202e\u200b""#),
        ("\u{e0001}", #""\udb40\udc01""#), ("åß₹😀", "\"åß₹😀\""),
    ])
    func whatCouldSteerATerminalIsEscaped(value: String, expected: String) throws {
        #expect(text(value) == expected)
        #expect(try JSONDocument(Array(expected.utf8), limit: 100).root.string() == value)
    }

    @Test func integersAreWhole() {
        #expect(text([Int.min, 0, Int.max]) == "[-9223372036854775808,0,9223372036854775807]")
    }
}
