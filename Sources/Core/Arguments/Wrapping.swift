internal import Diagnostics

/// Breaks a text at spaces into lines of at most `width` columns, except for longer words.
package func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if !line.isEmpty, columnWidth(of: line) + 1 + columnWidth(of: String(word)) > width {
            lines.append(line)
            line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
}

/// Formats rows of terms and meanings within 80 columns, with the meanings aligned.
func definitionList(_ rows: [(term: String, meaning: String)]) -> [String] {
    let longest = rows.map(\.term.count).max() ?? 0
    let indent = min(longest, 26) + 4
    return rows.flatMap { row -> [String] in
        var lines = wrapped(row.meaning, width: 80 - indent)
        let term = "  " + row.term
        guard term.count + 2 <= indent, !lines.isEmpty else {
            return [term] + lines.map { String(repeating: " ", count: indent) + $0 }
        }
        lines[0] = term + String(repeating: " ", count: indent - term.count) + lines[0]
        return [lines[0]] + lines.dropFirst().map { String(repeating: " ", count: indent) + $0 }
    }
}
