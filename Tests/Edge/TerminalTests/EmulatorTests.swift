import Charts
import TestSupport
import Testing

@testable import Terminal

/// What ``ScreenDifference`` writes, in two terminal emulators.
struct EmulatorTests {
    private static let sizes = [(80, 24), (100, 30), (200, 60), (300, 100)]

    /// Screens that follow each other: small changes, large ones, and some with wide characters and marks.
    private func randomGrids(_ width: Int, _ height: Int, count: Int) -> [CellGrid] {
        var random = SplitMix(seed: UInt64(width))
        var grid = CellGrid(width: width, height: height)
        let texts = [
            "btcinr ₹75,00,000", "▲ +1.2%", "   ", "日本の取引", "e\u{301}a", "⣿⡇▁▂▃▄", "x",
            "한국 🚀", "│┤─●○◆",
        ]
        let inks: [Ink] = [.text, .strong, .muted, .up, .down, .alarm, .limit, .fired, .series(2)]
        return (0..<count).map { number in
            if number % 9 == 8 { grid = CellGrid(width: width, height: height) }
            for _ in 0..<Int.random(in: 0...(number % 9 == 0 ? height * 3 : 6), using: &random) {
                grid.put(
                    texts.randomElement(using: &random) ?? "", row: Int.random(in: 0..<height, using: &random),
                    column: Int.random(in: 0..<width, using: &random), inks.randomElement(using: &random) ?? .text,
                    isReversed: Int.random(in: 0..<4, using: &random) == 0)
            }
            return grid
        }
    }

    private func frames(_ grids: [CellGrid], _ palette: Palette, isWhole: Bool = false) -> [TerminalTools.Frame] {
        var difference = ScreenDifference(palette)
        return grids.map { grid in
            if isWhole { difference.forget() }
            return TerminalTools.Frame(difference.update(to: grid), expected: grid.plainLines)
        }
    }

    @Test(
        .enabled(if: TerminalTools.python != nil, "\(TerminalTools.missing)"), arguments: sizes,
        TerminalTools.Emulator.allCases)
    func changesLeadToTheScreenThatWasDrawn(size: (Int, Int), emulator: TerminalTools.Emulator) throws {
        let grids = randomGrids(size.0, size.1, count: 40)
        let frames = frames(grids, Palette(.many))
        let screens = try TerminalTools.screens(emulator, width: size.0, height: size.1, frames)
        try #require(screens.count == frames.count)
        for (number, (screen, frame)) in zip(screens, frames).enumerated() {
            #expect(screen.lines == frame.expected, "frame \(number)")
        }
    }

    /// Colours and styles are those of a screen that is drawn as a whole.
    @Test(.enabled(if: TerminalTools.python != nil, "\(TerminalTools.missing)"), arguments: ColorDepth.allCases)
    func changesLeadToTheSameColoursAsAWholeDrawing(depth: ColorDepth) throws {
        let grids = randomGrids(80, 24, count: 60)
        let changed = try TerminalTools.screens(.pyte, width: 80, height: 24, frames(grids, Palette(depth)))
        let whole = try TerminalTools.screens(
            .pyte, width: 80, height: 24, frames(grids, Palette(depth), isWhole: true))
        for (number, (screen, other)) in zip(changed, whole).enumerated() {
            #expect(screen == other, "frame \(number)")
        }
        let isStyled = changed.contains { $0.attributes.contains { $0.contains("True") } }
        #expect(isStyled == (depth != .none), "something is reversed or bold if there are colours")
    }
}
