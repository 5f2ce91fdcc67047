import Testing

@testable import Diagnostics

/// Widths of characters and what is escaped; the whole of Unicode is compared with wcwidth in the tests of `Charts`.
struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("btcinr", 6), ("₹75", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("a日b", 4),
        ("👨‍👩‍👧", 2), ("🇸🇪", 2), ("…", 1), ("ｆｕｌｌ", 8),
    ])
    func columnsOfATextAreThoseOfItsCharacters(text: String, width: Int) {
        #expect(columnWidth(of: text) == width)
        #expect(columnWidth(of: text + "ab" + text) == 2 * width + 2)
    }

    @Test(arguments: [
        ("plain ~", "plain ~"), ("a\u{7F}b", "a\\u{7f}b"), ("a\tb", "a\\tb"), ("\u{1F}", "\\u{1f}"),
        ("\u{9B}", "\\u{9b}"), ("日本", "日本"),
    ])
    func controlCharactersAreEscaped(text: String, shown: String) {
        #expect(visible(text).lowercased() == shown)
    }
}
