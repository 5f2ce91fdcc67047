internal import Arguments
internal import Diagnostics

/// `alertctl config check [FILE]`: finds what is wrong with settings before the daemon does.
enum ConfigCommand: Command {
    static let defaultFile = "/etc/alertd/alertd.toml"

    static let specification = CommandLineSpecification(
        "config", summary: "Look after the settings",
        commands: [
            CommandLineSpecification(
                "check", summary: "Check a settings file, all errors at once",
                discussion: ["It finds what 'alertd --check' finds, and needs no running daemon."],
                examples: [Example("alertctl config check etc/alertd.toml", "Before a reload.")],
                operands: [
                    OperandSpecification(
                        "FILE", kind: .file, isOptional: true, help: "The settings file; \(defaultFile) by default")
                ])
        ], requiresCommand: true)

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let file = context.arguments.operands.first ?? defaultFile
        let findings = context.environment.checkSettings(file)
        let isGood = !findings.contains { $0.severity == .error }
        let words: Part =
            findings.isEmpty
            ? .words("\(file): no errors", .none)
            : .verbatim(
                FindingRenderer(width: context.formatter.width ?? FindingRenderer.defaultWidth).render(findings))
        context.show(
            Report(parts: [
                words, .fields(key: nil, [Field("file", .text(file)), Field("good", .flag(isGood))]),
                .table(table(findings)),
            ]))
        return isGood ? .success : .badSettings
    }

    private static func table(_ findings: [Finding]) -> Table {
        let columns = ["severity", "file", "line", "column", "message", "advice"].map { Column($0, nil) }
        let rows = findings.map { finding in
            [
                Cell(.text(finding.severity.rawValue)), Cell(.text(finding.position?.file)),
                Cell(.count(finding.position?.line)), Cell(.count(finding.position?.column)),
                Cell(.text(finding.message)), Cell(.text(finding.advice)),
            ]
        }
        return Table(key: "findings", columns: columns, rows: rows, whenEmpty: "")
    }
}
