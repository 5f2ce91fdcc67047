internal import Arguments
internal import Control

/// `alertctl rules`: what the settings files declare.
enum RulesCommand: Command {
    static let specification = CommandLineSpecification(
        "rules", summary: "List rules and whether they can do their work",
        examples: [Example("alertctl rules", "Which rules match nothing, or wait for prices?")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let reply = try connection.call(.listRules, Nothing(), returning: ListRulesReply.self)
        let display = try context.display(connection)
        let columns = [
            Column("name", "RULE"), Column("symbols", "SYMBOLS", rank: 3), Column("condition", "CONDITION", rank: 1),
            Column("currency", "CURRENCY", rank: 5), Column("severity", "SEVERITY", rank: 4),
            Column("matches", "MATCHES", isNumeric: true, rank: 6),
            Column("firing", "FIRING", isNumeric: true, rank: 2),
            Column("limits", display.currency.map { "IN \($0)" }, rank: 4), Column("state", "STATE"),
            Column(
                "overrides", reply.rules.contains { !($0.overrides ?? []).isEmpty } ? "CHANGED LIMITS" : nil, rank: 8),
        ]
        let table = Table(
            key: "rules", columns: columns, rows: reply.rules.map { row($0, display) },
            whenEmpty: "No rules: write one into the settings, then 'alertctl reload'.")
        context.show(Report(parts: [.metadata(display.metadata)] + display.banner + [.table(table)]))
        return .success
    }

    private static func row(_ rule: RuleStatus, _ display: PriceDisplay) -> [Cell] {
        let limits = rule.limits.map { limit in
            let cell = display.cell(limit.limit, in: limit.currency)
            let currency = display.name(of: limit.currency) ?? ""
            return (
                people: "\(limit.bound) \(cell.human ?? "")\(cell.mark)",
                programs: "\(limit.bound) \(plain(cell.value)) \(currency)"
            )
        }
        return [
            Cell(.text(rule.name), .strong), Cell(.list(rule.symbols)), Cell(.text(rule.condition)),
            Cell(.text(rule.currency)), Cell(.text(rule.severity)), Cell(.count(rule.matches)),
            Cell(.count(rule.firing), rule.firing > 0 ? .alarm : .none),
            Cell(
                .list(limits.map(\.programs)),
                human: limits.isEmpty ? "-" : limits.map(\.people).joined(separator: ", ")),
            Cell(.text(rule.state), rule.state == "ok" ? .none : .alarm),
            Cell(.list((rule.overrides ?? []).map { "\($0.symbol) \($0.bound) \($0.limit) by \($0.by)" })),
        ]
    }
}
