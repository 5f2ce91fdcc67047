internal import Arguments
internal import Configuration
internal import Diagnostics
internal import Market
internal import Time
internal import Trials

/// `alertctl test FILE…`: tests rules on scripted prices.
enum TestCommand: Command {
    static let specification = CommandLineSpecification(
        "test", summary: "Test rules on scripted prices",
        discussion: [
            "A test file contains rules and scripts of prices, poll by poll; each test lists the expected events and "
                + "their times. No daemon is needed; rules are evaluated exactly as in the daemon. A test fails if an "
                + "expected event is missing, or if there is an unexpected one. Only the keys given for an expected "
                + "event are compared. Events about missing symbols are produced for scripted symbols only.",
            "A script names a symbol without a source: the rules of all sources that watch the symbol run on it. "
                + "Write a file for each source if their rules must be told apart.",
            "A script is a list of steps: 101.5 is a poll at that price, 101.5[101/102] one with bid and ask, 101x3 "
                + "three polls, 100+2x4 the four polls 100 102 104 106, and 100..106x4 the same four. 'quiet' is a "
                + "poll without a trade, 'frozen' one without a trade or a change of the order book, 'unusable' one "
                + "without a price, 'missing' a response without the symbol, and 'gap 3m' a time without polls. The "
                + "first poll is at 0s.",
            "Keys of the file: \(keys(.file)).", "Keys of a [[test]]: \(keys(.test)).",
            "Keys of an element of 'expect': \(keys(.expect)).",
            "Keys of an element of 'silences': \(keys(.silence)).",
            "Keys of an element of 'acks' or 'arms': \(keys(.action)).",
            "The exit code is 1 if a test failed, 6 if a file has errors.",
        ],
        examples: [
            Example("alertctl test tests/*.toml", "Before a reload."),
            Example("alertctl test --plain tests/band.toml", "For scripts: one line per test."),
        ],
        options: [OptionSpecification("chart", help: "Also draw the prices of each test with limits and events")],
        operands: [OperandSpecification("FILE", kind: .file, isRepeated: true, help: "Test files")])

    private static func keys(_ table: RuleTestReference.Table) -> String {
        RuleTestReference.keys.filter { $0.table == table }.map { "\($0.name) (\($0.help))" }.joined(separator: ", ")
    }

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        var files: [LoadedRuleTests] = []
        var findings: [Finding] = []
        for path in context.arguments.operands {
            do throws(SettingsError) {
                files.append(try SettingsLoader(files: context.environment.files).loadRuleTests(path))
            } catch {
                findings += error.findings
            }
        }
        guard findings.isEmpty else { throw .badFiles(findings) }
        for file in files where !file.warnings.isEmpty {
            context.warn(lines: FindingRenderer().render(file.warnings).split(separator: "\n").map(String.init))
        }
        let results = files.flatMap { file in
            zip(file.trials, file.positions).map { trial, position in
                TestResult(file: file, trial: trial, position: position, outcome: trial.outcome(file.settings))
            }
        }
        var report = report(results, context.formatter)
        if context.arguments.has("chart"), context.format.isHuman {
            let charts = results.flatMap { result in
                RuleCharts(context, rules: result.file.settings.rules).parts(result.trial, result.file.settings)
            }
            report.parts = charts + report.parts
        }
        context.show(report)
        return results.allSatisfy(\.outcome.hasPassed) ? .success : .failure
    }

    private static func report(_ results: [TestResult], _ formatter: HumanFormatter) -> Report {
        let failed = results.count { !$0.outcome.hasPassed }
        let lines = results.filter { !$0.outcome.hasPassed }.flatMap { $0.lines(formatter) }
        let summary: Part =
            failed == 0
            ? .text("\(counted(results.count, "test")) passed", .good)
            : .text("\(failed) of \(counted(results.count, "test")) failed", .alarm)
        let rows = results.map { result in
            [
                Cell(.text(result.position.file)), Cell(.count(result.position.line)), Cell(.text(result.trial.name)),
                Cell(.flag(result.outcome.hasPassed)),
                Cell(.list(result.outcome.entries.filter { !$0.isSame }.flatMap(TestResult.plainLines))),
            ]
        }
        let columns = ["file", "line", "name", "passed", "differences"].map { Column($0, nil) }
        let verbatim = lines.isEmpty ? [] : [Part.verbatim(lines.map { $0 + "\n" }.joined())]
        return Report(
            parts: verbatim + [summary, .table(Table(key: "tests", columns: columns, rows: rows, whenEmpty: ""))])
    }
}

/// The result of one test.
private struct TestResult {
    let file: LoadedRuleTests
    let trial: RuleTrial
    let position: SourcePosition
    let outcome: TrialOutcome

    /// Returns the comparison for people: `-` marks an event that was expected but is missing, `+` an unexpected one.
    func lines(_ formatter: HumanFormatter) -> [String] {
        let head = visible("\(position.file):\(position.line): failed: \(trial.name)")
        let width = outcome.entries.map { $0.time.description.count }.max() ?? 0
        return [formatter.styled(head, .strong)]
            + outcome.entries.flatMap { entry in
                let time = entry.time.description
                let padded = String(repeating: " ", count: width - time.count) + time
                return marked(entry).map { mark, text in
                    formatter.styled(visible("  \(mark) \(padded)  \(text)"), Self.emphasis(mark))
                }
            }
    }

    private func marked(_ entry: TrialOutcome.Entry) -> [(mark: String, text: String)] {
        switch entry {
        case .same(let event): [(" ", event.words)]
        case .lacking(let expected): [("-", expected.words + market(at: expected.time))]
        case .unexpected(let event): [("+", event.words)]
        case .different(let expected, let event, let differences):
            [("-", expected.words), ("+", "\(event.words): \(differences.joined(separator: "; "))")]
        }
    }

    /// Returns the scripted prices at a time, to explain a missing event.
    private func market(at time: Milliseconds) -> String {
        let poll = Int(time.count / max(1, file.settings.interval.count))
        let prices = trial.markets.prefix(3).compactMap { market -> String? in
            guard market.series.steps.indices.contains(poll) else { return nil }
            return "\(market.symbol) \(market.series.steps[poll].text)"
        }
        return prices.isEmpty ? "" : "  (\(prices.joined(separator: ", ")))"
    }

    private static func emphasis(_ mark: String) -> Emphasis {
        switch mark {
        case "-": .down
        case "+": .up
        default: .muted
        }
    }

    static func plainLines(_ entry: TrialOutcome.Entry) -> [String] {
        switch entry {
        case .same: []
        case .lacking(let expected): ["\(expected.time): expected: \(expected.words)"]
        case .unexpected(let event): ["\(event.time): unexpected: \(event.words)"]
        case .different(_, let event, let differences):
            ["\(event.time): \(event.words): \(differences.joined(separator: "; "))"]
        }
    }
}

extension ScriptStep {
    fileprivate var text: String {
        switch self {
        case .price(let price): "\(price.last)"
        case .quiet: "quiet"
        case .frozen: "frozen"
        case .unusable: "unusable"
        case .missing: "missing"
        case .nothing: "no response"
        }
    }
}
