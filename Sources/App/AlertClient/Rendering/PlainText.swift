internal import Diagnostics

/// Formats a report with one record per line and tab-separated fields; nothing is rounded or shortened. If the report
/// has several parts, each line begins with the name of its part.
func plainText(of report: Report, hasHeader: Bool) -> String {
    let parts = report.parts.filter(\.isPlain)
    let lines = parts.flatMap { part -> [String] in
        switch part {
        case .fields(let key, let fields):
            fields.filter { !$0.isForPeople }.map { plainLine([visible(join(key, $0.key)), plain($0.cell.value)]) }
        case .table(let table): plainLines(of: table, isAlone: parts.count == 1, hasHeader: hasHeader)
        case .lines(let key, _, let texts):
            texts.map { plainLine(parts.count == 1 ? [visible($0)] : [key, visible($0)]) }
        case .metadata, .text, .verbatim: []
        }
    }
    return lines.map { $0 + "\n" }.joined()
}

private func plainLines(of table: Table, isAlone: Bool, hasHeader: Bool) -> [String] {
    let prefix = isAlone ? [] : [table.key]
    let header = hasHeader ? [plainLine(prefix + table.columns.map { visible($0.key) })] : []
    return header + table.rows.map { row in plainLine(prefix + row.map { plain($0.value) }) }
}

private func plainLine(_ fields: [String]) -> String {
    fields.joined(separator: "\t")
}

private func join(_ key: String?, _ name: String) -> String {
    key.map { "\($0).\(name)" } ?? name
}

/// Formats a value for programs; empty if it is missing.
func plain(_ value: Value) -> String {
    switch value {
    case .missing: ""
    case .text(let text), .decimal(let text), .time(let text), .json(let text): visible(text)
    case .point(let price, _): visible(price)
    case .count(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .list(let texts): texts.map(visible).joined(separator: ",")
    case .facts(let facts): facts.first?.text.map(visible) ?? ""
    }
}
