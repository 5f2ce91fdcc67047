import Testing

@testable import Text

struct TextSearchTests {
    @Test func partsAreFoundByteByByte() {
        #expect(["", "a", "abc", "bcd", "d", "₹", "abcd₹"].allSatisfy { "abcd₹".includes($0) })
        #expect(!["x", "ac", "abcde", "dd", "abcd₹₹"].contains { "abcd₹".includes($0) })
        #expect("".includes("") && !"".includes("a"))
        #expect("aab".includes("ab") && "abcd"[...].dropFirst().includes("bc"))
    }

    @Test(arguments: [
        ("120..135", "..", "120", "135"), ("..", "..", "", ""), ("a…b…c", "…", "a", "b…c"), ("a", "", "", "a"),
    ])
    func aTextIsSplitAroundTheFirstPlace(_ text: String, _ part: String, _ before: String, _ after: String) {
        let halves = text.split(around: part)
        #expect(halves?.before == before && halves?.after == after)
    }

    @Test func aTextIsNotSplitAroundWhatItDoesNotHave() {
        #expect("120.135".split(around: "..") == nil)
        #expect("".split(around: "a") == nil)
    }

    @Test(arguments: [
        ("a_b_c", "_", " ", "a b c"), ("aaa", "aa", "b", "ba"), ("aa", "a", "aa", "aaaa"), ("a", "", "x", "a"),
        ("₹1 ₹2", "₹", "", "1 2"), ("", "a", "b", ""),
    ])
    func partsAreReplacedWhereverTheyAre(_ text: String, _ part: String, _ new: String, _ result: String) {
        #expect(text.replacingAll(part, with: new) == result)
    }
}
