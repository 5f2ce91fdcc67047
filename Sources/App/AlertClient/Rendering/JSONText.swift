/// The report as one JSON object, without a line end. Keys are always there and always in the same order; what is
/// missing is null.
func jsonText(of report: Report) -> String {
    var members: [(String, String)] = []
    if let simulated = report.simulated { members.append(("simulated", simulated ? "true" : "false")) }
    for part in report.parts {
        switch part {
        case .fields(nil, let fields), .metadata(let fields): members += jsonMembers(fields)
        case .fields(let key?, let fields): members.append((key, jsonObject(jsonMembers(fields))))
        case .table(let table): members.append((table.key, jsonArray(table.rows.map { jsonRow($0, table.columns) })))
        case .lines(let key, _, let texts): members.append((key, jsonArray(texts.map(jsonString))))
        case .words, .verbatim: break
        }
    }
    return jsonObject(members)
}

private func jsonMembers(_ fields: [Field]) -> [(String, String)] {
    fields.filter { !$0.isForPeople }.map { ($0.key, json($0.cell.value)) }
}

private func jsonRow(_ row: [Cell], _ columns: [Column]) -> String {
    jsonObject(zip(columns, row).map { ($0.key, json($1.value)) })
}

func jsonObject(_ members: [(String, String)]) -> String {
    "{" + members.map { jsonString($0) + ":" + $1 }.joined(separator: ",") + "}"
}

private func jsonArray(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
}

func json(_ value: Value) -> String {
    switch value {
    case .missing: "null"
    case .text(let text), .decimal(let text), .time(let text): jsonString(text)
    case .point(let price, let time): jsonObject([("price", jsonString(price)), ("time", jsonString(time))])
    case .count(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .list(let texts): jsonArray(texts.map(jsonString))
    case .facts(let facts): jsonObject(facts.map { ($0.key, $0.text.map($0.isCount ? { $0 } : jsonString) ?? "null") })
    }
}

/// The text in quotes, with everything escaped that JSON demands and that a terminal would act on.
func jsonString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case _ where mustEscape(scalar): result += scalar.utf16.map(jsonEscape).joined()
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}

private func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}

private func jsonEscape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
}
