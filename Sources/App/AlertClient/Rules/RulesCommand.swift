internal import Arguments
internal import Control
internal import JSON

/// `alertctl rules`: lists the rules in the settings.
enum RulesCommand: Command {
    static let specification = CommandLineSpecification(
        "rules", summary: "List rules and whether they work",
        examples: [Example("alertctl rules", "Which rules match nothing, or are blocked?")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let reply = try connection.all(.listRules, ListRulesParameters(), returning: ListRulesReply.self)
        let display = try context.display(connection)
        var columns = [
            Column("name", "RULE"), Column("symbols", "SYMBOLS", rank: 3), Column("condition", "CONDITION", rank: 1),
            Column("currency", "CURRENCY", rank: 5), Column("severity", "SEVERITY", rank: 4),
            Column("matches", "MATCHES", isNumeric: true, rank: 6),
            Column("firing", "FIRING", isNumeric: true, rank: 2),
            Column("limits", display.currency.map { "IN \($0)" }, rank: 4), Column("state", "STATE"),
            Column("problems", nil),
            Column(
                "overrides", reply.rules.contains { !($0.overrides ?? []).isEmpty } ? "CHANGED LIMITS" : nil, rank: 8),
            Column("terms", nil), Column("source", Set(reply.rules.map(\.source)).count > 1 ? "SOURCE" : nil),
        ]
        for index in columns.indices where columns[index].key == "condition" {
            (columns[index].leastWidth, columns[index].wraps) = (24, true)
        }
        let table = Table(
            key: "rules", columns: columns, rows: reply.rules.map { row($0, display, context.formatter) },
            whenEmpty: "No rules: no alerts will be sent. Add one, for example with "
                + "'alertctl rule add btcinr --max 7500000'.")
        context.show(Report(parts: [.metadata(display.metadata)] + display.banner + [.table(table)]))
        return .success
    }

    private static func row(_ rule: RuleStatus, _ display: PriceDisplay, _ formatter: HumanFormatter) -> [Cell] {
        let limits = rule.limits.map { limit in
            let cell = display.cell(limit.limit, in: limit.currency)
            let currency = display.name(of: limit.currency) ?? ""
            return (
                people: "\(limit.bound.text) \(cell.human ?? "")\(cell.mark)",
                programs: "\(limit.bound) \(plain(cell.value)) \(currency)"
            )
        }
        let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
        let overrides = (rule.overrides ?? []).map { change in
            let start = "\(change.symbol) \(change.bound)"
            let limit = own.text(change.limit, in: change.currency) ?? change.limit
            return (people: "\(start) \(limit) by \(change.by)", programs: "\(start) \(change.limit) by \(change.by)")
        }
        return [
            Cell(.text(rule.name), .strong), Cell(.list(rule.symbols)),
            Cell(.text(rule.condition), human: formatter.hasUnicode ? rule.conditionText : rule.condition),
            Cell(.text(rule.currency)), Cell(.text(rule.severity)), Cell(.count(rule.matches)),
            Cell(.count(rule.firing), rule.firing > 0 ? .alarm : .none),
            Cell(
                .list(limits.map(\.programs)),
                human: limits.isEmpty ? "-" : limits.map(\.people).joined(separator: ", ")),
            Cell(
                .text(rule.state), human: ruleStateText(rule.state, rule.problems),
                rule.state == .ok ? .none : .alarm),
            Cell(.list(rule.problems.map { "\($0.symbols) \($0.state)" })),
            Cell(
                .list(overrides.map(\.programs)),
                human: overrides.isEmpty ? "-" : overrides.map(\.people).joined(separator: ", ")),
            Cell(rule.terms.map { .json(String(decoding: JSONWriter.text(of: $0), as: UTF8.self)) } ?? .missing),
            Cell(.text(rule.source)),
        ]
    }
}

/// Returns `ok`, or the reason why the rule does not fully work: `2 frozen, 1 missing`.
func ruleStateText(_ state: ControlInterface.RuleState, _ problems: [SymbolProblem]) -> String {
    switch state {
    case .ok: "ok"
    case .waiting: "waiting for the first response"
    case .matchesNothing: "matches nothing"
    case .impaired: problems.map { "\($0.symbols) \($0.state.text)" }.joined(separator: ", ")
    case .unknown(let word): word
    }
}
