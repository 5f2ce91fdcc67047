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

extension EscapingTests {
    /// Every character of the first two planes' beginnings, alone: none can move a cursor or end a line.
    @Test func nothingThatControlsATerminalIsLeft() {
        for value in [0..<0x300, 0x2000..<0x2100, 0xFFF0..<0x1_0010].joined() {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let text = escaped(String(scalar))
            let isControl = value < 0x20 || (0x7F..<0xA0).contains(value) || [0x2028, 0x2029].contains(value)
            #expect((text == String(scalar)) == !isControl, "\(value)")
            #expect(!isControl || (text.first == "\\" && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }))
        }
    }

    @Test func anEscapeHasFourDigitsOfTheCharacter() {
        for value in (0x80 as UInt32)..<0xA0 {
            let text = Unicode.Scalar(value).map { escaped(String($0)) } ?? ""
            #expect(text.utf8.count == 6 && UInt32(text.dropFirst(2), radix: 16) == value)
            #expect(text == text.lowercased())
        }
    }
}
