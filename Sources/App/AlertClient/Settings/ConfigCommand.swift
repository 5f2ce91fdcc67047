internal import Arguments
internal import Configuration
internal import Diagnostics
internal import Rules

/// `alertctl config show|check [FILE]`: shows the settings files and their values, or checks them.
enum ConfigCommand: Command {
    static let specification = CommandLineSpecification(
        "config", summary: "Manage settings", commands: [show, check], requiresCommand: true)

    private static let file = OperandSpecification(
        "FILE", kind: .file, isOptional: true,
        help: "The main settings file; default: that of the running daemon, or else " + CheckCommand.defaultFile)

    private static let show = CommandLineSpecification(
        "show", summary: "Show the settings files in the order they are read, and where each value comes from",
        discussion: [
            "The main file is read first, then conf.d/*.toml next to it, then rules.d/*.toml, each sorted "
                + "by name. A key in a later file replaces the same key of the same table in an earlier one; "
                + "tables in double brackets, such as [[receiver]], are added.",
            "Shows the values of the files as they are now. Keys that are not listed have their defaults, which are in "
                + "alertd.toml(5). A running daemon uses changes after a reload.",
        ],
        examples: [Example("alertctl config show", "Which file sets the interval?")], operands: [file])

    private static let check = CommandLineSpecification(
        "check", summary: "Check a settings file and report all errors at once",
        discussion: [
            "Finds what 'alertd --check' finds, without a running daemon; 'alertctl check' finds more."
        ],
        examples: [Example("alertctl config check etc/alertd.toml", "Before a reload.")], operands: [file])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let file = context.arguments.operands.first ?? CheckCommand.usualFile(context)
        let checks = context.environment.checkFiles([file])
        let findings = checks.flatMap(\.findings)
        let isGood = !findings.contains { $0.severity == .error }
        if context.arguments.path.last == show.name, isGood, let loaded = checks.compactMap(\.loaded).first {
            context.show(report(loaded))
            return .success
        }
        CheckCommand.show(findings, [file], isGood: isGood, context)
        return isGood ? .success : .badSettings
    }

    private static func report(_ loaded: LoadedSettings) -> Report {
        let columns =
            [("table", "TABLE"), ("name", "NAME"), ("key", "KEY"), ("value", "VALUE"), ("file", "FROM"), ("line", nil)]
            .map { Column($0.0, $0.1) }
        let values = loaded.origins.map { row($0.table, $0.name, $0.key, $0.value, $0.position) }
        let rules = zip(loaded.settings.rules, loaded.ruleSources).map { rule, source in
            row("rule", rule.name, nil, nil, source.begin.position)
        }
        return Report(parts: [
            .lines(key: "files", title: "Files, in the order they are read", loaded.files),
            .table(
                Table(
                    key: "values", columns: columns, rows: values + rules,
                    whenEmpty: "No file sets a value: all settings have their defaults.")),
        ])
    }

    private static func row(
        _ table: String, _ name: String?, _ key: String?, _ value: String?, _ position: SourcePosition
    ) -> [Cell] {
        [
            Cell(.text(table)), Cell(.text(name)), Cell(.text(key)), Cell(.text(value)),
            Cell(.text(position.file), human: "\(position.file):\(position.line)"), Cell(.count(position.line)),
        ]
    }
}
