import Testing

@testable import Arguments

struct WrappingTests {
    @Test(
        arguments: [
            ("", 10, []), ("   ", 10, []), ("one", 3, ["one"]), ("one two", 7, ["one two"]),
            ("one two", 6, ["one", "two"]),
            ("a much-too-long b", 5, ["a", "much-too-long", "b"]), ("a  b   c", 3, ["a b", "c"]),
            ("日本 日本", 9, ["日本 日本"]), ("日本 日本", 8, ["日本", "日本"]),
        ] as [(String, Int, [String])])
    func noLineIsLonger(text: String, width: Int, lines: [String]) {
        #expect(wrapped(text, width: width) == lines)
    }

    @Test func meaningsStandBelowEachOther() {
        let list = definitionList([("a", "first"), ("longer", "second"), ("none", "")])
        #expect(list == ["  a       first", "  longer  second", "  none"])
    }

    /// A term that leaves no room has a line of its own.
    @Test func aLongTermIsAlone() {
        let fits = String(repeating: "x", count: 26)
        let long = fits + "x"
        let meaning = String(repeating: "word ", count: 10) + "end!"
        let indent = String(repeating: " ", count: 30)
        #expect(
            definitionList([(fits, "short"), (long, meaning)]) == [
                "  \(fits)  short", "  \(long)", indent + "word word word word word word word word word word",
                indent + "end!",
            ])
        #expect(definitionList([]) == [])
    }

    @Test func aMeaningEndsAtTheEightiethColumn() {
        let meaning = String(repeating: "y", count: 70) + " zzz"
        #expect(definitionList([("a", meaning)]) == ["  a  " + meaning])
        #expect(definitionList([("a", meaning + "zz")]) == ["  a  " + meaning.dropLast(4), "     zzzzz"])
    }

    @Test func helpIsEightyColumnsWide() {
        let text = String(repeating: "y", count: 76) + " zz"
        let whole = CommandLineSpecification("p", summary: text, discussion: [text + "z"]).helpText()
        #expect(whole == "Usage: p\n\(text.dropLast(3))\nzz.\n\n\(text)z\n".replacing("\nzz.\n", with: " zz.\n"))
        let wider = CommandLineSpecification("p", summary: text + "z", discussion: [text + "zz"]).helpText()
        #expect(wider == "Usage: p\n\(text.dropLast(3))\nzzz.\n\n\(text.dropLast(3))\nzzzz\n")
    }
}
