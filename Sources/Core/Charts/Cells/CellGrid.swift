internal import Diagnostics

/// A character in a cell of a terminal, with the role that decides its colours.
package struct Cell: Equatable, Sendable {
    /// Occupies one column, or two if the next cell is ``continuation``.
    package var character: Character
    package var ink: Ink
    package var isReversed: Bool

    package init(_ character: Character, _ ink: Ink = .text, isReversed: Bool = false) {
        self.character = character
        self.ink = ink
        self.isReversed = isReversed
    }

    package static let blank = Cell(" ")
    /// The second column of a wide character.
    package static let continuation = Cell("\0")
}

/// The role of a part of a chart. Colour is never the only difference between roles: they also differ in shape, sign
/// or text.
package enum Ink: Hashable, Sendable {
    case text
    case strong
    case muted
    case up
    case down
    case alarm
    case limit
    case clear
    case band
    case fired
    case resolved
    /// The series of a chart, from 0 on; there are six colours.
    case series(Int)
}

/// A rectangle of cells. Anything outside it is not drawn.
package struct CellGrid: Equatable, Sendable {
    /// The width in terminal columns, 1 to 1,000.
    package let width: Int
    /// The height in rows, 1 to 1,000.
    package let height: Int
    package private(set) var cells: [Cell]

    /// Makes a blank grid. The size is limited to between 1 × 1 and 1,000 × 1,000 cells.
    package init(width: Int, height: Int) {
        self.width = min(1_000, max(1, width))
        self.height = min(1_000, max(1, height))
        cells = Array(repeating: .blank, count: self.width * self.height)
    }

    /// The cell at a row and column, counted from 0 at the top left. Outside the grid, cells are blank and cannot be
    /// set.
    package subscript(row: Int, column: Int) -> Cell {
        get { contains(row, column) ? cells[row * width + column] : .blank }
        set {
            guard contains(row, column) else { return }
            let place = row * width + column
            let isHalf = { (character: Character) in character == Cell.continuation.character }
            // Overwriting one half of a wide character also clears the other half.
            if column + 1 < width, isHalf(cells[place + 1].character) { cells[place + 1] = .blank }
            if column > 0, isHalf(cells[place].character), !isHalf(newValue.character) { cells[place - 1] = .blank }
            cells[place] = newValue
        }
    }

    package func contains(_ row: Int, _ column: Int) -> Bool {
        (0..<height).contains(row) && (0..<width).contains(column)
    }

    /// Writes a text into one row. Characters that a terminal would interpret are escaped, and text that does not fit
    /// is cut off.
    ///
    /// - Parameters:
    ///   - text: the text to write.
    ///   - row: the row of the text.
    ///   - column: the column of its first character.
    ///   - ink: the role of all its cells.
    ///   - isReversed: true to swap foreground and background.
    ///   - end: the first column that is not written to; nil for the edge of the grid.
    /// - Returns: the column after the text.
    @discardableResult
    package mutating func put(
        _ text: String, row: Int, column: Int, _ ink: Ink = .text, isReversed: Bool = false, before end: Int? = nil
    ) -> Int {
        var place = column
        let edge = min(end ?? width, width)
        for character in visible(withoutEmojiStyle(text)) {
            let size = columnWidth(of: character)
            guard size > 0, place + size <= edge else {
                if size == 0 { continue }
                break
            }
            self[row, place] = Cell(character, ink, isReversed: isReversed)
            if size == 2 { self[row, place + 1] = Cell("\0", ink, isReversed: isReversed) }
            place += size
        }
        return place
    }

    /// Copies another grid into this one.
    package mutating func place(_ other: CellGrid, row: Int, column: Int) {
        for line in 0..<other.height {
            for place in 0..<other.width { self[row + line, column + place] = other[line, place] }
        }
    }

    /// The rows as text, without colours or trailing blanks.
    package var plainLines: [String] {
        (0..<height).map { row in
            let characters = (0..<width).map { self[row, $0].character }.filter { $0 != "\0" }
            let end = (characters.lastIndex { $0 != " " } ?? -1) + 1
            return String(characters[..<end])
        }
    }
}

/// Returns the text, cut to `room` columns if it is longer. A cut is marked by `…`, or by `~` without Unicode.
package func fitted(_ text: String, to room: Int, hasUnicode: Bool) -> String {
    guard columnWidth(of: text) > room else { return text }
    guard room > 0 else { return "" }
    var kept = ""
    var used = 0
    for character in text {
        let size = columnWidth(of: character)
        guard used + size <= room - 1 else { break }
        kept.append(character)
        used += size
    }
    return kept + (hasUnicode ? "…" : "~")
}

/// Returns the text without emoji variation selectors. Terminals disagree on whether a character with one is one or
/// two columns wide.
private func withoutEmojiStyle(_ text: String) -> String {
    let mark: Unicode.Scalar = "\u{FE0F}"
    guard text.unicodeScalars.contains(mark) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != mark }))
}
