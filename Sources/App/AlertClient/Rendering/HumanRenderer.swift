internal import Arguments
internal import Charts
internal import Diagnostics

/// A renderer of reports for people.
struct HumanRenderer {
    let formatter: HumanFormatter
    let hasHeader: Bool

    func render(_ report: Report) -> String {
        var output = ""
        if report.simulated == true {
            output += styled(fitted("SIMULATED market: these prices are made up"), .alarm) + "\n"
        }
        let edge = Self.edge(of: report)
        for part in report.parts {
            for line in lines(of: part, edge: edge) {
                output += line
                output += "\n"
            }
        }
        return output
    }

    private func lines(of part: Part, edge: Int) -> [String] {
        switch part {
        case .metadata: []
        case .fields(_, let fields): fieldLines(fields, edge: edge)
        case .table(let table): TableLayout(table, formatter: formatter, hasHeader: hasHeader).lines
        case .lines(_, let title, let texts): textLines(texts, title: title)
        case .text(let text, let emphasis): formatter.paragraph(formatter.shown(text)).map { styled($0, emphasis) }
        case .verbatim(let text):
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// Returns the length of the longest field title.
    private static func edge(of report: Report) -> Int {
        let fields = report.parts.flatMap { part in if case .fields(_, let fields) = part { fields } else { [Field]() }
        }
        return fields.compactMap(\.title).map { visible($0).count }.max() ?? 0
    }

    /// Returns lines with right-aligned titles, each followed by its value, as in systemctl.
    private func fieldLines(_ fields: [Field], edge: Int) -> [String] {
        let shown = fields.compactMap { field in field.title.map { (visible($0), field.cell) } }
        return shown.map { title, cell in
            let head = String(repeating: " ", count: edge - title.count + 1) + title + ": "
            let text = formatter.text(cell) + cell.mark
            let room = formatter.width.map { max(1, $0 - head.count) } ?? .max
            // In a very narrow column, one truncated line is easier to read than many short ones.
            let lines = columnWidth(of: text) > room && room >= 24 ? wrapped(text, width: room) : [text]
            return lines.enumerated().map { number, line in
                (number == 0 ? head : String(repeating: " ", count: head.count))
                    + styled(cut(line, to: room), cell.emphasis)
            }.joined(separator: "\n")
        }
    }

    private func textLines(_ texts: [String], title: String?) -> [String] {
        guard let title, !texts.isEmpty else { return [] }
        return [visible(title) + ":"]
            + texts.flatMap { text -> [String] in
                let safe = formatter.shown(text)
                guard let width = formatter.width, columnWidth(of: safe) + 2 > width, !text.hasPrefix(" ") else {
                    return ["  " + safe]
                }
                let room = max(10, width - 4)
                return wrapped(safe, width: room).flatMap { broken($0, width: room) }.enumerated()
                    .map { ($0 == 0 ? "  " : "    ") + $1 }
            }
    }

    /// Returns a line in pieces of at most this width. Otherwise the terminal would break a long word without an
    /// indent, and the text would have more lines than are counted.
    private func broken(_ line: String, width: Int) -> [String] {
        guard columnWidth(of: line) > width else { return [line] }
        var pieces: [String] = []
        var piece = ""
        var used = 0
        for character in line {
            let columns = columnWidth(of: String(character))
            if used + columns > width, !piece.isEmpty {
                pieces.append(piece)
                (piece, used) = ("", 0)
            }
            piece.append(character)
            used += columns
        }
        return pieces + [piece]
    }

    private func fitted(_ line: String) -> String {
        formatter.width.map { cut(line, to: $0) } ?? line
    }

    private func cut(_ text: String, to room: Int) -> String {
        formatter.cut(text, to: room)
    }

    private func styled(_ text: String, _ emphasis: Emphasis) -> String {
        formatter.styled(text, emphasis)
    }
}

extension HumanFormatter {
    /// Wraps a text to the width of the terminal; no lines for an empty text.
    func paragraph(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        guard let width, columnWidth(of: text) > width else { return [text] }
        return wrapped(text, width: width).map { cut($0, to: width) }
    }

    /// Returns a line about omitted rows: `… and 3 more`.
    func more(_ text: String) -> String { (hasUnicode ? "… " : "... ") + "and \(text)" }

    /// Truncates a text to at most `room` columns, with an ellipsis if something is cut off.
    func cut(_ text: String, to room: Int) -> String {
        fitted(text, to: room, hasUnicode: hasUnicode)
    }

    /// Applies an emphasis. The colours are blue and orange, which nearly everyone can distinguish.
    func styled(_ text: String, _ emphasis: Emphasis) -> String {
        guard hasColor, !text.isEmpty else { return text }
        let orange = isLight ? "38;5;130" : "38;5;208"
        let code: String
        switch emphasis {
        case .none: return text
        case .good, .up: code = "34"
        case .down: code = orange
        case .alarm: code = "1;\(orange)"
        case .muted: code = "2"
        case .strong: code = "1"
        }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
