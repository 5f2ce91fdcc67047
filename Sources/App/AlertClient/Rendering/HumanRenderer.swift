internal import Arguments
internal import Charts
internal import Diagnostics

/// Renders a report for people.
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

    /// The length of the longest title.
    private static func edge(of report: Report) -> Int {
        let fields = report.parts.flatMap { part in if case .fields(_, let fields) = part { fields } else { [Field]() }
        }
        return fields.compactMap(\.title).map { visible($0).count }.max() ?? 0
    }

    /// Titles aligned to the right, each followed by its value, as in systemctl.
    private func fieldLines(_ fields: [Field], edge: Int) -> [String] {
        let shown = fields.compactMap { field in field.title.map { (visible($0), field.cell) } }
        return shown.map { title, cell in
            let head = String(repeating: " ", count: edge - title.count + 1) + title + ": "
            let text = formatter.text(cell) + cell.mark
            let room = formatter.width.map { max(1, $0 - head.count) } ?? .max
            // In a very narrow column a cut line is easier to read than many short ones.
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
                guard let width = formatter.width, safe.count + 2 > width, !text.hasPrefix(" ") else {
                    return ["  " + safe]
                }
                return wrapped(safe, width: max(10, width - 4)).enumerated().map { ($0 == 0 ? "  " : "    ") + $1 }
            }
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
    /// A text in lines that fit the terminal; none for an empty text.
    func paragraph(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        guard let width, columnWidth(of: text) > width else { return [text] }
        return wrapped(text, width: width).map { cut($0, to: width) }
    }

    /// A line about what is not shown: `… and 3 more`.
    func more(_ text: String) -> String { (hasUnicode ? "… " : "... ") + "and \(text)" }

    /// Cuts a text to at most `room` columns, with a mark if something was cut off.
    func cut(_ text: String, to room: Int) -> String {
        fitted(text, to: room, hasUnicode: hasUnicode)
    }

    /// Blue and orange, which nearly everyone can tell apart.
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
