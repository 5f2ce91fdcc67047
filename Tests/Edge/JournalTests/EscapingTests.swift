import Journal
import Testing

struct EscapingTests {
    private func escaped(_ text: String) -> String {
        var bytes = Array("<".utf8)
        bytes.append(escaping: text)
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }

    @Test(arguments: [
        ("a b~", "a b~"), ("\t\n\r", #"\t\n\r"#), ("\u{0}\u{8}\u{B}\u{1A}\u{1F}", #"\u0000\u0008\u000b\u001a\u001f"#),
        ("\u{7F}\u{80}\u{9F}\u{A0}", "\\u007f\\u0080\\u009f\u{A0}"),
        ("\u{2027}\u{2028}\u{2029}\u{202A}", "\u{2027}\\u2028\\u2029\u{202A}"),
        ("₹ü日🚀", "₹ü日🚀"), ("", ""),
    ])
    func whatComesOutIsOneLine(text: String, expected: String) {
        #expect(escaped(text) == expected)
    }

    @Test func quotesAndBackslashesStayAsTheyAre() {
        #expect(escaped(#"a"b\c"#) == #"a"b\c"#)
    }
}
