internal import Arguments
internal import Configuration
internal import Diagnostics
internal import Market
internal import Time
internal import Trials

/// `alertctl test FILE…`: tries rules on drawn prices.
enum TestCommand: Command {
    static let specification = CommandLineSpecification(
        "test", summary: "Test rules on prices drawn as text",
        discussion: [
            "A file of tests names rules and draws what prices do, poll by poll; each test says which events are to "
                + "come of it, and when. It needs no running daemon, and decides as the daemon does. An event that is "
                + "expected and does not come is a failure, and so is one that comes and is not expected. Of an "
                + "expected event only the keys that are written are compared. That a symbol is missing is notified of "
                + "drawn ones only.",
            "A series is drawn with words: 101.5 is a poll at that price, 101.5[101/102] one with bid and ask; 101x3 "
                + "are three polls, 100+2x4 are four: 100 102 104 106, and 100..106x4 the same four. 'quiet' is a poll "
                + "without trade, 'frozen' one without trade and book, 'unusable' one without a price, 'missing' a "
                + "response without the symbol, and 'gap 3m' no poll for so long. The first poll is at 0s.",
            "Keys of the file: \(keys(.file)).", "Keys of a [[test]]: \(keys(.test)).",
            "Keys of an element of 'expect': \(keys(.expect)).",
            "Keys of an element of 'silences': \(keys(.silence)).",
            "Keys of an element of 'acks' or 'arms': \(keys(.deed)).",
            "A failed test gives the exit code 1, a file with errors 6.",
        ],
        examples: [
            Example("alertctl test tests/*.toml", "Before a reload."),
            Example("alertctl test --plain tests/band.toml", "For scripts: one line a test."),
        ],
        operands: [OperandSpecification("FILE", kind: .file, isRepeated: true, help: "Files of tests")])

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
            context.note(String(FindingRenderer().render(file.warnings).dropLast()))
        }
        let results = files.flatMap { file in
            zip(file.trials, file.positions).map { trial, position in
                TestResult(file: file, trial: trial, position: position, outcome: trial.outcome(file.terms))
            }
        }
        context.show(report(results, context.formatter))
        return results.allSatisfy(\.outcome.hasPassed) ? .success : .failure
    }

    private static func report(_ results: [TestResult], _ formatter: HumanFormatter) -> Report {
        let failed = results.count { !$0.outcome.hasPassed }
        let lines = results.filter { !$0.outcome.hasPassed }.flatMap { $0.lines(formatter) }
        let summary: Part =
            failed == 0
            ? .words("\(counted(results.count, "test")) passed", .good)
            : .words("\(failed) of \(counted(results.count, "test")) failed", .alarm)
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

/// What became of one test.
private struct TestResult {
    let file: LoadedRuleTests
    let trial: RuleTrial
    let position: SourcePosition
    let outcome: TrialOutcome

    /// A comparison for people: `-` was expected and did not come, `+` came and was not expected.
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

    /// What the drawn markets do at the time, where nothing tells it.
    private func market(at time: Milliseconds) -> String {
        let poll = Int(time.count / max(1, file.terms.interval.count))
        let prices = trial.markets.prefix(3).compactMap { market -> String? in
            guard market.series.steps.indices.contains(poll) else { return nil }
            return "\(market.symbol) \(market.series.steps[poll].words)"
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
        case .unexpected(let event): ["\(event.time): not expected: \(event.words)"]
        case .different(_, let event, let differences):
            ["\(event.time): \(event.words): \(differences.joined(separator: "; "))"]
        }
    }
}

extension DrawnStep {
    fileprivate var words: String {
        switch self {
        case .price(let price): "\(price.last)"
        case .quiet: "quiet"
        case .frozen: "frozen"
        case .unusable: "unusable"
        case .missing: "missing"
        case .nothing: "without a response"
        }
    }
}
