internal import Diagnostics

/// The tables of a report as CSV (RFC 4180, but with LF line ends); nothing is rounded or shortened.
func csvText(of report: Report, hasHeader: Bool) -> String {
    let lines = report.parts.flatMap { part -> [String] in
        guard case .table(let table) = part else { return [] }
        return (hasHeader ? [csvHeader(table.columns)] : []) + table.rows.map { csvLine($0, table.columns) }
    }
    return lines.map { $0 + "\n" }.joined()
}

/// The names of the columns; a price with its time has two.
func csvHeader(_ columns: [Column]) -> String {
    columns.flatMap { $0.isPoint ? ["\($0.key)_price", "\($0.key)_time"] : [$0.key] }.joined(separator: ",")
}

func csvLine(_ row: [Cell], _ columns: [Column]) -> String {
    zip(row, columns).flatMap { cell, column -> [String] in
        guard column.isPoint else { return [csvField(csvText(of: cell.value))] }
        guard case .point(let price, let time) = cell.value else { return ["", ""] }
        return [csvField(csvText(of: .decimal(price))), csvField(csvText(of: .time(time)))]
    }.joined(separator: ",")
}

/// The value for programs. Spreadsheets take a text that begins with `=`, `+`, `-` or `@` for a formula; the `'` before
/// it makes it a text for them.
func csvText(of value: Value) -> String {
    let text = plain(value)
    // A sign alone or before a number is none.
    guard let first = text.utf8.first, "=+-@".utf8.contains(first), text.utf8.count > 1, !isNumber(text) else {
        return text
    }
    return "'" + text
}

private func isNumber(_ text: String) -> Bool {
    let digits = text.dropFirst().drop { $0 == "." }
    return (text.first == "+" || text.first == "-") && !digits.isEmpty
        && digits.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E || $0 == 0x25 }
}

/// In quotes if it contains a comma or a quote, or begins or ends with a space.
func csvField(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { $0 == 0x2C || $0 == 0x22 } || text.hasPrefix(" ") || text.hasSuffix(" ")
    guard needsQuotes else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
