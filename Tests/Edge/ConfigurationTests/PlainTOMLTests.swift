import TestSupport
import Testing

@testable import Configuration

/// What ``PlainTOML`` reads is what toml++ reads.
@Suite(.timeLimit(.minutes(10))) struct PlainTOMLTests {
    private func plain(_ text: [UInt8]) -> String? { PlainTOML.entries(of: text).map { "\($0)" } }

    private func parsed(_ text: [UInt8]) -> String? {
        guard case .table(let entries) = TOMLDocument(parsingAnything: text) else { return nil }
        return "\(entries)"
    }

    @Test(arguments: [
        example, example + "\n", "", "\n", " \t# end", "a = 1", "[a]", "[[a]]", "a = [\"b\"]", "\n\n a =\t\"\"",
    ])
    func plainTextsAreRead(text: String) {
        let bytes = Array(text.utf8)
        #expect(plain(bytes) != nil)
        #expect(plain(bytes) == parsed(bytes))
    }

    @Test(arguments: [
        "a = 1\r\n", "\u{FEFF}a = 1", "a = \"é\"", "# é", "a = \"\\n\"", "a = \"\"\"b\"\"\"", "a = 'b'", "'a' = 1",
        "a.b = 1", "[a.b]", "[ a ]", "a = +1", "a = 1e3", "a = 0x1F", "a = inf", "a = 2027-01-01", "a = { b = 1 }",
        "a = [1]", "a = [[\"b\"]]", "a = [\n\"b\"]", "[a]\n[b]\n[[a]]", "[[a]]\n[b]\n[[a]]", "a = 1234567890123456789",
    ])
    func otherTextsAreNot(text: String) {
        #expect(plain(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "a", "a =", "= 1", "a = 1\na = 2", "[a]\n[a]", "[a]\n[[a]]", "[[a]]\n[a]", "a = 1\n[a]", "a = 01", "a = 1_",
        "a = 1__0", "a = 0_1", "a = 1.", "a = .5", "a = 1._5", "a = tru", "a = truefalse", "a = \"b", "a = \"b\" c",
        "a = [\"b\" \"c\"]", "a = [,]", "a = [\"b\"", "[a", "[]", "[[a]", "[[a] ]", "[a] b = 1", "a = 1 b = 2", "\u{0}",
        "a = 1\u{0}", "# \u{1}", "a = \"\u{7F}\"", "a = \"\t\u{8}\"", "a b = 1", "a = \n1", "a\n= 1",
    ])
    func faultyTextsAreNot(text: String) {
        #expect(plain(Array(text.utf8)) == nil)
        #expect(parsed(Array(text.utf8)) == nil)
    }

    @Test func tablesOfManyKeysAreLeftToTheOther() {
        for (count, isPlain) in [(64, true), (65, false)] {
            let keys = Array((1...count).map { "a\($0) = 1\n" }.joined().utf8)
            let tables = Array((1...count).map { "[a\($0)]\n" }.joined().utf8)
            #expect((PlainTOML.entries(of: keys) != nil) == isPlain)
            #expect((PlainTOML.entries(of: tables) != nil) == isPlain)
        }
    }

    @Test func aDamagedTextIsReadAlike() {
        let pieces = Array("\"'[]{}=.,x_\n\r\t #1-0te".utf8)
        var random = SplitMix(seed: 5)
        var plainCount = 0
        for _ in 0..<3_000 {
            var text = Array(example.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: text.indices, using: &random)
                switch UInt8.random(in: 0...3, using: &random) {
                case 0: text[place] = UInt8.random(in: 0...255, using: &random)
                case 1: text.remove(at: place)
                case 2: text.insert(pieces.randomElement(using: &random) ?? 0, at: place)
                default: text.removeSubrange(place..<min(text.count, place + 9))
                }
            }
            guard let found = plain(text) else { continue }
            plainCount += 1
            #expect(found == parsed(text), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(plainCount > 300)
    }

    @Test func piecesAreReadAlike() {
        let pieces = [
            "[", "]", "[[rule]]", "[a]", "=", "a", "b", " = ", "\"", "\"c\"", ",", "\n", "\n", "#", "1", "0", ".", "_",
            "true", " ", "\t", "[\"d\"]", "a = 1\n", "b = \"\"\n", "-",
        ]
        var random = SplitMix(seed: 6)
        var plainCount = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...9, using: &random)
            let text = Array((0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined().utf8)
            guard let found = plain(text) else { continue }
            plainCount += 1
            #expect(found == parsed(text), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(plainCount > 300)
    }
}

private let example = """
    # Prices "in" rupees
    top = 1
    list = [ "a", "b" ,"c",\t]

    [feed]
    url = "http://127.0.0.1:9/sapi/v1"\t# here
      interval="30s"
    [ours]
    [[rule]]
    name = "a band: 'x' #1"
    symbol = ["btcinr", "eth*"]
    min = 4_800_000
    max = 7500000.50
    once = true
    [[rule]] # the second one
    name = ""
    symbol = []
    max = 0.00000041
    once = false
    [[rule]]
    [[other-2]]
    a_B-9 = 123456789012345678
    9 = 0
    """
