internal import Arguments
internal import Configuration
internal import Control
internal import Events
internal import Market
internal import Rules
internal import Trials

/// `alertctl diff OLD NEW --data FILE…`: compares the events of two sets of rules.
enum DiffCommand: Command {
    static let specification = CommandLineSpecification(
        "diff", summary: "Compare the events of two sets of rules on recorded prices",
        discussion: [
            "OLD and NEW are settings files, read as the daemon reads them, or directories of rule files. It shows the "
                + "notified events that only the old rules produce (-) and those that only the new rules produce (+). "
                + "Events are the same if their time, kind, rule, symbol and bound are. "
                + BacktestCommand.dataText,
            "The exit codes are those of diff: 0 if the events are the same, 1 if they differ, a higher one if "
                + "something failed.",
        ],
        examples: [
            Example("alertctl diff /etc/alertd new/ --data BTCUSDT-1m-2026-10.csv", "Before adopting new rules.")
        ],
        options: BacktestCommand.dataOptions,
        operands: [
            OperandSpecification("OLD", kind: .file, help: "A settings file or a directory of rules"),
            OperandSpecification("NEW", kind: .file, help: "The file or directory to compare it with"),
            OperandSpecification(
                "FILE", kind: .file, isOptional: true, isRepeated: true, help: "More price files"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        do throws(ClientError) {
            return try compare(context)
        } catch {
            // Exit code 1 means that the events differ.
            guard error.exitCode == .failure else { throw error }
            context.environment.warn("alertctl: \(error.message)\n")
            return .usage
        }
    }

    private static func compare(_ context: Context) throws(ClientError) -> ExitCode {
        let all = try [0, 1].map { place throws(ClientError) in
            try context.loadRules(context.arguments.operands[place])
        }
        let maximumGap = try context.length("max-gap")
        let data = try RecordedData(context, behind: 2)
        let (old, new) = (try context.rules(all[0], for: data), try context.rules(all[1], for: data))
        let times = [old, new].map { BacktestTimes($0, data, maximumGap: maximumGap) }
        var comparison = RuleComparison(
            old: (old.settings.rules, times[0].settings), new: (new.settings.rules, times[1].settings))
        var rates = try RatesFile(context)
        var difference = RuleDifference()
        try data.forEachMoment { prices, time in
            for new in comparison.evaluate(prices, at: time, rates: rates?.rates(at: time)) { difference.add(new) }
        }
        difference.commonCount = comparison.commonCount
        let unconverted = comparison.unconverted()
        let problems = (old.settings.rules + new.settings.rules).compactMap {
            unconverted.contains($0.name) ? $0.problem(isUnconverted: true, isWaiting: false) : nil
        }
        difference.isComplete = problems.isEmpty
        context.show(difference.report(data, times[1], context.formatter))
        guard problems.isEmpty else { throw .file(Set(problems).sorted().joined(separator: "; ")) }
        return difference.isEmpty ? .success : .failure
    }
}

/// The differences between two sets of rules: the first events, which are shown, and the counts of all.
private struct RuleDifference {
    private var shown: [RuleComparison.Difference] = []
    private var oldCount = 0
    private var newCount = 0
    var commonCount = 0
    /// True if all rules were evaluated on this data.
    var isComplete = true

    var isEmpty: Bool { oldCount + newCount == 0 }

    mutating func add(_ difference: RuleComparison.Difference) {
        if difference.isNew { newCount += 1 } else { oldCount += 1 }
        if shown.count < BacktestStudy.eventLimit { shown.append(difference) }
    }

    func report(_ data: RecordedData, _ times: BacktestTimes, _ formatter: HumanFormatter) -> Report {
        let lines = RecordedDataReport(data: data, formatter: formatter).lines + [times.note].compactMap(\.self)
        let rest = oldCount + newCount - shown.count
        let more = rest > 0 ? [Part.text(formatter.more(counted(rest, "more event")), .muted)] : []
        // Counts without the events of a rule would look like a difference.
        let isKnown = isComplete
        let summary =
            !isComplete
            ? "Not all rules could be compared."
            : isEmpty
                ? "No difference: \(counted(commonCount, "event"))."
                : "\(counted(commonCount, "event")) from both, \(oldCount) from the old rules only, "
                    + "\(newCount) from the new rules only."
        let fields = [
            Field("both", isKnown ? .count(commonCount) : .missing),
            Field("old_only", isKnown ? .count(oldCount) : .missing),
            Field("new_only", isKnown ? .count(newCount) : .missing),
            Field("bad_lines", .count(data.faults.count)),
        ]
        return Report(
            simulated: data.isSimulated,
            parts: lines.map { .text($0, .none) } + [.fields(key: nil, fields), RecordedDataReport.table(data)]
                + [.table(table(formatter))] + more + [.text(summary, .strong)])
    }

    private func table(_ formatter: HumanFormatter) -> Table {
        let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
        // Event numbers have no meaning here; the sign replaces them.
        let columns = [Column("change", " ")] + eventColumns.dropFirst()
        let rows = shown.map { difference in
            let row = eventRow(EventRecord(Event(number: 0, occurrence: difference.occurrence)), own)
            let sign = difference.isNew ? "+" : "-"
            return [Cell(.text(sign), difference.isNew ? .up : .down)] + row.dropFirst()
        }
        return Table(key: "events", columns: columns, rows: rows, whenEmpty: "")
    }
}
