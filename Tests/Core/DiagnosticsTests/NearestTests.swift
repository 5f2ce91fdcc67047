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
}
