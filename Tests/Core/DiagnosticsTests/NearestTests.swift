import Diagnostics
import Testing

@Suite struct NearestTests {
    private static let keys = ["interval", "max_gap", "min", "max", "hysteresis"]

    @Test(arguments: [
        ("intervall", "interval"), ("intreval", "interval"), ("maxgap", "max_gap"), ("mix", "min"),
        ("hysterisis", "hysteresis"), ("mn", "min"),
    ])
    func suggests(word: String, expected: String) {
        #expect(nearest(to: word, among: Self.keys) == expected)
    }

    @Test(arguments: ["", "zzz", "interval-of-the-whole-thing", "colour"]) func suggestsNothingFarOff(word: String) {
        #expect(nearest(to: word, among: Self.keys) == nil)
    }

    @Test func theWordItselfIsNoSuggestion() {
        #expect(nearest(to: "min", among: ["min"]) == nil)
    }

    @Test func longWordsAreBounded() {
        #expect(nearest(to: String(repeating: "x", count: 1 << 20), among: Self.keys) == nil)
    }

    /// A third of its letters may be wrong, at least one; a swap of neighbours counts once.
    @Test(arguments: [
        ("mni", "min", true), ("imn", "min", true), ("xa", "ab", false), ("ax", "ba", false), ("tix", "max", false),
        ("abdcx", "abcde", false),
        ("abcdefxyz", "abcdefghi", true), ("abcdewxyz", "abcdefghi", false), ("abcdefxy", "abcdefghi", false),
        ("ab", "", false), ("", "a", true), ("", "ab", false),
    ])
    func aThirdMayBeWrong(word: String, candidate: String, isNear: Bool) {
        #expect(nearest(to: word, among: [candidate]) == (isNear ? candidate : nil))
    }

    @Test(arguments: [(64, true), (65, false)]) func wordsUpToSixtyFourBytesAreCompared(count: Int, isNear: Bool) {
        let word = String(repeating: "x", count: count)
        let other = "y" + word.dropFirst()
        #expect(nearest(to: word, among: [other]) == (isNear ? other : nil))
    }

    @Test func theNearestIsTakenAndOfEqualsTheFirst() {
        #expect(nearest(to: "interva", among: ["intervals", "interval"]) == "interval")
        #expect(nearest(to: "mix", among: ["max", "min"]) == "max")
    }
}
