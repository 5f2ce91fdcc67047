import TestSupport
import Testing

@testable import Charts

/// Drawings that were looked at once, byte for byte.
struct GoldenTests {
    @Test(arguments: ["full", "candles", "comparison"], SymbolSet.allCases)
    func cellsAreAsBefore(name: String, symbols: SymbolSet) throws {
        let grid = try #require(Self.charts[name]).cells(width: 80, height: 20, symbols: symbols)
        try expectGolden("\(name)-\(symbols).txt", grid.plainLines.map { $0 + "\n" }.joined())
    }

    @Test(arguments: ["full", "candles", "comparison"])
    func picturesAreAsBefore(name: String) throws {
        let chart = try #require(Self.charts[name])
        let text = chart.svg(width: 480, height: 240)
        #expect(text == chart.svg(width: 480, height: 240))
        try expectGolden("\(name).svg", text)
    }

    @Test func coloursAreAsBefore() throws {
        let grid = ChartSample.full.cells(width: 50, height: 10, symbols: .braille)
        for depth in ColorDepth.allCases {
            let text = grid.lines(Palette(depth)).map { $0 + "\n" }.joined()
            try expectGolden("colours-\(depth).txt", text.replacing("\u{1B}", with: "ESC"))
        }
    }

    private static let charts = [
        "full": ChartSample.full, "candles": ChartSample.candles, "comparison": ChartSample.comparison,
    ]
}

/// Compares a text with the file of that name.
func expectGolden(_ name: String, _ text: String, _ location: SourceLocation = #_sourceLocation) throws {
    let golden = try goldenText("Core/ChartsTests/Golden/\(name)", updatedWith: text)
    #expect(text == golden, "differs from Golden/\(name)", sourceLocation: location)
}
