import Diagnostics
import TestSupport
import Testing

@testable import Charts

/// How many columns characters take, compared with PyPI's wcwidth.
struct ColumnWidthTests {
    /// All scalars that are shown as they are; the others are escaped first.
    private func shown(_ scalars: ClosedRange<UInt32>) -> [Unicode.Scalar] {
        scalars.compactMap { Unicode.Scalar($0) }.filter { visible(String($0)) == String($0) }
    }

    @Test(.enabled(if: TerminalTools.python != nil, "\(TerminalTools.missing)"))
    func scalarsAreAsWideAsWcwidthSays() throws {
        let runs = try TerminalTools.characterWidths()
        #expect(runs.last?.scalars.upperBound == 0x10FFFF)
        var differences: [Unicode.GeneralCategory: Int] = [:]
        for (scalars, width) in runs {
            for scalar in shown(scalars) where columnWidth(of: scalar) != width {
                // Marks with a width of their own: wcwidth adds it to the character that they belong to, see below.
                if scalar.properties.generalCategory == .spacingMark, width == 0, columnWidth(of: scalar) == 1 {
                    differences[.spacingMark, default: 0] += 1
                    continue
                }
                Issue.record("\(scalar.escaped(asASCII: true)): \(columnWidth(of: scalar)), not \(width)")
            }
        }
        #expect(differences.keys.allSatisfy { $0 == .spacingMark })
    }

    @Test(.enabled(if: TerminalTools.python != nil, "\(TerminalTools.missing)"))
    func charactersOfSeveralScalarsAreAsWideAsWcwidthSays() throws {
        let scripts: [ClosedRange<UInt32>] = [
            0x41...0x5A, 0x900...0x97F, 0xB80...0xBFF, 0xE00...0xE7F, 0x300...0x36F, 0x3041...0x30FF, 0x1100...0x11FF,
            0xAC00...0xAC80, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x200D...0x200D,
        ]
        let scalars = scripts.map(shown)
        var random = SplitMix(seed: 11)
        var texts: [String] = [
            "👨\u{200D}👩\u{200D}👧", "🇮🇳", "👍🏽", "\u{1112}\u{1161}\u{11AB}", "का", "कि",
            "e\u{301}",
        ]
        for _ in 0..<3_000 {
            let script = scalars[Int.random(in: 0..<scalars.count, using: &random)]
            let text = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
                script.randomElement(using: &random)
            }
            texts.append(String(String.UnicodeScalarView(text)))
        }
        texts = texts.filter(isOneCharacter)
        #expect(texts.count > 300)
        let widths = try TerminalTools.textWidths(texts)
        try #require(widths.count == texts.count)
        for (text, width) in zip(texts, widths) where columnWidth(of: text) != width {
            Issue.record(
                "\(text.unicodeScalars.map { $0.escaped(asASCII: true) }): \(columnWidth(of: text)), not \(width)")
        }
    }

    /// Whether it begins with what marks can belong to. Several leading consonants of old Hangul are one character as
    /// well, but no terminal draws them as one.
    private func isOneCharacter(_ text: String) -> Bool {
        guard text.count == 1, let first = text.unicodeScalars.first else { return false }
        return columnWidth(of: first) > 0 && first.properties.generalCategory != .spacingMark
            && (!(0x1100...0x115F).contains(first.value)
                || text.unicodeScalars.dropFirst().allSatisfy { columnWidth(of: $0) == 0 })
    }

    @Test(arguments: [
        ("btcinr", 6), ("₹75,00,000", 10), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("한", 2), ("⚠", 1),
        ("🚀", 2), ("▲─●", 3), ("\u{FFFD}", 1), ("ｘ", 2),
    ])
    func commonTexts(text: String, width: Int) {
        #expect(columnWidth(of: text) == width)
    }

    /// Terminals disagree about the width of `⚠` with the mark that asks for an emoji, and agree about it without.
    @Test func aGridDropsTheMarkThatAsksForAnEmoji() {
        var grid = CellGrid(width: 20, height: 1)
        #expect(grid.put("⚠\u{FE0F} btc", row: 0, column: 0) == 5)
        #expect(grid.plainLines == ["⚠ btc"])
        #expect(grid[0, 0].character.unicodeScalars.count == 1)
    }
}
