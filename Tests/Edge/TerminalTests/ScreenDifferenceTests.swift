import Charts
import Diagnostics
import TestSupport
import Testing

@testable import Terminal

/// A terminal that knows what ``ScreenDifference`` writes.
private struct TinyTerminal {
    var grid: [[Character]]
    private var row = 0
    private var column = 0

    init(width: Int, height: Int) {
        grid = Array(repeating: Array(repeating: " ", count: width), count: height)
    }

    mutating func write(_ text: String) {
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                if grid.indices.contains(row), grid[row].indices.contains(column) { grid[row][column] = character }
                column += columnWidth(of: character)
                continue
            }
            let body = rest.dropFirst().prefix { !$0.isLetter }
            rest = rest.dropFirst(body.count + 1)
            let final = rest.popFirst()
            if final == "H" {
                let place = body.split(separator: ";").compactMap { Int($0) }
                (row, column) = (place[0] - 1, place[1] - 1)
            } else if final == "J" {
                grid = grid.map { $0.map { _ in " " } }
            }
        }
    }
}

struct ScreenDifferenceTests {
    @Test func theScreenShowsEachGrid() {
        var random = SplitMix(seed: 8)
        var difference = ScreenDifference(Palette(.sixteen))
        var terminal = TinyTerminal(width: 40, height: 10)
        var grid = CellGrid(width: 40, height: 10)
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let text = ["price", "₹75", "  ", "日本", "x"].randomElement(using: &random) ?? ""
                grid.put(
                    text, row: Int.random(in: 0..<10, using: &random), column: Int.random(in: 0..<38, using: &random),
                    Bool.random(using: &random) ? .up : .text, isReversed: Bool.random(using: &random))
            }
            terminal.write(difference.update(to: grid))
            let shown = terminal.grid.map { String($0) }
            for row in 0..<10 {
                for column in 0..<40 where grid[row, column].character != "\0" {
                    let isHalf = column > 0 && columnWidth(of: grid[row, column - 1].character) == 2
                    if !isHalf { #expect(terminal.grid[row][column] == grid[row, column].character, "\(shown)") }
                }
            }
        }
    }

    @Test func anUnchangedScreenWritesNothing() {
        var difference = ScreenDifference(Palette(.many))
        var grid = CellGrid(width: 80, height: 24)
        grid.put("btcinr ₹75,00,000", row: 3, column: 2, .strong)
        #expect(!difference.update(to: grid).isEmpty)
        #expect(difference.update(to: grid).isEmpty)
        grid.put("1", row: 3, column: 20)
        let bytes = difference.update(to: grid)
        #expect(bytes.utf8.count < 40)
        #expect(bytes.hasPrefix("\u{1B}[?2026h") && bytes.hasSuffix("\u{1B}[?2026l"))
    }

    @Test func anotherSizeIsDrawnAsAWhole() {
        var difference = ScreenDifference(Palette(.none))
        _ = difference.update(to: CellGrid(width: 10, height: 2))
        #expect(difference.update(to: CellGrid(width: 11, height: 2)).contains("\u{1B}[2J"))
    }

    @Test func colorsChangeOnlyWhereTheyDiffer() {
        var difference = ScreenDifference(Palette(.sixteen))
        var grid = CellGrid(width: 6, height: 1)
        grid.put("ab", row: 0, column: 0, .up)
        grid.put("c", row: 0, column: 2)
        let up = Palette(.sixteen).parameters(.up, isReversed: false)
        let written = difference.update(to: grid)
        #expect(written.contains("\u{1B}[\(up)mab\u{1B}[0mc"), "\(written.debugDescription)")
        #expect(written.hasSuffix("c" + ScreenDifference.end), "nothing is left to reset")
    }
}
