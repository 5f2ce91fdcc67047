internal import Arguments
internal import Charts
internal import Control
internal import Diagnostics

/// The converter above the last line of the live view: a separator line, the fields, and the result with its
/// evidence.
struct WatchConverterPanel {
    static let height = 5

    let converter: WatchConverter
    let formatter: HumanFormatter
    let hasUnicode: Bool

    func draw(on grid: inout CellGrid) {
        let top = grid.height - 1 - Self.height
        for row in top..<(grid.height - 1) {
            for column in 0..<grid.width { grid[row, column] = .blank }
        }
        let line = String(repeating: hasUnicode ? "─" : "-", count: grid.width)
        grid.put(line, row: top, column: 0, .muted)
        grid.put(" Convert ", row: top, column: 2, .strong)
        drawFields(on: &grid, row: top + 1)
        let rows = (top + 2)..<(grid.height - 1)
        switch converter.outcome {
        case .none: grid.put(hasUnicode ? "…" : "...", row: rows.lowerBound, column: 1, .muted)
        case .fault(let text): put(text, .alarm, on: &grid, rows: rows)
        case .results(let replies): draw(replies, on: &grid, rows: rows)
        }
    }

    private func drawFields(on grid: inout CellGrid, row: Int) {
        var place = 1
        for (field, title) in [(WatchConverter.Field.amount, "Amount"), (.from, "From"), (.to, "To")] {
            let isChosen = field == converter.field
            place = grid.put(title, row: row, column: place, .muted) + 1
            let isReversed = isChosen && converter.isSelected
            // Only the end of a long text is shown, because the user types there.
            let text = end(of: converter.text(field), width: grid.width - place - 2)
            place = grid.put(text, row: row, column: place, .strong, isReversed: isReversed)
            if isChosen, !isReversed || text.isEmpty {
                place = grid.put(" ", row: row, column: place, .text, isReversed: true)
            }
            place += 3
        }
    }

    private func end(of text: String, width: Int) -> String {
        var shown = text[...]
        while columnWidth(of: String(shown)) > max(1, width), !shown.isEmpty { shown = shown.dropFirst() }
        return String(shown)
    }

    /// Draws a single result with its evidence, or several results with one line each.
    private func draw(_ replies: [ConvertReply], on grid: inout CellGrid, rows: Range<Int>) {
        guard replies.count == 1, let reply = replies.first else {
            let rest = replies.count - rows.count
            for (reply, row) in zip(replies, rows) {
                let more = row == rows.upperBound - 1 && rest > 0 ? "  and \(rest) more" : ""
                let text = ConversionText(reply, formatter).line + more
                put(text, reply.stale ? .alarm : .strong, on: &grid, rows: row..<(row + 1))
            }
            return
        }
        let text = ConversionText(reply, formatter)
        let stale = reply.stale ? "  STALE rates of \(reply.date ?? "?")" : ""
        let next = rows.lowerBound + 1
        put(text.line + stale, reply.stale ? .alarm : .strong, on: &grid, rows: rows.lowerBound..<next)
        put(text.steps.joined(separator: ", "), .muted, on: &grid, rows: next..<rows.upperBound)
    }

    /// Draws a text in these rows, and truncates it in the last row if it does not fit.
    private func put(_ text: String, _ ink: Ink, on grid: inout CellGrid, rows: Range<Int>) {
        let width = grid.width - 2
        let plain = hasUnicode ? text : asciiText(text)
        let lines = rows.count > 1 ? wrapped(plain, width: width) : [plain]
        for (row, index) in zip(rows, lines.indices) {
            let line = row == rows.upperBound - 1 ? lines[index...].joined(separator: " ") : lines[index]
            grid.put(fitted(line, to: width, hasUnicode: hasUnicode), row: row, column: 1, ink)
        }
    }
}
