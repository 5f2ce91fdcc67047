internal import Diagnostics

/// Formats the tables of a report as CSV (RFC 4180, but with LF line ends), separated by empty lines; nothing is
/// rounded or shortened. For a report without tables, the rows are its fields.
func csvText(of report: Report, hasHeader: Bool) -> String {
    let tables = report.parts.compactMap { part -> Table? in
        guard case .table(let table) = part else { return nil }
        return table
    }
    let shown = tables.isEmpty ? [fieldTable(report)] : tables
    return shown.map { table in
        ((hasHeader ? [csvHeader(table.columns)] : []) + table.rows.map { csvLine($0, table.columns) })
            .map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
}

private func fieldTable(_ report: Report) -> Table {
    let rows = report.parts.flatMap { part -> [[Cell]] in
        switch part {
        case .fields(let key, let fields):
            fields.filter { !$0.isForPeople }.map { field in
                [Cell(.text(key.map { "\($0).\(field.key)" } ?? field.key)), field.cell]
            }
        case .lines(let key, _, let texts): texts.map { [Cell(.text(key)), Cell(.text($0))] }
        case .table, .metadata, .text, .verbatim: []
        }
    }
    return Table(key: "fields", columns: [Column("field", nil), Column("value", nil)], rows: rows, whenEmpty: "")
}

/// Returns the header line; a column of points has two names, for the price and its time.
func csvHeader(_ columns: [Column], _ style: CSVStyle = .standard) -> String {
    columns.flatMap { $0.isPoint ? ["\($0.key)_price", "\($0.key)_time"] : [style.name($0.key)] }
        .joined(separator: "\(style.separator)")
}

func csvLine(_ row: [Cell], _ columns: [Column], _ style: CSVStyle = .standard) -> String {
    zip(row, columns).flatMap { cell, column -> [String] in
        guard column.isPoint else { return [csvField(csvText(of: cell.value, style), style)] }
        guard case .point(let price, let time) = cell.value else { return ["", ""] }
        return [csvField(csvText(of: .decimal(price), style), style), csvField(csvText(of: .time(time), style), style)]
    }.joined(separator: "\(style.separator)")
}

/// Formats a value for programs. Spreadsheets evaluate a text that begins with `=`, `+`, `-` or `@` as a formula; a
/// `'` before it prevents this.
func csvText(of value: Value, _ style: CSVStyle = .standard) -> String {
    let text =
        switch value {
        case .decimal: style.number(plain(value))
        case .time: style.time(plain(value))
        default: plain(value)
        }
    // A sign alone or before a number is not a formula.
    guard let first = text.utf8.first, "=+-@".utf8.contains(first), text.utf8.count > 1, !isNumber(text) else {
        return text
    }
    return "'" + text
}

private func isNumber(_ text: String) -> Bool {
    let digits = text.dropFirst().drop { $0 == "." }
    return (text.first == "+" || text.first == "-") && !digits.isEmpty
        && digits.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E || $0 == 0x2C || $0 == 0x25 }
}

/// Returns the field, quoted if it contains a separator or a quote, or begins or ends with a space.
func csvField(_ text: String, _ style: CSVStyle = .standard) -> String {
    let needsQuotes =
        text.contains { $0 == style.separator || $0 == "\"" } || text.hasPrefix(" ") || text.hasSuffix(" ")
    guard needsQuotes else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
