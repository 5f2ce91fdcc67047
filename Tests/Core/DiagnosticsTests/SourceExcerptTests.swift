import Diagnostics
import Testing

/// What is shown of a line of source, and where the caret stands under it.
@Suite struct SourceExcerptTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var line: String
        var column: Int
        var shown: String
        /// How many spaces stand before the caret.
        var offset: Int

        init(_ line: String, _ column: Int, _ shown: String, _ offset: Int) {
            (self.line, self.column, self.shown, self.offset) = (line, column, shown, offset)
        }

        var testDescription: String { "\(line) \(column)" }
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyzABCD"

    private func excerpt(_ line: String, _ column: Int, _ renderer: FindingRenderer) -> [String] {
        let position = SourcePosition(file: "f", line: 1, column: column)
        return renderer.render(Finding(.error, at: position, "bad", sourceLine: line)).split(separator: "\n")
            .map(String.init)
    }

    /// In a terminal without other characters the caret still has its place.
    @Test func withoutUnicodeOtherCharactersAreQuestionMarks() {
        let renderer = FindingRenderer(width: 40, isASCII: true)
        let lines = excerpt("max = \"₹5,00 円x\"", 13, renderer)
        #expect(lines.dropFirst() == ["    max = \"?5,00 ??x\"", "                ^"])
        #expect(excerpt(String(repeating: "a", count: 90), 1, renderer)[1].hasSuffix("a~"))
    }

    /// At 20 columns, of which the signs of a cut take one each.
    @Test(arguments: [
        Row("abcdefghijklmnopqrst", 20, "abcdefghijklmnopqrst", 19),
        Row(letters, 1, "abcdefghijklmnopqr…", 0),
        Row(letters, 11, "abcdefghijklmnopqr…", 10),
        Row(letters, 12, "…bcdefghijklmnopqrs…", 11),
        Row(letters, 15, "…efghijklmnopqrstuv…", 11),
        Row(letters, 30, "…mnopqrstuvwxyzABCD", 18),
        Row(letters, 31, "…mnopqrstuvwxyzABCD", 19),
        Row(String(repeating: "日", count: 30), 15, "…" + String(repeating: "日", count: 9) + "…", 11),
        Row("abcdefghijkl日nopqrstuvwxyzABCD", 31, "…nopqrstuvwxyzABCD", 18),
        Row("abcdefghijklmno\u{1B}", 13, "abcdefghijklmno…", 12),
        Row("abcdefghijklmnop\u{1B}x", 14, "abcdefghijklmnop…", 13),
    ])
    func aLongLineIsCutAroundTheCaret(row: Row) {
        let lines = excerpt(row.line, row.column, FindingRenderer(width: 20))
        #expect(lines[1] == "    " + row.shown)
        #expect(lines[2] == "    " + String(repeating: " ", count: row.offset) + "^")
    }

    @Test func aHundredColumnsAreShownUnlessSaidOtherwise() {
        let line = String(repeating: "x", count: 100)
        #expect(excerpt(line, 1, FindingRenderer())[1] == "    " + line)
        #expect(excerpt(line + "x", 1, FindingRenderer())[1] == "    " + line.dropLast(2) + "…")
    }

    @Test(arguments: [-1, 0, 1, 19, 20]) func noLineIsNarrowerThanTwentyColumns(width: Int) {
        #expect(excerpt(Self.letters, 1, FindingRenderer(width: width))[1] == "    abcdefghijklmnopqr…")
    }

    @Test(arguments: [
        ("\tx", "    x"), ("a\tx", "a   x"), ("ab\tx", "ab  x"), ("abc\tx", "abc x"), ("abcd\tx", "abcd    x"),
    ])
    func aTabGoesToTheNextStop(line: String, shown: String) {
        #expect(excerpt(line, 1, FindingRenderer())[1] == "    " + shown)
    }

    @Test func theFirstLineIsNamedToo() {
        #expect(excerpt("x", 1, FindingRenderer())[0] == "f:1:1: error: bad")
    }

    @Test(arguments: [
        ("a\tb\nc\rd", "a\\tb\\nc\\rd"), ("\u{7F}\u{1F} ~", "\\u{7f}\\u{1f} ~"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ("é日\u{200D}\u{200C}", "é日\u{200D}\u{200C}"), ("\u{200B}\u{200E}", "\\u{200b}\\u{200e}"),
    ])
    func whatDoesNotShowIsEscaped(text: String, shown: String) {
        #expect(visible(text) == shown)
    }
}
