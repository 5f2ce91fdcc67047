internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import PriceSources

/// `alertctl check [FILE…]`: reports errors and likely mistakes in settings.
enum CheckCommand: Command {
    static let defaultFolder = "/etc/alertd/"
    static let defaultFile = defaultFolder + "alertd.toml"

    static let specification = CommandLineSpecification(
        "check", summary: "Check settings, and compare their rules with the market",
        discussion: [
            "Reports all errors at once, as 'alertd --check' does. If there are none, it also reports likely "
                + "mistakes: duplicate rules and durations that make no sense; and, if the daemon is running, symbols "
                + "that their source does not list or that are frozen, currencies that cannot be converted, limits "
                + "that are already reached, more precise than the prices, or far from every price in the history, "
                + "limits that were changed at run time, and credentials that the daemon was not started with.",
            "If root checks files in /etc/alertd, they are read with the permissions of the service's user, so a file "
                + "that the service could not read is an error.",
            "A main file is checked with the conf.d and rules.d next to it, and a file in conf.d with the alertd.toml "
                + "that it adds to. A file in rules.d contains rules only. For a directory, its alertd.toml is "
                + "checked, or else all its *.toml files. Exit code 6 means errors, 9 likely mistakes only.",
        ],
        examples: [
            Example("alertctl check", "Before a reload."),
            Example("alertctl check rules.d/mine.toml --no-market", "Without a daemon."),
        ],
        options: [OptionSpecification("no-market", help: "Do not compare with the market")],
        operands: [
            OperandSpecification(
                "FILE", kind: .file, isOptional: true, isRepeated: true,
                help: "Settings files, or directories with such files; default: those of the running daemon, or else "
                    + defaultFile)
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let files = context.arguments.operands.isEmpty ? [usualFile(context)] : context.arguments.operands
        let checks = context.environment.checkFiles(files)
        var findings = checks.flatMap(\.findings)
        let good = checks.compactMap(\.loaded)
        for loaded in good {
            let lint = RuleLint(loaded.settings.rules, loaded.ruleSources)
            findings += lint.findings(interval: loaded.settings.interval, now: context.environment.now())
        }
        var isGood = good.count == checks.count
        var hasMarket = false
        if isGood, !context.arguments.has("no-market") {
            hasMarket = try comparesWithMarket(good, context, &findings)
        }
        isGood = isGood && !findings.contains { $0.severity == .error }
        show(findings, files, isGood: isGood, hasMarket: hasMarket, context)
        return isGood ? (findings.isEmpty ? .success : .lint) : .badSettings
    }

    /// Returns the main settings file of the running daemon, or else the file that a daemon would start with.
    static func usualFile(_ context: Context) -> String {
        // If the daemon cannot be reached for another reason, assume that it uses the default file.
        (try? SettingsPlace(context))?.mainFile ?? defaultFile
    }

    /// Compares rules with the daemon's market and adds the findings; false if nothing could be compared.
    private static func comparesWithMarket(
        _ good: [LoadedSettings], _ context: Context, _ findings: inout [Finding]
    ) throws(ClientError) -> Bool {
        var isCompared = false
        do throws(ClientError) {
            let connection = try context.connect()
            findings += try missingCredentials(good, connection, context)
            let reader = try MarketReader(connection, now: context.environment.now())
            guard reader.hasPrices else {
                context.warn("alertctl: the daemon has no prices yet; skipped the comparison with the market")
                return false
            }
            for loaded in good {
                let comparable = reader.comparable(loaded)
                let others = loaded.settings.sources.filter { source in
                    loaded.hasMainFile && !comparable.contains { $0.source == "\(source.name)" }
                }
                if !others.isEmpty {
                    let names = others.map { sourceText("\($0.name)", $0.source.rawValue) }.joined(separator: ", ")
                    context.warn(
                        "alertctl: the daemon's source is \(reader.sourceNames), but the settings say \(names); "
                            + "skipped the comparison with the market")
                }
                findings += try reader.findings(of: loaded.settings.checks, loaded.checkPlaces)
                for own in comparable {
                    let facts = try reader.facts(for: own.rules, of: own.source)
                    let lint = RuleLint(own.rules, own.places)
                    findings += lint.findings(in: facts)
                    let count = loaded.settings.sources.count
                    findings += [lint.excess(on: Set(facts.symbols.keys), sourceCount: count)].compactMap(\.self)
                    findings += try reader.overrides(of: own.rules, own.places)
                    isCompared = true
                }
            }
            return isCompared
        } catch {
            guard [.notRunning, .notAllowed].contains(error.exitCode) else { throw error }
            let why =
                error.exitCode == .notRunning
                ? "the daemon is not running" : "you are not allowed to use its control socket"
            context.warn("alertctl: \(why); skipped the comparison with the market")
            return false
        }
    }

    /// Returns findings about credentials that the daemon's settings name but that the daemon does not have. The
    /// daemon receives credentials only when it is started; a reload does not add any.
    private static func missingCredentials(
        _ good: [LoadedSettings], _ connection: any ControlConnection, _ context: Context
    ) throws(ClientError) -> [Finding] {
        let named = good.filter { !$0.credentials.isEmpty }
        guard !named.isEmpty else { return [] }
        let status = try connection.status()
        guard let known = status.configuration.credentials, let file = try? SettingsPlace.mainFile(of: status, context)
        else { return [] }
        return named.filter { $0.files.first.map { SettingsFolder.isSame($0, file) } ?? false }
            .flatMap(\.credentials).filter { !known.contains($0.name) }.map(\.missing)
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
        let result: Part =
            findings.isEmpty
            ? .text("\(name): no errors", .none)
            : .verbatim(
                FindingRenderer(context.formatter).render(sorted))
        var fields = [Field("file", .text(name)), Field("good", .flag(isGood))]
        if let hasMarket { fields.append(Field("market", .flag(hasMarket))) }
        context.show(Report(parts: [result, .fields(key: nil, fields), .table(table(sorted))]))
    }

    static func table(_ findings: [Finding]) -> Table {
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
