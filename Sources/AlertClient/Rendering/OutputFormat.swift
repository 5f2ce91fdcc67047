internal import Arguments

/// How a report is written: the one switch over formats of the program.
enum OutputFormat: Equatable, Sendable {
    case human(hasHeader: Bool)
    case plain(hasHeader: Bool)
    case json

    init(_ arguments: ParsedArguments) throws(ClientError) {
        switch (arguments.has("json"), arguments.has("plain")) {
        case (true, true): throw .usage("--json and --plain exclude each other")
        case (true, false): self = .json
        case (false, true): self = .plain(hasHeader: arguments.has("header") && !arguments.has("no-header"))
        case (false, false): self = .human(hasHeader: !arguments.has("no-header"))
        }
    }

    /// The report for standard output, and what belongs beside it on standard error.
    func render(_ report: Report, with formatter: HumanFormatter) -> (output: String, errors: String) {
        switch self {
        case .human(let hasHeader):
            (HumanRenderer(formatter: formatter, hasHeader: hasHeader).render(report), "")
        case .plain(let hasHeader):
            (plainText(of: report, hasHeader: hasHeader), report.simulated == true ? "# SIMULATED\n" : "")
        case .json: (jsonText(of: report) + "\n", "")
        }
    }
}
