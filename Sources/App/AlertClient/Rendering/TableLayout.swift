internal import Arguments
internal import Diagnostics

/// The layout of a table in columns that fit the width. The least important columns are dropped first. No line is
/// longer than the width, so the terminal never breaks a line.
struct TableLayout {
    private static let gap = 2

    private let table: Table
    private let formatter: HumanFormatter
    private let hasHeader: Bool
    /// The cell texts of each column; empty for a column without a title.
    private let texts: [[CellText]]

    init(_ table: Table, formatter: HumanFormatter, hasHeader: Bool) {
        self.table = table
        self.formatter = formatter
        self.hasHeader = hasHeader
        texts = table.columns.enumerated().map { index, column in
            guard column.title != nil else { return [] }
            // Marks are to the right of the edge so that the digits of all rows are aligned.
            let room = table.rows.indices.map { table.rows[$0][index].mark.utf8.count }.max() ?? 0
            let blank = spaces(room)
            return table.rows.indices.map { row in
                let mark = table.rows[row][index].mark
                let text = formatter.text(table.rows[row][index])
                guard !mark.isEmpty else { return CellText(room == 0 ? text : text + blank) }
                return CellText(text + mark + spaces(room - mark.utf8.count))
            }
        }
    }

    var lines: [String] {
        guard !titled.isEmpty else { return [] }
        guard !table.rows.isEmpty else { return formatter.paragraph(formatter.shown(table.whenEmpty)) }
        let columns = shownColumns()
        let header = hasHeader ? [headerLine(columns)] : []
        return header + table.rows.indices.flatMap { lines(of: $0, columns) }
    }

    /// The columns with a title.
    private var titled: [Int] { table.columns.indices.filter { table.columns[$0].title != nil } }

    /// Minimum width for wrapping: in a narrower column, one truncated line is easier to read than many short ones.
    private static let leastWrappedWidth = 24

    /// Returns the lines of a row: more than one if a text does not fit a column that wraps.
    private func lines(of row: Int, _ columns: [(index: Int, width: Int)]) -> [String] {
        let long = columns.filter { column in
            table.columns[column.index].wraps && column.width >= Self.leastWrappedWidth
                && texts[column.index][row].width > column.width
        }
        guard !long.isEmpty else { return [line(of: row, columns)] }
        let parts = Dictionary(
            uniqueKeysWithValues: long.map { ($0.index, wrapped(texts[$0.index][row].text, width: $0.width)) })
        return (0..<(parts.values.map(\.count).max() ?? 1)).map { number in
            joined(columns) { index in
                let text = parts[index].map { $0.dropFirst(number).first.map(CellText.init) ?? .empty }
                return (text ?? (number == 0 ? texts[index][row] : .empty), table.rows[row][index].emphasis)
            }
        }
    }

    /// Returns the columns that fit side by side, each with its width.
    private func shownColumns() -> [(index: Int, width: Int)] {
        var columns = titled.map { (index: $0, width: naturalWidth($0)) }
        guard let room = formatter.width else { return columns }
        for place in columns.indices {
            let least = table.columns[columns[place].index].leastWidth ?? .max
            columns[place].width = min(columns[place].width, least)
        }
        while Self.total(columns) > room,
            let worst = columns.max(by: { rank($0.index) < rank($1.index) }), rank(worst.index) > 0
        {
            columns.removeAll { rank($0.index) == rank(worst.index) }
        }
        narrow(&columns, to: room)
        widen(&columns, to: room)
        return columns
    }

    /// Distributes the remaining room among the columns that may be narrowed.
    private func widen(_ columns: inout [(index: Int, width: Int)], to room: Int) {
        for place in columns.indices where table.columns[columns[place].index].leastWidth != nil {
            let rest = max(0, room - Self.total(columns))
            columns[place].width += min(rest, max(0, naturalWidth(columns[place].index) - columns[place].width))
        }
    }

    /// Narrows the widest text column by the excess width.
    private func narrow(_ columns: inout [(index: Int, width: Int)], to room: Int) {
        let excess = Self.total(columns) - room
        let flexible = columns.indices.filter { !table.columns[columns[$0].index].isNumeric }
        let widths = columns
        // Among columns of equal width, prefer one that may be narrowed.
        let order = { (place: Int) in
            (widths[place].width, table.columns[widths[place].index].leastWidth == nil ? 0 : 1)
        }
        guard excess > 0, let widest = flexible.max(by: { order($0) < order($1) }) else { return }
        columns[widest].width = max(4, columns[widest].width - excess)
    }

    private func rank(_ index: Int) -> Int { table.columns[index].rank }

    private func naturalWidth(_ index: Int) -> Int {
        let title = hasHeader ? table.columns[index].title.map { columnWidth(of: visible($0)) } ?? 0 : 0
        return max(title, texts[index].map(\.width).max() ?? 0)
    }

    private static func total(_ columns: [(index: Int, width: Int)]) -> Int {
        columns.reduce(0) { $0 + $1.width } + gap * max(0, columns.count - 1)
    }

    private func headerLine(_ columns: [(index: Int, width: Int)]) -> String {
        joined(columns) { index in (CellText(visible(table.columns[index].title ?? "")), .strong) }
    }

    private func line(of row: Int, _ columns: [(index: Int, width: Int)]) -> String {
        joined(columns) { index in (texts[index][row], table.rows[row][index].emphasis) }
    }

    private func joined(
        _ columns: [(index: Int, width: Int)], _ content: (_ index: Int) -> (CellText, Emphasis)
    ) -> String {
        // A table has thousands of cells: the bytes of a line are collected in one array.
        var line: [UInt8] = []
        line.reserveCapacity(2 * Self.total(columns))
        var used = 0
        // Blanks are written only before a text, so that no line ends with them.
        var blanks = 0
        for (place, column) in columns.enumerated() where used < formatter.width ?? .max {
            let gap = place > 0 ? Self.gap : 0
            let room = min(column.width, (formatter.width ?? .max) - used)
            let (cell, emphasis) = content(column.index)
            let cut = cell.width > room ? CellText(formatter.cut(cell.text, to: room)) : cell
            let padding = max(0, room - cut.width)
            let isNumeric = table.columns[column.index].isNumeric
            blanks += isNumeric ? gap + padding : gap
            if cut.width > 0 {
                line.append(spaces: blanks)
                line.append(formatter.styled(cut.text, emphasis))
                blanks = 0
            }
            if !isNumeric { blanks += padding }
            used += room + Self.gap
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// The text of a cell with its width. The width is computed only once, because this is slow and a table has thousands
/// of cells.
private struct CellText {
    let text: String
    let width: Int

    static let empty = CellText("")

    init(_ text: String) {
        self.text = text
        width = columnWidth(of: text)
    }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

extension [UInt8] {
    fileprivate mutating func append(_ text: String) {
        unsafe text.utf8.span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    fileprivate mutating func append(spaces count: Int) {
        append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
    }
}
