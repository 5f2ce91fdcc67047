internal import Arguments
internal import Control
internal import Events
internal import Market

/// `alertctl limit`: the limits of a symbol, and other ones in their place.
enum LimitCommand: Command {
    static let specification = CommandLineSpecification(
        "limit", summary: "Show the limits of a symbol, or change one while the daemon runs",
        discussion: [
            "Without --min and --max it shows all limits of the symbol and how far the price is from each. With them, "
                + "the new limit takes the place of that of the settings, for this symbol only, until it is reset; "
                + "settings files are not touched. The alert of a changed limit starts afresh: if it fires, it is over "
                + "with the reason rule_changed.",
            "A new limit is a number in the currency of the rule, or what is to be added to the limit in force: +2%, "
                + "-5000. Sums are exact; with a percentage, what is beyond 12 significant digits is rounded half to "
                + "even. The answer says what it has become.",
            "A changed limit outlives restarts and reloads, and wins over the settings when these change. While it "
                + "does not fit the rule (there is none of its name any more, or it is in another currency) it is not "
                + "in force; 'alertctl limit list' and a reload say so.",
        ],
        examples: [
            Example("alertctl limit btcinr", "How far away are they?"),
            Example("alertctl limit btcinr --max 7600000", "Another one in its place."),
            Example("alertctl limit btcinr --rule band --max +2%", "A little higher than it is."),
        ],
        options: [
            OptionSpecification("min", value: "LIMIT", help: "The new lower limit: a number, +2%, -5000"),
            OptionSpecification("max", value: "LIMIT", help: "The new upper limit: a number, +2%, -5000"),
            OptionSpecification(
                "rule", value: "NAME", kind: .live("rules"), help: "The rule that is meant, where there are several"),
        ],
        operands: [OperandSpecification("SYMBOL", kind: .live("symbols"), help: "The name of the symbol: btcinr")],
        commands: [
            CommandLineSpecification("list", summary: "List the limits that were changed"),
            CommandLineSpecification(
                "reset", summary: "Put the limits of the settings in force again",
                examples: [Example("alertctl limit reset btcinr", "What was changed of this symbol.")],
                options: [OptionSpecification("all", help: "All that were changed")],
                operands: [
                    OperandSpecification(
                        "SYMBOL", kind: .live("symbols"), isOptional: true, help: "Only those of this symbol")
                ]),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        switch context.arguments.path.last {
        case "list": try list(context)
        case "reset": try reset(context)
        default: try showOrChange(context)
        }
    }

    private static func showOrChange(_ context: Context) throws(ClientError) -> ExitCode {
        let arguments = context.arguments
        guard let symbol = arguments.operands.first?.lowercased() else {
            throw .usage("SYMBOL is missing: 'alertctl limit btcinr', or 'alertctl limit list'")
        }
        let change = SetLimitParameters(
            symbol: symbol, rule: arguments.value("rule"), min: arguments.value("min"), max: arguments.value("max"))
        guard change.min == nil, change.max == nil else { return try self.change(change, context) }
        let connection = try context.connect()
        let reply = try connection.call(
            .listAlerts, ListAlertsParameters(symbol: symbol), returning: ListAlertsReply.self)
        let display = try context.display(connection)
        let alerts = reply.alerts.filter { change.rule == nil || $0.rule == change.rule }
        let table = limitTable(alerts, symbol, display, context.formatter)
        let parts = [.metadata(display.metadata)] + display.banner + [.table(table)]
        context.show(Report(simulated: reply.simulated, parts: parts))
        return .success
    }

    private static func change(_ change: SetLimitParameters, _ context: Context) throws(ClientError) -> ExitCode {
        for (name, text) in [("min", change.min), ("max", change.max)] {
            guard let text, text.contains(where: { !"0123456789_.%+-eE".contains($0) }) || text.isEmpty else {
                continue
            }
            throw .usage("--\(name) takes a number such as 7600000, or what is to be added: +2%, -5000")
        }
        let reply = try context.connect().call(.setLimit, change, returning: SetLimitReply.self)
        context.noteUnsaved(reply.saved)
        let words = reply.changes.map { Part.words(self.words(for: $0, context.formatter), .none) }
        let advice = "'alertctl limit reset \(change.symbol)' puts that of the settings in force again."
        context.show(
            Report(
                simulated: reply.simulated,
                parts: words + [.words(advice, .muted), .table(changeTable(reply.changes))]))
        return .success
    }

    /// `btcinr, max of “btc band”: 7 650 000 INR in place of 7 500 000`
    private static func words(for change: LimitChangeStatus, _ formatter: HumanFormatter) -> String {
        let override = change.override
        let currency = override.currency.map { " \($0)" } ?? ""
        let limit = formatter.number(override.limit) + currency
        return "\(name(override)): \(limit) in place of \(formatter.number(change.before))"
    }

    private static func name(_ override: OverrideStatus) -> String {
        "\(override.symbol), \(override.bound) of “\(override.rule)”"
    }

    private static func list(_ context: Context) throws(ClientError) -> ExitCode {
        try refuseLimits(context)
        let reply = try context.connect().call(.listOverrides, Nothing(), returning: ListOverridesReply.self)
        let rule = context.arguments.value("rule")
        let overrides = reply.overrides.filter { rule == nil || $0.rule == rule }
        context.show(Report(parts: [.table(overrideTable(overrides))]))
        return .success
    }

    private static func reset(_ context: Context) throws(ClientError) -> ExitCode {
        try refuseLimits(context)
        let arguments = context.arguments
        let parameters = ResetLimitsParameters(
            symbol: arguments.operands.first?.lowercased(), rule: arguments.value("rule"),
            all: arguments.has("all") ? true : nil)
        guard parameters != ResetLimitsParameters() else {
            throw .usage("name what is to be reset: a symbol, --rule NAME, or --all")
        }
        let reply = try context.connect().call(.resetLimits, parameters, returning: ResetLimitsReply.self)
        context.noteUnsaved(reply.saved)
        let words = reply.reset.map { override -> Part in
            let settings = override.settingsLimit.map { context.formatter.number($0) } ?? "no limit"
            return .words("\(name(override)): \(settings) again, as in the settings", .none)
        }
        var table = overrideTable(reply.reset)
        table.columns = table.columns.map { Column($0.key, nil) }
        table.whenEmpty = ""
        let none: [Part] = words.isEmpty ? [.words("No changed limit matches.", .none)] : []
        context.show(Report(parts: words + none + [.table(table)]))
        return .success
    }

    private static func refuseLimits(_ context: Context) throws(ClientError) {
        guard context.arguments.value("min") == nil, context.arguments.value("max") == nil else {
            throw .usage("--min and --max belong to 'alertctl limit SYMBOL'")
        }
    }
}

// MARK: Tables

extension LimitCommand {
    private static func limitTable(
        _ alerts: [AlertStatus], _ symbol: String, _ display: PriceDisplay, _ formatter: HumanFormatter
    ) -> Table {
        let hasOverride = alerts.contains { $0.override != nil }
        let columns = [
            Column("rule", "RULE"), Column("bound", "BOUND"), Column("limit", "LIMIT", isNumeric: true),
            Column("currency", "CURRENCY", rank: 3), Column("away", "AWAY", isNumeric: true, rank: 1),
            Column("away_percent", "AWAY %", isNumeric: true), Column("clear", "CLEARS AT", isNumeric: true, rank: 4),
            Column("price", "PRICE", isNumeric: true, rank: 5), Column("state", "STATE"),
            Column("override", hasOverride ? "CHANGED" : nil, rank: 2),
        ]
        return Table(
            key: "limits", columns: columns, rows: alerts.map { row($0, display, formatter) },
            whenEmpty: "No rule has a limit for \(symbol).")
    }

    /// Limits and prices in the currency of the rule, as they are written in settings; the distance in that of people.
    private static func row(
        _ alert: AlertStatus, _ display: PriceDisplay, _ formatter: HumanFormatter
    ) -> [Cell] {
        [
            Cell(.text(alert.rule), .strong), Cell(.text(alert.bound)), Cell(.decimal(alert.limit)),
            Cell(.text(alert.currency)), display.cell(away(alert)?.description, in: alert.currency),
            Cell(.decimal(alert.distancePercent)),
            Cell(.decimal(alert.clear)), Cell(.decimal(alert.price)),
            Cell(.text(alert.state), alert.isFiring ? .alarm : .none),
            Cell(
                alert.override.map { .facts(facts($0)) } ?? .missing,
                human: alert.override.map { overrideWords($0, formatter) } ?? ""),
        ]
    }

    /// How far the price is from the limit; positive while it is not reached.
    private static func away(_ alert: AlertStatus) -> Price? {
        guard let price = alert.price.flatMap({ try? Price($0) }), let limit = alert.limit.flatMap(LimitValue.init)
        else { return nil }
        switch limit {
        case .price(let limit):
            let upward: [ControlInterface.Bound] = [.max, .rise, .crossUp]
            let isUpward = upward.contains(alert.bound)
            return isUpward ? limit.subtracting(price) : price.subtracting(limit)
        case .range(let low, let high):
            return low.subtracting(price).flatMap { below in price.subtracting(high).map { Swift.max(below, $0) } }
        }
    }

    private static func facts(_ override: OverrideStatus) -> [Value.Fact] {
        [
            Value.Fact(key: "settings_limit", text: override.settingsLimit),
            Value.Fact(key: "by", text: override.by), Value.Fact(key: "since", text: override.since),
        ]
    }

    private static func changeTable(_ changes: [LimitChangeStatus]) -> Table {
        let keys = ["rule", "symbol", "bound", "limit", "before", "settings_limit", "currency", "by", "since"]
        let rows = changes.map { change in
            let override = change.override
            return [
                Cell(.text(override.rule)), Cell(.text(override.symbol)), Cell(.text(override.bound)),
                Cell(.decimal(override.limit)), Cell(.decimal(change.before)), Cell(.decimal(override.settingsLimit)),
                Cell(.text(override.currency)), Cell(.text(override.by)), Cell(.time(override.since)),
            ]
        }
        return Table(key: "changes", columns: keys.map { Column($0, nil) }, rows: rows, whenEmpty: "")
    }

    private static func overrideTable(_ overrides: [OverrideStatus]) -> Table {
        let columns = [
            Column("rule", "RULE"), Column("symbol", "SYMBOL"), Column("bound", "BOUND"),
            Column("limit", "LIMIT", isNumeric: true), Column("settings_limit", "SETTINGS", isNumeric: true),
            Column("currency", "CURRENCY", rank: 3), Column("by", "BY"), Column("user", nil),
            Column("since", "SINCE", rank: 1), Column("state", "STATE"),
        ]
        let rows = overrides.map { override in
            [
                Cell(.text(override.rule), .strong), Cell(.text(override.symbol)), Cell(.text(override.bound)),
                Cell(.decimal(override.limit)), Cell(.decimal(override.settingsLimit)), Cell(.text(override.currency)),
                Cell(.text(override.by)), Cell(.count(override.user)), Cell(.time(override.since)),
                Cell(
                    .text(override.state), human: stateText(override.state),
                    override.state == .inForce ? .none : .alarm),
            ]
        }
        return Table(key: "overrides", columns: columns, rows: rows, whenEmpty: "No limit is changed.")
    }

    private static func stateText(_ state: ControlInterface.OverrideState) -> String {
        switch state {
        case .inForce: "in force"
        case .noRule: "not in force: no such rule"
        case .otherSymbols: "not in force: the rule is not for it"
        case .noLimit: "not in force: the rule has no such limit"
        case .otherCurrency: "not in force: the rule has another currency"
        case .faulty: "not in force: it does not fit the rule"
        case .unknown(let word): word
        }
    }
}

/// `by alice since 14:02; the settings say 7 500 000`
func overrideWords(_ override: OverrideStatus, _ formatter: HumanFormatter) -> String {
    let settings = override.settingsLimit.map { "; the settings say \(formatter.number($0))" } ?? ""
    return "by \(override.by) since \(formatter.time(override.since))\(settings)"
}
