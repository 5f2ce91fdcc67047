internal import Arguments
internal import Control
internal import Market

/// `alertctl explain RULE [SYMBOL]`: explains why the alerts of a rule are or are not firing, or did not notify.
enum ExplainCommand: Command {
    /// The maximum number of alerts shown if no symbol is given.
    private static let shownAlerts = 10

    static let specification = CommandLineSpecification(
        "explain", summary: "Explain why a rule is or is not firing, or did not notify",
        discussion: [
            "A symbol in place of RULE explains all alerts on that symbol.",
            "For each alert of the rule, shows its state and when that began, what prevents its evaluation, how far "
                + "the price is from where the alert fires and resolves, and what suppresses its notifications. For a "
                + "rule with many symbols, it shows the \(shownAlerts) alerts that are firing, pending or nearest to "
                + "their limits, unless you name a symbol. For firing alerts, it shows what happened to their last "
                + "event at each receiver.",
        ],
        examples: [
            Example("alertctl explain 'btc band'", "Why is it firing, or why not?"),
            Example("alertctl explain drop ethinr", "One symbol of a rule that matches many."),
            Example("alertctl explain btcinr", "All rules on one symbol."),
        ],
        operands: [
            OperandSpecification("RULE", kind: .live("rules"), help: "The name of the rule, or a symbol"),
            OperandSpecification(
                "SYMBOL", kind: .live("symbols"), isOptional: true, help: "Only alerts on this symbol"),
        ])

    /// Requests the explanations of all alerts of a rule. If there is no such rule, the name is tried as a symbol.
    private static func explain(
        _ parameters: ExplainParameters, _ connection: any ControlConnection
    ) throws(ClientError) -> ExplainReply {
        do throws(ClientError) {
            return try connection.all(.explain, parameters, returning: ExplainReply.self)
        } catch {
            guard case .noSuchRule = error, parameters.symbol == nil else { throw error }
            let targets = try AlertTargets(named: parameters.rule, connection, otherwise: error)
            var found: ExplainReply?
            for rule in targets.rules {
                let reply = try connection.all(
                    .explain, ExplainParameters(rule: rule, symbol: targets.symbol), returning: ExplainReply.self)
                found =
                    found.map {
                        var all = $0
                        all.alerts += reply.alerts
                        return all
                    } ?? reply
            }
            guard let found else { throw error }
            return found
        }
    }

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let operands = context.arguments.operands
        let parameters = ExplainParameters(
            rule: operands.first ?? "", symbol: operands.dropFirst().first?.lowercased())
        let connection = try context.connect()
        let reply = try explain(parameters, connection)
        let display = try context.display(connection)
        let alerts = sorted(reply.alerts)
        let shown = alerts.prefix(parameters.symbol == nil ? shownAlerts : .max)
        let several = Set(alerts.map(\.alert.source)).count > 1
        var parts = shown.flatMap { alert -> [Part] in
            let text = AlertExplanationText(alert, display, context.formatter, hasSeveralSources: several)
            return [.text(text.headline, text.emphasis), .fields(key: nil, text.fields)]
        }
        if alerts.isEmpty { parts.append(.text(whyNone(reply, parameters.symbol), .alarm)) }
        if shown.count < alerts.count {
            let rest = counted(alerts.count - shown.count, "more alert")
            let advice = "further from their limits; name a symbol to see its alerts"
            parts.append(.text(context.formatter.more("\(rest), \(advice)"), .muted))
        }
        let firings = shown.filter { $0.alert.isFiring }.compactMap(\.alert.event)
        parts += tables(alerts, context.formatter)
        parts.append(.table(Deliveries(of: firings, connection).table(showsEvents: true)))
        context.show(Report(simulated: reply.simulated, parts: display.banner + parts))
        return .success
    }

    private static func whyNone(_ reply: ExplainReply, _ symbol: String?) -> String {
        let rule = "The rule '\(reply.rule.name)'"
        let watched = list(reply.rule.symbols)
        return symbol.map { "\(rule) does not match \($0); it watches \(watched)." }
            ?? "\(rule) has no alerts: \(ruleStateText(reply.rule.state, reply.rule.problems)). It watches \(watched)."
    }

    private static func list(_ symbols: [String]) -> String {
        symbols.prefix(5).joined(separator: ", ") + (symbols.count > 5 ? " and \(symbols.count - 5) more" : "")
    }

    /// Sorts firing alerts first, then pending ones, then the others, each group by distance from the limit.
    private static func sorted(_ alerts: [AlertExplanation]) -> [AlertExplanation] {
        let states: [ControlInterface.AlertState] = [.firing, .pending]
        let keyed = alerts.enumerated().map { index, alert in
            let distance = alert.alert.distancePercent.flatMap { try? Price($0) }
            return (
                key: (states.firstIndex(of: alert.alert.state) ?? 2, distance?.units ?? .max, index), alert: alert
            )
        }
        return keyed.sorted { $0.key < $1.key }.map(\.alert)
    }

    /// Returns the tables for programs.
    private static func tables(_ alerts: [AlertExplanation], _ formatter: HumanFormatter) -> [Part] {
        var table = alertTable(
            alerts.map(\.alert), .own(hasUnicode: formatter.hasUnicode), of: formatter, hasSymbol: true)
        table.columns = table.columns.map { Column($0.key, nil) }
        table.whenEmpty = ""
        return [.table(table), .table(factTable(alerts)), .table(levelTable(alerts))]
    }

    private static func factTable(_ alerts: [AlertExplanation]) -> Table {
        let keys = ["symbol", "bound", "kind", "since", "until", "held_ms", "hold_ms", "detail", "number", "by"]
        let rows = alerts.flatMap { alert in
            alert.facts.map { fact in
                [
                    Cell(.text(alert.alert.symbol)), Cell(.text(alert.alert.bound)), Cell(.text(fact.kind)),
                    Cell(.time(fact.since)), Cell(.time(fact.until)), Cell(.count(fact.heldMilliseconds)),
                    Cell(.count(fact.holdMilliseconds)), Cell(.text(fact.detail)), Cell(.count(fact.number)),
                    Cell(.text(fact.by)),
                ]
            }
        }
        return Table(key: "facts", columns: keys.map { Column($0, nil) }, rows: rows, whenEmpty: "")
    }

    private static func levelTable(_ alerts: [AlertExplanation]) -> Table {
        let keys = ["symbol", "bound", "role", "comparison", "price", "reached", "away", "away_percent"]
        let rows = alerts.flatMap { alert in
            alert.levels.map { level in
                [
                    Cell(.text(alert.alert.symbol)), Cell(.text(alert.alert.bound)), Cell(.text(level.role)),
                    Cell(.text(level.comparison)), Cell(.decimal(level.price)),
                    Cell(level.reached.map { .flag($0) } ?? .missing), Cell(.decimal(level.away)),
                    Cell(.decimal(level.awayPercent)),
                ]
            }
        }
        return Table(key: "levels", columns: keys.map { Column($0, nil) }, rows: rows, whenEmpty: "")
    }
}
