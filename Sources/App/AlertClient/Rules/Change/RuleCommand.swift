internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market

/// `alertctl rule`: adds, removes and edits rules in the settings.
enum RuleCommand: Command {
    static let specification = CommandLineSpecification(
        "rule", summary: "Add, remove or edit rules in the settings",
        discussion: [
            "Changes the settings files and reloads the daemon. The settings are checked as a whole before they are "
                + "written, as 'alertctl check' does; if the daemon does not load them, the file is restored. Without "
                + "a running daemon, a change takes effect when it starts.",
            "New rules are added to rules.d/alertctl.toml next to the main settings file; comments and the other rules "
                + "in it stay as they are. 'alertctl rule remove' removes rules from this file only; rules elsewhere "
                + "are edited with 'alertctl rule edit NAME'.",
            "This needs write access to the settings, usually that of root.",
        ],
        options: [
            OptionSpecification(
                "config", value: "FILE", kind: .file, help: "The main settings file",
                details: "The default is that of the running daemon, else the one that it would start with."),
            OptionSpecification("dry-run", help: "Check and show the change, but do not make it"),
            OptionSpecification("yes", short: "y", help: "Do not ask for confirmation"),
        ],
        commands: [add, remove, edit], requiresCommand: true,
        hints: [
            "list": "alertctl rules", "ls": "alertctl rules", "show": "alertctl rules", "check": "alertctl check",
            "test": "alertctl test", "change": "alertctl rule edit", "set": "alertctl limit",
        ])

    private static let add = CommandLineSpecification(
        "add", summary: "Add a rule",
        discussion: [
            "The options are the keys of a rule; alertd.toml(5) describes them. A rule has one kind of condition: "
                + "--min or --max or both, --within, one of --rise, --fall and --move with --window, or a crossing. "
                + "--change -10% --in 24h is short for --fall 10% --window 24h. While the daemon is running, an asset "
                + "such as btc means its market with the shortest name. An "
                + "AMOUNT may name its currency, as in '160500 SEK'; a CHANGE is an amount or a percentage. "
                + "--currency gives the currency of all amounts of the rule. Put amounts with spaces or with a $ sign "
                + "in single quotes, as in '$20,000', because the shell interprets both.",
            "Before it is written, the rule is run on the prices that the daemon has recorded in the last 30 days, to "
                + "show what it would have notified.",
        ],
        examples: [
            Example("alertctl rule add btcinr --max '160500 SEK' --hysteresis 1%", "A limit in another currency."),
            Example("alertctl rule add btc --change -10% --in 24h", "A fall of 10% within a day."),
            Example("alertctl rule add '*inr' --fall 5% --window 15m --name 'sudden drop'", "For all rupee markets."),
            Example("alertctl rule add ethusdt --min 2000 --dry-run", "Would it have been noisy?"),
            Example("alertctl rule add btcinr --min -5% --max +10% --from price", "Relative to the current price."),
        ],
        options: RuleDraft.options,
        operands: [
            OperandSpecification(
                "SYMBOL", kind: .live("symbols"), isRepeated: true,
                help: "A symbol such as btcinr, or a pattern such as '*inr'")
        ])

    private static let remove = CommandLineSpecification(
        "remove", aliases: ["rm", "delete"], summary: "Remove a rule that was added with 'alertctl rule add'",
        discussion: [
            "Comments directly above the rule, and at its end, are removed with it. A rule with an error can be "
                + "removed, too: if the settings contain other errors, they are shown, and the daemon loads the change "
                + "when they are corrected."
        ],
        examples: [Example("alertctl rule remove 'btcinr max'", "If it is firing, it resolves.")],
        operands: [OperandSpecification("NAME", kind: .live("rules"), help: "The name of the rule")])

    private static let edit = CommandLineSpecification(
        "edit", summary: "Edit rules in an editor",
        discussion: [
            "Opens a copy of the file in the program that VISUAL or EDITOR names, else in editor or vi. When the "
                + "editor exits, the copy is checked; if it has errors, you can edit it again."
        ],
        examples: [
            Example("alertctl rule edit", "The rules in rules.d/alertctl.toml."),
            Example("alertctl rule edit 'btc band'", "Open the file of this rule, at its line."),
        ],
        operands: [
            OperandSpecification(
                "NAME", kind: .live("rules"), isOptional: true, help: "The rule (default: rules.d/alertctl.toml)")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let change = RuleChange(context: context, place: try SettingsPlace(context))
        switch context.arguments.path.last {
        case "add": return try RuleAddition(change).run()
        case "remove": return try RuleRemoval(change).run()
        default: return try RuleEditing(change).run()
        }
    }
}

extension RuleChange {
    /// Shows a change and asks for confirmation.
    ///
    /// - Returns: true if the change should be made; false for a dry run.
    /// - Throws: ``ClientError/usage(_:)`` if the user cannot be asked, ``ClientError/refused(_:)`` if the user
    ///   declines.
    func confirm(_ preview: Report, _ question: String) throws(ClientError) -> Bool {
        let arguments = context.arguments
        if context.format.isHuman { context.show(preview) }
        if arguments.has("dry-run") { return false }
        if arguments.has("yes") { return true }
        guard context.format.isHuman, !arguments.has("quiet"),
            let answer = context.environment.ask(question + " [y/N] ")
        else { throw .usage("cannot ask for confirmation here; use --yes to make the change") }
        guard answer else { throw .refused(Refused(message: "nothing was changed")) }
        return true
    }

    /// Reports the result of a change; for programs, the preview is included.
    func show(
        _ text: String, _ rule: String, _ file: String, _ applied: Applied?, after preview: Report
    ) {
        let isDryRun = context.arguments.has("dry-run")
        let reload = applied?.reload
        let others = reload.map { result in
            (result.added + result.removed + result.changed).filter { $0 != rule }
        }
        var parts: [Part] = [
            .text(isDryRun ? "Nothing was changed (--dry-run)." : text, .strong),
            .fields(
                key: nil,
                [
                    Field("rule", .text(rule)), Field("file", .text(file)), Field("written", .flag(applied != nil)),
                    Field("reloaded", .flag(reload != nil)),
                ]),
        ]
        if let applied, reload == nil, applied.errors.isEmpty { parts.append(.text(place.withoutDaemon, .none)) }
        if let others, !others.isEmpty {
            parts.append(.text("The reload also applied other changes: \(others.joined(separator: ", ")).", .none))
        }
        if let reload {
            parts.append(
                .lines(
                    key: "needs_restart", title: "Takes effect after 'systemctl restart alertd'", reload.needsRestart))
            parts.append(.lines(key: "warnings", title: "Warnings", reload.warnings))
        }
        if !context.format.isHuman { parts += preview.parts }
        context.show(Report(parts: parts))
    }
}

/// Returns findings as parts of a report.
func findingParts(_ findings: [Finding], _ context: Context) -> [Part] {
    let renderer = FindingRenderer(context.formatter)
    let text: [Part] = findings.isEmpty ? [] : [.verbatim(renderer.render(findings) + "\n")]
    return text + [.table(CheckCommand.table(findings))]
}

extension FindingRenderer {
    /// Makes a renderer that fits source lines to the width of the terminal.
    init(_ formatter: HumanFormatter) {
        self.init(width: formatter.width ?? Self.defaultWidth, isASCII: !formatter.hasUnicode)
    }
}
