import Configuration
import Foundation
import Testing

/// Whatever is in a settings file, the answer is settings or findings.
@Suite(.timeLimit(.minutes(10))) struct HostileInputTests {
    private static let good = (try? Data(contentsOf: dataFolder.appending(path: "good/everything.toml"))) ?? Data()

    @Test func randomBytes() {
        var random = SplitMix(seed: 1)
        for round in 0..<300 {
            let bytes = (0..<(round * 7)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(rendered(bytes).isEmpty == false)
        }
    }

    @Test func randomPiecesOfTOML() {
        let pieces = [
            "[", "]", "[[rule]]\n", "{", "}", "=", ".", ",", "\"", "'", "\"\"\"", "'''", "\n", "\\", "#", "min", "rule",
            "feed", "1", "-", "_", "e9", "inf", "2027-01-01", "é", "\u{0}", "\u{7F}", "\u{202E}", "true", " ",
        ]
        var random = SplitMix(seed: 2)
        for _ in 0..<2_000 {
            let text = (0..<40).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            _ = rendered(Array(text.utf8))
        }
    }

    @Test(arguments: ["min = [\n1,", "min = [\r\n1,\r\n", "a = \"\"\"\nél"])
    func aFileThatEndsTooSoonIsFaultyAtItsEnd(text: String) {
        let place = text.hasSuffix("\n") ? "3:1" : "2:3"
        #expect(rendered(Array(text.utf8)).hasPrefix("alertd.toml:\(place): error: not valid TOML"))
    }

    /// Also in a release: toml++ asserts that a key begins here.
    @Test(arguments: ["[.rule]", "[[&rule]]", "[ # rule", "[=", "[[.", "a = {.b = 1}", "a = 1\n[*]"])
    func aKeyThatBeginsWrongIsAFinding(text: String) {
        #expect(rendered(Array(text.utf8)).contains("error: not valid TOML"))
    }

    @Test func everyBeginningOfAGoodFile() {
        for length in 0..<Self.good.count { _ = rendered([UInt8](Self.good.prefix(length))) }
        #expect(rendered([UInt8](Self.good)) == "")
    }

    @Test func aGoodFileWithOneByteChanged() {
        var random = SplitMix(seed: 3)
        for _ in 0..<1_000 {
            var bytes = [UInt8](Self.good)
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            _ = rendered(bytes)
        }
    }

    @Test(arguments: ["[", "{", "[[", "x={", "x=[", "a.", "\"a\".", "a.\n", "=", "\"", "'''", "#", "\r", "\u{0}", "é"])
    func oneMegabyteOfTheSame(piece: String) {
        var bytes = Array(piece.utf8)
        while bytes.count * 2 <= SettingsLoader.maximumFileBytes { bytes += bytes }
        #expect(!rendered(bytes).isEmpty)
        #expect(!rendered(Array("x = ".utf8) + bytes.prefix(1 << 16)).isEmpty)
    }

    @Test func nestingIsLimitedButNotTooMuch() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(!rendered(Array("x = \(nested(32))".utf8)).contains("nested too deeply"))
        #expect(rendered(Array("x = \(nested(33))".utf8)).contains("nested too deeply"))
        let key = { (parts: Int) in Array(repeatElement("a", count: parts).joined(separator: ".")) }
        #expect(!rendered(Array(String(key(16)).utf8) + Array(" = 1".utf8)).contains("nested too deeply"))
        #expect(rendered(Array(String(key(17)).utf8) + Array(" = 1".utf8)).contains("nested too deeply"))
    }

    @Test func bracketsAndDotsInStringsAndCommentsDoNotCount() throws {
        let dots = String(repeating: "[{a.", count: 50)
        let text = """
            # \(dots)
            [[rule]] # \(dots)
            name = '\(dots.prefix(100))\\' # "\(dots)
            symbol = \"\"\"btcinr\"\"\"
            max = 1
            [[rule]]
            symbol = "a"
            min = 1
            name = \"\"\"\\\"\(dots.prefix(80))""\"\"\" # '
            """
        #expect(try load(text).settings.rules.count == 2)
    }

    @Test func nothingThatATerminalActsOnGetsThrough() {
        var random = SplitMix(seed: 4)
        for _ in 0..<300 {
            let noise = (0..<20).map { _ in UInt8(truncatingIfNeeded: random.next() % 256) }
            let said = rendered(Array("[feed]\n\"x\u{1B}[2J\" = 1\ny = \"".utf8) + noise + Array("\"\n".utf8))
            #expect(said.unicodeScalars.allSatisfy { $0 == "\n" || !($0.value < 0x20 || 0x7F...0x9F ~= $0.value) })
        }
    }
}

/// Sebastiano Vigna's SplitMix64.
private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
