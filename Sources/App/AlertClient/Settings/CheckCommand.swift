internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market

/// `alertctl check [FILE…]`: what is wrong in settings, and what is allowed but hardly meant.
enum CheckCommand: Command {
    static let defaultFile = "/etc/alertd/alertd.toml"

    static let specification = CommandLineSpecification(
        "check", summary: "Check settings, and hold their rules against the market",
        discussion: [
            "All errors of the files at once, as 'alertd --check' finds them. Where there is none, also what is "
                + "allowed but hardly meant: rules that mean the same, times that make no sense, and with a daemon "
                + "that runs, symbols that the exchange does not list or that are frozen, currencies that cannot be "
                + "converted, limits that are reached already, that are finer than prices, or far from every price "
                + "that is kept, and limits that somebody has changed.",
            "A file in a folder rules.d holds rules only; a main file is checked with the rules.d beside it. Exit "
                + "code 6 means an error, 9 that there is only something to look at.",
        ],
        examples: [
            Example("alertctl check", "Before a reload."),
            Example("alertctl check rules.d/mine.toml --no-market", "Without asking the daemon."),
        ],
        options: [OptionSpecification("no-market", help: "Do not ask the daemon for the market")],
        operands: [
            OperandSpecification(
                "FILE", kind: .file, isOptional: true, isRepeated: true,
                help: "Settings files; \(defaultFile) by default")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let files = context.arguments.operands.isEmpty ? [defaultFile] : context.arguments.operands
        let checks = context.environment.checkFiles(files)
        var findings = checks.flatMap(\.findings)
        let good = checks.compactMap(\.loaded)
        for loaded in good {
            let lint = RuleLint(loaded.settings.rules, loaded.ruleSources)
            findings += lint.findings(interval: loaded.settings.feed.interval, now: context.environment.now())
        }
        let isGood = good.count == checks.count
        var hasMarket = false
        if isGood, !context.arguments.has("no-market") {
            hasMarket = try heldAgainstMarket(good, context, &findings)
        }
        show(findings, files, isGood: isGood, hasMarket: hasMarket, context)
        return isGood ? (findings.isEmpty ? .success : .lint) : .badSettings
    }

    /// Whether the rules could be held against the market of the daemon.
    private static func heldAgainstMarket(
        _ good: [LoadedSettings], _ context: Context, _ findings: inout [Finding]
    ) throws(ClientError) -> Bool {
        do throws(ClientError) {
            let reader = try MarketReader(context.connect(), now: context.environment.now())
            for loaded in good {
                guard loaded.settings.feed.source.rawValue == reader.source || !loaded.hasMainFile else {
                    context.note(
                        "alertctl: the daemon's prices come from \(reader.source), the settings say "
                            + "\(loaded.settings.feed.source.rawValue): market checks were left out")
                    return false
                }
                let rules = loaded.settings.rules
                let facts = try reader.facts(for: rules)
                findings += RuleLint(rules, loaded.ruleSources).findings(in: facts)
                findings += try reader.overrides(of: rules, loaded.ruleSources)
            }
            return true
        } catch {
            guard [.notRunning, .notAllowed].contains(error.exitCode) else { throw error }
            let why = error.exitCode == .notRunning ? "the daemon is not running" : "you may not ask the daemon"
            context.note("alertctl: \(why): market checks were left out")
            return false
        }
    }

    static func show(
        _ findings: [Finding], _ files: [String], isGood: Bool, hasMarket: Bool? = nil, _ context: Context
    ) {
        let order = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
        let sorted = findings.enumerated().sorted { left, right in
            let key = { (index: Int, finding: Finding) in
                let position = finding.position
                return (
                    position.flatMap { order[$0.file] } ?? files.count, position?.file ?? "", position?.line ?? 0,
                    position?.column ?? 0, index
                )
            }
            return key(left.offset, left.element) < key(right.offset, right.element)
        }.map(\.element)
        let name = files.joined(separator: ", ")
        let words: Part =
            findings.isEmpty
            ? .words("\(name): no errors", .none)
            : .verbatim(
                FindingRenderer(width: context.formatter.width ?? FindingRenderer.defaultWidth).render(sorted))
        var fields = [Field("file", .text(name)), Field("good", .flag(isGood))]
        if let hasMarket { fields.append(Field("market", .flag(hasMarket))) }
        context.show(Report(parts: [words, .fields(key: nil, fields), .table(table(sorted))]))
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
