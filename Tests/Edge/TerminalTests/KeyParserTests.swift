import TestSupport
import Testing

@testable import Terminal

struct KeyParserTests {
    private func keys(_ text: String) -> [Key] {
        var parser = KeyParser()
        return parser.keys(text.utf8) + parser.finish()
    }

    @Test func keysAreFound() {
        #expect(keys("a/Å") == [.character("a"), .character("/"), .character("Å")])
        #expect(keys("\r\t\u{7F}") == [.enter, .tab, .backspace])
        #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[1;2A\u{1B}[C\u{1B}[Z") == [.up, .down, .shiftUp, .right, .backTab])
        #expect(keys("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~\u{1B}[3~") == [.pageUp, .pageDown, .home, .end, .delete])
        #expect(keys("\u{3}\u{1A}") == [.control("c"), .control("z")])
        #expect(keys("\u{1B}") == [.escape])
        #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
        #expect(keys("\u{1B}[<0;12;5M\u{1B}[<64;1;1M\u{1B}[<0;12;5m") == [.click(row: 4, column: 11), .wheelUp])
    }

    @Test func unknownSequencesAreSkipped() {
        let sequences = "\u{1B}[?62;4c\u{1B}[200~x\u{1B}pq\u{1B}[<9;99999;1M\u{1B}[99~"
        #expect(keys(sequences) == [.character("x"), .character("q")])
        #expect(keys("\u{FFFD}") == [.character("\u{FFFD}")])
        var parser = KeyParser()
        #expect(parser.keys([0xFF, 0xC3, 0x28]) == [.character("(")])
    }

    @Test(
        arguments: [
            ("11;rgb:ffff/ffff/ffff\u{07}", true), ("11;rgb:fdfd/f6f6/e3e3\u{1B}\\", true),
            ("11;rgb:f/f/f\u{07}", true),
            ("11;rgb:0000/0000/0000\u{07}", false), ("11;rgb:1e/1e/2e\u{1B}\\", false),
            ("11;rgb:-1/0/0\u{07}", nil), ("11;rgb:ffff/ffff\u{07}", nil), ("11;rgb:fffff/0/0\u{07}", nil),
            ("11;?\u{07}", nil), ("10;rgb:ffff/ffff/ffff\u{07}", nil), ("52;c;bGw=\u{07}", nil),
        ] as [(String, Bool?)])
    func anAnswerOfTheTerminalIsNoKey(answer: String, isLight: Bool?) {
        var parser = KeyParser()
        #expect(parser.keys("a\u{1B}]\(answer)b".utf8) == [.character("a"), .character("b")])
        #expect(parser.background?.isLight == isLight)
        // Slowly, so that the escape key would have been given up.
        var slow = KeyParser()
        let keys = Array("\u{1B}]\(answer)q".utf8).flatMap { byte in
            let keys = slow.keys([byte])
            return slow.isWaiting && byte != 0x1B && byte != 0x5D ? keys + slow.finish() : keys
        }
        #expect(keys == [.character("q")])
        #expect(slow.background?.isLight == isLight)
    }

    @Test func keysMayArriveInPieces() {
        var parser = KeyParser()
        let bytes = Array("\u{1B}[1;2B₹\u{1B}OA".utf8)
        #expect(bytes.flatMap { parser.keys([$0]) } == [.shiftDown, .character("₹"), .up])
        #expect(!parser.isWaiting)
    }

    @Test func whateverComesIsBounded() {
        var random = SplitMix(seed: 4)
        var parser = KeyParser()
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...20, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = parser.keys(bytes)
            if Bool.random(using: &random) { _ = parser.finish() }
        }
        _ = parser.keys(Array(repeating: 0x1B, count: 10_000) + Array("[".utf8) + Array(repeating: 0x31, count: 10_000))
        #expect(parser.keys("a".utf8).count <= 1)
    }

    @Test func whatFollowsAnEscapeKeyIsRead() {
        var parser = KeyParser()
        #expect(parser.keys("\u{1B}[".utf8) == [] && parser.isWaiting)
        #expect(parser.finish() == [.escape, .character("[")])
        #expect(!parser.isWaiting && parser.finish() == [])
        #expect(parser.keys([0xE2, 0x82]) == [] && parser.isWaiting)
        #expect(!parser.finish().contains(.escape), "half a character is no escape key")
    }
}
