package import Charts

/// A writer of the changes between two screens, as bytes for a terminal.
package struct ScreenDifference: Sendable {
    /// The beginning and the end of an update that the terminal shows as a whole (DEC private mode 2026).
    static let begin = "\u{1B}[?2026h"
    static let end = "\u{1B}[?2026l"

    /// The colors. A change becomes visible when the screen is drawn again; see ``forget()``.
    var palette: Palette
    private var last: CellGrid?

    package init(_ palette: Palette) {
        self.palette = palette
    }

    /// Discards the known content of the screen, so that the next update writes all of it.
    package mutating func forget() { last = nil }

    /// Returns the bytes that make the screen show the grid; empty if it already does.
    package mutating func update(to grid: CellGrid) -> String {
        let old = last.flatMap { $0.width == grid.width && $0.height == grid.height ? $0 : nil }
        last = grid
        var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        var colors = ""
        for row in 0..<grid.height {
            var column = 0
            while let run = Self.run(in: row, from: column, grid, old) {
                text += "\u{1B}[\(row + 1);\(run.lowerBound + 1)H"
                append(grid, row, run, to: &text, &colors)
                column = run.upperBound
            }
        }
        guard !text.isEmpty else { return "" }
        return Self.begin + text + (colors.isEmpty ? "" : "\u{1B}[0m") + Self.end
    }

    /// Returns the next cells of the row that differ. A few equal cells between two that differ are written, too,
    /// because that is shorter than moving the cursor.
    private static func run(in row: Int, from start: Int, _ grid: CellGrid, _ old: CellGrid?) -> Range<Int>? {
        let differs = { (column: Int) in
            guard let old else { return grid[row, column] != .blank }
            return grid[row, column] != old[row, column]
        }
        guard var first = (start..<grid.width).first(where: differs) else { return nil }
        // The two columns of a wide character are written together.
        if grid[row, first].character == Cell.continuation.character { first = max(0, first - 1) }
        var end = first + 1
        var equal = 0
        for column in end..<max(end, grid.width) {
            equal = differs(column) ? 0 : equal + 1
            guard equal < 6 else { break }
            if equal == 0 { end = column + 1 }
        }
        return first..<end
    }

    private func append(
        _ grid: CellGrid, _ row: Int, _ run: Range<Int>, to text: inout String, _ colors: inout String
    ) {
        for column in run {
            let cell = grid[row, column]
            guard cell.character != Cell.continuation.character else { continue }
            let wanted = palette.parameters(cell.ink, isReversed: cell.isReversed)
            if wanted != colors {
                text += colors.isEmpty ? "\u{1B}[\(wanted)m" : wanted.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(wanted)m"
                colors = wanted
            }
            text.append(cell.character)
        }
    }
}
