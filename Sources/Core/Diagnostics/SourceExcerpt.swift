/// A line of source for display: tabs are expanded, control characters escaped, and long lines cut to the part around
/// the caret.
struct SourceExcerpt {
    private static let tabWidth = 4
    /// In a long line, the part of the width to the left of the caret is 1 ÷ this number.
    private static let leftShare = 2

    /// The text of the line.
    let text: String
    /// Spaces and a caret under the character at the given column.
    let caretLine: String

    /// Makes an excerpt.
    ///
    /// - Parameters:
    ///   - line: the line without its line ending.
    ///   - column: the column of the caret, counted from 1 in Unicode scalars. A column beyond the end of the line
    ///     means just after it.
    ///   - width: the maximum width in columns.
    ///   - isASCII: true to show all characters that are not ASCII as question marks.
    init(_ line: String, column: Int, width: Int, isASCII: Bool = false) {
        let cut = Cell(text: isASCII ? "~" : "…", width: 1)
        let cells = Self.cells(of: line).map { cell in
            isASCII && !cell.text.utf8.allSatisfy { $0 < 0x80 }
                ? Cell(text: String(repeating: "?", count: cell.width), width: cell.width) : cell
        }
        let caret = min(max(column - 1, 0), cells.count)
        let window = Self.window(of: cells, around: caret, width: width)
        var shown = Array(cells[window])
        if window.upperBound < cells.count { shown.append(cut) }
        let lead = window.lowerBound > 0 ? [cut] : []
        text = (lead + shown).map(\.text).joined()
        let offset = (lead + cells[window.lowerBound..<caret]).reduce(0) { $0 + $1.width }
        caretLine = String(repeating: " ", count: offset) + "^"
    }

    /// The text for a character of the source, and its width in columns.
    private struct Cell {
        let text: String
        let width: Int
    }

    private static func cells(of line: String) -> [Cell] {
        var column = 0
        return line.unicodeScalars.map { scalar in
            let cell = cell(scalar, at: column)
            column += cell.width
            return cell
        }
    }

    private static func cell(_ scalar: Unicode.Scalar, at column: Int) -> Cell {
        if scalar == "\t" {
            let width = tabWidth - column % tabWidth
            return Cell(text: String(repeating: " ", count: width), width: width)
        }
        let text = visible(scalar)
        let isEscape = text.unicodeScalars.first != scalar
        return Cell(text: text, width: isEscape ? text.utf8.count : columnWidth(of: scalar))
    }

    /// Returns the range of cells to show: all if they fit, otherwise a range around the caret that leaves a column
    /// for each ellipsis.
    private static func window(of cells: [Cell], around caret: Int, width: Int) -> Range<Int> {
        guard cells.reduce(0, { $0 + $1.width }) > width else { return 0..<cells.count }
        var lower = caret
        var used = 0
        while lower > 0, used + cells[lower - 1].width <= width / leftShare {
            lower -= 1
            used += cells[lower].width
        }
        var upper = caret
        while upper < cells.count, used + cells[upper].width <= width - 2 {
            used += cells[upper].width
            upper += 1
        }
        while lower > 0, used + cells[lower - 1].width <= width - 2 {
            lower -= 1
            used += cells[lower].width
        }
        return lower..<upper
    }
}
