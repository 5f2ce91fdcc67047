import Diagnostics
import Testing

@Suite struct FindingRendererTests {
    private func rendered(_ line: String, column: Int, width: Int = 100) -> [String] {
        let position = SourcePosition(file: "a.toml", line: 3, column: column)
        let finding = Finding(.error, at: position, "bad", advice: "fix it", sourceLine: line)
        return FindingRenderer(width: width).render(finding).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    @Test func messageLineAndCaret() {
        #expect(
            rendered("interval = \"1s\"", column: 12) == [
                "a.toml:3:12: error: bad; fix it",
                "    interval = \"1s\"",
                "               ^",
            ])
    }

    @Test func aLogGetsOneLineWithThePlace() {
        let whole = SourcePosition(file: "a\n.toml", line: 0, column: 0)
        let file = Finding(.error, at: whole, "cannot be read", advice: nil)
        #expect(FindingRenderer.placedSentence(file) == "a\\n.toml: cannot be read")
        let line = Finding(.error, at: SourcePosition(file: "a.toml", line: 3, column: 2), "bad", advice: "fix it")
        #expect(FindingRenderer.placedSentence(line) == "a.toml:3:2: bad; fix it")
    }

    @Test func tabsAreWidenedAndTheCaretStaysUnderItsCharacter() {
        #expect(rendered("\tx\t= 1", column: 4).suffix(2) == ["        x   = 1", "            ^"])
        #expect(rendered("\tx = 1", column: 2).suffix(2) == ["        x = 1", "        ^"])
    }

    @Test func controlsAreEscapedAndTheCaretMovesAlong() {
        #expect(
            rendered("a\u{1B}[2J\u{202E}b", column: 7).suffix(2) == [
                "    a\\u{1b}[2J\\u{202e}b", "                      ^",
            ])
    }

    @Test func wideAndCombiningCharacters() {
        #expect(rendered("日本 x", column: 4).last == "         ^")
        #expect(rendered("e\u{301}x", column: 3).last == "     ^")
        #expect(
            rendered("क\u{94D}\u{200D}ष = 5", column: 8).suffix(2)
                == ["    क\u{94D}\u{200D}ष = 5", "         ^"])
    }

    @Test(arguments: [1, 2, 50, 51, 99, 100, 101, 150, 250, 299, 300, 301])
    func longLinesAreWindowed(column: Int) {
        let line = String((0..<300).map { Character(Unicode.Scalar(UInt8(0x61 + $0 % 26))) })
        let lines = rendered(line, column: column)
        #expect(lines[1].count - 4 <= 100)
        let caret = lines[2].count - 1
        let shown = Array(lines[1])
        if column <= 300 {
            #expect(shown[caret] == Array(line)[column - 1])
        } else {
            #expect(caret == shown.count)
        }
        #expect(lines[1].contains("…"))
    }

    @Test(arguments: [-5, 0, 1, 16, 17, 5_000, Int.max]) func aColumnOutsideTheLineDoesNoHarm(column: Int) {
        let lines = rendered("0123456789abcdef", column: column)
        #expect(lines[2].last == "^")
        #expect(lines[2].count <= 4 + 16 + 1)
    }

    @Test func aWholeFileHasNeitherLineNorColumn() {
        let place = SourcePosition(file: "/etc/a\nb.toml", line: 0, column: 0)
        #expect(
            FindingRenderer().render(Finding(.error, at: place, "cannot be read: no such file", advice: "make it"))
                == "/etc/a\\nb.toml: error: cannot be read: no such file; make it")
        #expect(FindingRenderer().render(Finding(.warning, at: nil, "no rules")) == "warning: no rules")
    }

    @Test func userTextInMessagesIsEscaped() {
        let finding = Finding(.error, at: nil, "unknown key `\u{1B}]0;x\u{07}`", advice: "say\u{9B}no")
        #expect(
            FindingRenderer().render(finding) == "error: unknown key `\\u{1b}]0;x\\u{7}`; say\\u{9b}no")
    }

    @Test func summaryCounts() {
        let error = Finding(.error, at: nil, "e")
        let warning = Finding(.warning, at: nil, "w")
        #expect(FindingRenderer.summary([]) == "no errors")
        #expect(FindingRenderer.summary([error]) == "1 error")
        #expect(FindingRenderer.summary([warning, error, error]) == "2 errors, 1 warning")
        #expect(FindingRenderer().render([error, warning]) == "error: e\nwarning: w\n1 error, 1 warning\n")
        #expect(FindingRenderer().render([]) == "")
    }
}
