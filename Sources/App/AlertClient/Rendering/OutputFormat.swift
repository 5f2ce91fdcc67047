internal import Arguments

/// The name of an option for the format of the output.
enum FormatOption: String, CaseIterable {
    case json
    case plain
    case csv

    /// The format in a message.
    var text: String {
        switch self {
        case .json: "JSON"
        case .plain: "tab-separated fields"
        case .csv: "CSV"
        }
    }
}

/// The format of a report.
enum OutputFormat: Equatable, Sendable {
    case human(hasHeader: Bool)
    case plain(hasHeader: Bool)
    case csv(hasHeader: Bool)
    case json

    init(_ arguments: ParsedArguments) throws(ClientError) {
        let chosen = FormatOption.allCases.filter { arguments.has($0.rawValue) }
        guard chosen.count < 2 else {
            throw .usage("\(chosen.map { "--\($0.rawValue)" }.joined(separator: " and ")) cannot be combined")
        }
        switch chosen.first {
        case .json: self = .json
        case .plain: self = .plain(hasHeader: arguments.has("header") && !arguments.has("no-header"))
        case .csv: self = .csv(hasHeader: !arguments.has("no-header"))
        case nil: self = .human(hasHeader: !arguments.has("no-header"))
        }
    }

    var isHuman: Bool { if case .human = self { true } else { false } }

    /// Renders a report: the text for standard output, and the accompanying text for standard error.
    func render(_ report: Report, with formatter: HumanFormatter) -> (output: String, errors: String) {
        switch self {
        case .human(let hasHeader):
            (HumanRenderer(formatter: formatter, hasHeader: hasHeader).render(report), "")
        case .plain(let hasHeader):
            (plainText(of: report, hasHeader: hasHeader), report.simulated == true ? "# SIMULATED\n" : "")
        case .csv(let hasHeader):
            (csvText(of: report, hasHeader: hasHeader), report.simulated == true ? "# SIMULATED\n" : "")
        case .json: (jsonText(of: report) + "\n", "")
        }
    }
}
