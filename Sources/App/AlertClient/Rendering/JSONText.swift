internal import JSON

/// Formats a report as one JSON object, without a line end. Keys are always present and in the same order; missing
/// values are null.
func jsonText(of report: Report) -> String {
    var writer = JSONWriter(capacity: 64 << 10)
    writer.beginObject()
    if let simulated = report.simulated { writer.member("simulated", simulated) }
    for part in report.parts { writer.members(of: part) }
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// Formats the cells of one row as one JSON object.
func jsonText(of row: [Cell], _ columns: [Column]) -> String {
    var writer = JSONWriter()
    writer.row(row, columns)
    return String(decoding: writer.bytes, as: UTF8.self)
}

extension JSONWriter {
    fileprivate mutating func members(of part: Part) {
        switch part {
        case .fields(nil, let fields), .metadata(let fields): members(fields)
        case .fields(let name?, let fields):
            key(name)
            beginObject()
            members(fields)
            endObject()
        case .table(let table):
            key(table.key)
            beginArray()
            for cells in table.rows { row(cells, table.columns) }
            endArray()
        case .lines(let name, _, let texts):
            key(name)
            texts.write(to: &self)
        case .text, .verbatim: break
        }
    }

    private mutating func members(_ fields: [Field]) {
        for field in fields where !field.isForPeople {
            key(field.key)
            field.cell.value.write(to: &self)
        }
    }

    fileprivate mutating func row(_ row: [Cell], _ columns: [Column]) {
        beginObject()
        for (column, cell) in zip(columns, row) {
            key(column.key)
            cell.value.write(to: &self)
        }
        endObject()
    }
}

extension Value: JSONWritable {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .missing: writer.null()
        case .json(let text): writer.raw(Array(text.utf8))
        case .text(let text), .decimal(let text), .time(let text): writer.string(text)
        case .point(let price, let time):
            writer.beginObject()
            writer.member("price", price)
            writer.member("time", time)
            writer.endObject()
        case .count(let number): writer.integer(Int64(number))
        case .flag(let flag): writer.bool(flag)
        case .list(let texts): texts.write(to: &writer)
        case .facts(let facts):
            writer.beginObject()
            for fact in facts {
                writer.key(fact.key)
                fact.write(to: &writer)
            }
            writer.endObject()
        }
    }
}

extension Value.Fact: JSONWritable {
    /// Writes the value: a count as a number, any other as a string.
    func write(to writer: inout JSONWriter) {
        guard let text else { return writer.null() }
        if isCount, let number = Int64(text) { writer.integer(number) } else { writer.string(text) }
    }
}
