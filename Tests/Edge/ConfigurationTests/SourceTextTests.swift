import Diagnostics
import Testing

@testable import Configuration

/// Places in a file, from which findings get their line and column.
struct SourceTextTests {
    private func source(_ text: String) -> SourceText { SourceText(file: "a.toml", bytes: Array(text.utf8)) }

    private func place(_ line: Int, _ column: Int) -> TextPosition { TextPosition(line: line, column: column) }

    @Test func linesAreCountedFromOne() {
        let text = source("first\r\nsecond\n\nlast")
        #expect((0...5).map { text.line($0) } == [nil, "first", "second", "", "last", nil])
        #expect((1...5).map { text.endColumn(of: $0) } == [6, 7, 1, 5, 1])
        #expect(source("").line(1) == "")
        #expect(source("a\n").line(2) == "")
        #expect(source("a\n").line(3) == nil)
    }

    @Test func aByteOrderMarkIsNotPartOfTheFirstLine() {
        #expect(source("\u{FEFF}name = 1").line(1) == "name = 1")
        #expect(source("\u{FEFF}name = 1\nb").line(2) == "b")
    }

    @Test func aLineOfMoreThanFourKilobytesIsNotShown() {
        #expect(source(String(repeating: "x", count: 4_096)).line(1)?.count == 4_096)
        #expect(source(String(repeating: "x", count: 4_097)).line(1) == nil)
    }

    @Test func columnsAreCharactersAndNotBytes() {
        let text = source("é₹🚀 = 5.5x\n  max")
        #expect(text.endColumn(of: 1) == 11)
        #expect(text.token(at: place(1, 7)) == "5.5x")
        #expect(text.token(at: place(1, 4)) == "")
        #expect(text.token(at: place(1, 99)) == "")
        #expect(text.token(at: place(1, 0)) == "")
        #expect(text.token(at: place(9, 1)) == "")
        #expect(text.startOfLine(1) == place(1, 1))
        #expect(text.startOfLine(2) == place(2, 3))
    }

    @Test(arguments: [
        ("+4_800.0e-3,", "+4_800.0e-3"), ("nan]", "nan"), ("12:30", "12"), ("0xFF ", "0xFF"), ("\"a\"", ""),
    ])
    func aTokenIsANumberOrAWord(text: String, expected: String) {
        #expect(source(text).token(at: place(1, 1)) == expected)
    }

    @Test(arguments: [
        ("2027-01-01T00:00:00Z # c", "2027-01-01T00:00:00Z"), ("2027-01-01 08:30:00", "2027-01-01 08:30:00"),
        ("2027-01-01 and more", "2027-01-01"), ("2027-01-01,", "2027-01-01"),
    ])
    func aDateMayHaveASpaceBeforeItsTime(text: String, expected: String) {
        #expect(source(text).dateTime(at: place(1, 1)) == expected)
    }

    @Test func aTokenIsFoundFromAnyPlaceInIt() {
        let text = source("max = 12.5 x")
        #expect(text.startOfToken(before: place(1, 11)) == place(1, 7))
        #expect(text.startOfToken(before: place(1, 9)) == place(1, 7))
        #expect(text.startOfToken(before: place(1, 7)) == place(1, 7))
        #expect(text.startOfToken(before: place(1, 4)) == place(1, 1))
        #expect(text.startOfToken(before: place(5, 4)) == place(5, 4))
    }

    @Test func aPartOfAStringHasItsOwnPlace() {
        let text = source("message = \"é {x}\"\nraw = '{y}'")
        #expect(text.position(ofScalar: 2, of: "é {x}", writtenAt: place(1, 11)) == place(1, 14))
        #expect(text.position(ofScalar: 0, of: "é {x}", writtenAt: place(1, 11)) == place(1, 12))
        #expect(text.position(ofScalar: 1, of: "{y}", writtenAt: place(2, 7)) == place(2, 9))
    }

    @Test func aStringOfSeveralLinesToo() {
        let text = source("message = \"\"\"\nup {a}\ndown {b}\"\"\"\nb = '''x {c}'''")
        let value = "up {a}\ndown {b}"
        #expect(text.position(ofScalar: 3, of: value, writtenAt: place(1, 11)) == place(2, 4))
        #expect(text.position(ofScalar: 12, of: value, writtenAt: place(1, 11)) == place(3, 6))
        #expect(text.position(ofScalar: 2, of: "x {c}", writtenAt: place(4, 5)) == place(4, 10))
    }

    /// What is written with escapes is not counted through: the finding is at the whole string.
    @Test func aStringWithEscapesHasOnePlace() {
        let text = source("message = \"\\t{a}\"")
        #expect(text.position(ofScalar: 1, of: "\t{a}", writtenAt: place(1, 11)) == place(1, 11))
        #expect(text.position(ofScalar: 3, of: "other", writtenAt: place(1, 11)) == place(1, 11))
        #expect(text.position(ofScalar: 1, of: "a", writtenAt: place(7, 1)) == place(7, 1))
    }
}

/// What is kept out of findings, which end up in journals and bug reports.
struct SecretLineTests {
    @Test(arguments: [
        "key", "api_key", "API-KEYS", "tokens", "my.password", "pwd1", "Proxy", "client_secret", "bearer", "credential",
    ])
    func aKeyNamedLikeASecretIsOne(key: String) {
        #expect(looksSecret(key))
    }

    @Test(arguments: ["keyboard", "monkey", "tokenize", "name", "", "1", "secretary", "proxied"])
    func aWordThatOnlyContainsOneIsNot(key: String) {
        #expect(!looksSecret(key))
    }

    @Test(arguments: [
        ("name = \"a\"", true), ("token = \"a\"", false), ("url = \"https://a:b@c\"", false), ("= token", true),
        ("a = { password = 1 }", false), ("token", true),
    ])
    func aLineIsShownUnlessItMayHoldASecret(line: String, isShown: Bool) {
        let source = SourceText(file: "a.toml", bytes: Array(line.utf8))
        #expect(source.shownLine(1) == (isShown ? line : nil))
        #expect(source.shownLine(2) == nil)
    }
}
