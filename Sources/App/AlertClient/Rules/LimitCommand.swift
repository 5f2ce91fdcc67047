internal import Arguments
internal import Configuration
internal import Control
internal import Events
internal import Market

/// `alertctl limit`: shows the limits of a symbol, and changes them at run time.
enum LimitCommand: Command {
    static let specification = CommandLineSpecification(
        "limit", summary: "Show the limits of a symbol, or change one while the daemon runs",
        discussion: [
            "Without --min and --max it shows all limits of the symbol and how far the price is from each, in the "
                + "currency of each rule. With them, "
                + "the new limit replaces the configured one, for this symbol only, until it is reset; settings files "
                + "are not changed. The alert starts over: if it is firing, it resolves with the reason rule_changed.",
            "A new limit is an amount, or a change of the current limit: +2%, -5000. An amount without a currency is "
                + "in the currency of the rule, or in that of --currency. Another currency, as in '12000 SEK', is "
                + "converted once, at the current exchange rates. Sums are exact; percentages and converted amounts "
                + "are rounded half to even to 12 significant digits. The output shows the result.",
            "A changed limit survives restarts and reloads, and takes precedence over the settings. While it does not "
                + "fit its rule (the rule no longer exists, or has another currency), it is not in effect; 'alertctl "
                + "limit list' and 'alertctl reload' show this.",
            "Only root, the daemon's own user and members of the group alertd-admin may change limits.",
        ],
        examples: [
            Example("alertctl limit btcinr", "How far is the price from its limits?"),
            Example("alertctl limit btcinr --max 7600000", "Use another upper limit."),
            Example("alertctl limit btcinr --rule band --max +2%", "Raise the limit of one rule by 2%."),
            Example("alertctl limit ethinr --min '30 000 SEK'", "Give the limit in another currency."),
        ],
        options: [
            OptionSpecification("min", value: "LIMIT", help: "The new lower limit: an amount, +2%, -5000"),
            OptionSpecification("max", value: "LIMIT", help: "The new upper limit: an amount, +2%, -5000"),
            OptionSpecification(
                "rule", value: "NAME", kind: .live("rules"), help: "The rule, if several rules match the symbol"),
        ],
        operands: [
            OperandSpecification("SYMBOL", kind: .live("symbols"), help: "The name of the symbol, such as btcinr")
        ],
        commands: [
            CommandLineSpecification("list", aliases: ["ls"], summary: "List changed limits"),
            CommandLineSpecification(
                "reset", summary: "Restore the configured limits",
                examples: [Example("alertctl limit reset btcinr", "Restore all limits of this symbol.")],
                options: [OptionSpecification("all", help: "Restore all limits")],
                operands: [
                    OperandSpecification(
                        "SYMBOL", kind: .live("symbols"), isOptional: true, help: "Only limits of this symbol")
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
        let wanted = (min: arguments.value("min"), max: arguments.value("max"))
        guard wanted == (nil, nil) else { return try change(symbol, wanted, context) }
        let connection = try context.connect()
        let reply = try connection.all(
            .listAlerts, ListAlertsParameters(symbol: symbol), returning: ListAlertsReply.self)
        let rule = arguments.value("rule")
        let alerts = reply.alerts.filter { rule == nil || $0.rule == rule }
        let table = limitTable(alerts, symbol, context.formatter)
        context.show(Report(simulated: reply.simulated, parts: [.table(table)]))
        return .success
    }

    private static func change(
        _ symbol: String, _ wanted: (min: String?, max: String?), _ context: Context
    ) throws(ClientError) -> ExitCode {
        let reader = LimitReader(context)
        let min = try wanted.min.map { text throws(ClientError) in try reader.limit(text, option: "min") }
        let max = try wanted.max.map { text throws(ClientError) in try reader.limit(text, option: "max") }
        let currencies = Set([min, max].compactMap { $0?.currency })
        guard currencies.count <= 1 else { throw .usage("--min and --max have different currencies") }
        let change = SetLimitParameters(
            symbol: symbol, rule: context.arguments.value("rule"), min: min?.text, max: max?.text,
            currency: currencies.first.map { "\($0)" })
        let connection = try context.connect()
        let reply = try connection.call(.setLimit, change, returning: SetLimitReply.self)
        context.warnUnlessSaved(reply.saved)
        let lines = reply.changes.map { Part.text(self.text(for: $0, context.formatter), .none) }
        let advice = "'alertctl limit reset \(change.symbol)' restores the configured limits."
        context.show(
            Report(
                simulated: reply.simulated,
                parts: lines + warnings(of: reply.changes, connection, context.formatter)
                    + [.text(advice, .muted), .table(changeTable(reply.changes))]))
        return .success
    }

    /// Returns the warnings that `alertctl check` would give about the new limits: already reached, or far from the
    /// price.
    private static func warnings(
        of changes: [LimitChangeStatus], _ connection: any ControlConnection, _ formatter: HumanFormatter
    ) -> [Part] {
        guard let symbol = changes.first?.override.symbol,
            let reply = try? connection.call(
                .listAlerts, ListAlertsParameters(symbol: symbol), returning: ListAlertsReply.self)
        else { return [] }
        return changes.compactMap { change in
            let alert = reply.alerts.first {
                $0.rule == change.override.rule && $0.bound.rawValue == change.override.bound.rawValue
            }
            guard let alert, let away = alert.distancePercent.flatMap({ try? Price($0) }) else { return nil }
            let price = amount(alert.price ?? "?", of: change.override, formatter)
            if away.mantissa < 0 {
                return .text("Already reached: the price is \(price).", .alarm)
            }
            guard let far = try? Price("\((RuleLint.farFactor - 1) * 100)"), away >= far || isFarBelow(alert) else {
                return nil
            }
            return .text("Far away: the price is \(price). Check the number of digits and the currency.", .alarm)
        }
    }

    /// True if a lower limit is a small fraction of the price. Its distance in percent cannot show this: it never
    /// exceeds 100.
    private static func isFarBelow(_ alert: AlertStatus) -> Bool {
        guard alert.bound == .min, let limit = alert.limit.flatMap({ try? Price($0) }),
            let price = alert.price.flatMap({ try? Price($0) }),
            let near = Price(mantissa: RuleLint.farFactor, scale: 0).flatMap(limit.multiplied)
        else { return false }
        return near <= price
    }

    /// `btcinr, max of 'btc band': ₹76,50,000.00 (from 800 000,00 kr), was ₹75,00,000.00`
    private static func text(for change: LimitChangeStatus, _ formatter: HumanFormatter) -> String {
        let override = change.override
        let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
        let given = own.text(change.given, in: change.givenCurrency).map { " (from \($0))" } ?? ""
        let limit = amount(override.limit, of: override, formatter) + given
        guard change.before != override.limit else { return "\(name(override)): \(limit), as before" }
        return "\(name(override)): \(limit), was \(amount(change.before, of: override, formatter))"
    }

    private static func amount(_ number: String, of override: OverrideStatus, _ formatter: HumanFormatter) -> String {
        PriceDisplay.own(hasUnicode: formatter.hasUnicode).text(number, in: override.currency) ?? number
    }

    private static func name(_ override: OverrideStatus) -> String {
        "\(override.symbol), \(override.bound.text) of '\(override.rule)'"
    }

    private static func list(_ context: Context) throws(ClientError) -> ExitCode {
        try refuseLimits(context)
        let reply = try context.connect().call(.listOverrides, Nothing(), returning: ListOverridesReply.self)
        let rule = context.arguments.value("rule")
        let overrides = reply.overrides.filter { rule == nil || $0.rule == rule }
        context.show(Report(parts: [.table(overrideTable(overrides, context.formatter))]))
        return .success
    }

    private static func reset(_ context: Context) throws(ClientError) -> ExitCode {
        try refuseLimits(context)
        let arguments = context.arguments
        let parameters = ResetLimitsParameters(
            symbol: arguments.operands.first?.lowercased(), rule: arguments.value("rule"),
            all: arguments.has("all") ? true : nil)
        guard parameters != ResetLimitsParameters() else {
            throw .usage("specify what to reset: a symbol, --rule NAME, or --all")
        }
        let reply = try context.connect().call(.resetLimits, parameters, returning: ResetLimitsReply.self)
        context.warnUnlessSaved(reply.saved)
        let lines = reply.reset.map { override -> Part in
            let settings = override.settingsLimit.map { amount($0, of: override, context.formatter) } ?? "no limit"
            return .text("\(name(override)): restored to \(settings)", .none)
        }
        let table = overrideTable(reply.reset, context.formatter).forPrograms
        let none: [Part] = lines.isEmpty ? [.text("No changed limits match.", .none)] : []
        context.show(Report(parts: lines + none + [.table(table)]))
        return .success
    }

    private static func refuseLimits(_ context: Context) throws(ClientError) {
        guard context.arguments.value("min") == nil, context.arguments.value("max") == nil else {
            throw .usage("--min and --max go with 'alertctl limit SYMBOL'")
        }
    }
}

// MARK: Tables

extension LimitCommand {
    private static func limitTable(
        _ alerts: [AlertStatus], _ symbol: String, _ formatter: HumanFormatter
    ) -> Table {
        let hasOverride = alerts.contains { $0.override != nil }
        let columns = [
            Column("rule", "RULE"), Column("bound", "BOUND"), Column("limit", "LIMIT", isNumeric: true),
            Column("currency", nil), Column("away", "DISTANCE", isNumeric: true, rank: 1),
            Column("away_percent", "DISTANCE %", isNumeric: true),
            Column("clear", "RESOLVES AT", isNumeric: true, rank: 4),
            Column("price", "PRICE", isNumeric: true, rank: 5), Column("state", "STATE"),
            Column("override", hasOverride ? "CHANGED" : nil, rank: 2),
            Column("source", Set(alerts.map(\.source)).count > 1 ? "SOURCE" : nil),
        ]
        return Table(
            key: "limits", columns: columns, rows: alerts.map { row($0, formatter) },
            whenEmpty: "No rule has a limit for \(symbol).")
    }

    /// Shows all amounts in the currency of the rule, as in the settings, so that they can be compared.
    private static func row(_ alert: AlertStatus, _ formatter: HumanFormatter) -> [Cell] {
        let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
        return [
            Cell(.text(alert.rule), .strong), Cell(alert.bound), own.cell(alert.limit, in: alert.currency),
            Cell(.text(alert.currency)), own.cell(away(alert)?.description, in: alert.currency),
            Cell(.decimal(alert.distancePercent)),
            own.cell(alert.clear, in: alert.currency), own.cell(alert.price, in: alert.currency),
            Cell(alert.state, alert.isFiring ? .alarm : .none),
            Cell(
                alert.override.map { .facts(facts($0)) } ?? .missing,
                human: alert.override.map { overrideText($0, formatter) } ?? ""),
            Cell(.text(alert.source)),
        ]
    }

    /// Returns the distance from the price to the limit, in the currency of the rule; positive until the limit is
    /// reached.
    private static func away(_ alert: AlertStatus) -> Price? {
        guard let price = alert.price.flatMap({ try? Price($0) }), let bound = Bound(rawValue: alert.bound.rawValue)
        else { return nil }
        return alert.limit.flatMap(LimitValue.init).flatMap { bound.distance(to: $0) { $0.subtracting(price) } }
    }

    private static func facts(_ override: OverrideStatus) -> [Value.Fact] {
        [
            Value.Fact(key: "settings_limit", text: override.settingsLimit),
            Value.Fact(key: "by", text: override.by), Value.Fact(key: "since", text: override.since),
        ]
    }

    private static func changeTable(_ changes: [LimitChangeStatus]) -> Table {
        let keys =
            ["rule", "symbol", "bound", "limit", "before", "settings_limit", "currency", "by", "since"]
            + ["given", "given_currency"]
        let rows = changes.map { change in
            let override = change.override
            return [
                Cell(.text(override.rule)), Cell(.text(override.symbol)), Cell(.text(override.bound)),
                Cell(.decimal(override.limit)), Cell(.decimal(change.before)), Cell(.decimal(override.settingsLimit)),
                Cell(.text(override.currency)), Cell(.text(override.by)), Cell(.time(override.since)),
                Cell(.decimal(change.given)), Cell(.text(change.givenCurrency)),
            ]
        }
        return Table(key: "changes", columns: keys.map { Column($0, nil) }, rows: rows, whenEmpty: "")
    }

    private static func overrideTable(_ overrides: [OverrideStatus], _ formatter: HumanFormatter) -> Table {
        let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
        let columns = [
            Column("rule", "RULE"), Column("symbol", "SYMBOL"), Column("bound", "BOUND"),
            Column("limit", "LIMIT", isNumeric: true), Column("settings_limit", "CONFIGURED", isNumeric: true),
            Column("currency", nil), Column("by", "BY"), Column("user", nil),
            Column("since", "SINCE", rank: 1), Column("state", "STATE"),
        ]
        let rows = overrides.map { override in
            [
                Cell(.text(override.rule), .strong), Cell(.text(override.symbol)), Cell(.text(override.bound)),
                own.cell(override.limit, in: override.currency),
                own.cell(override.settingsLimit, in: override.currency), Cell(.text(override.currency)),
                Cell(.text(override.by)), Cell(.count(override.user)), Cell(.time(override.since)),
                Cell(
                    .text(override.state), human: stateText(override.state),
                    override.state == .inEffect ? .none : .alarm),
            ]
        }
        return Table(key: "overrides", columns: columns, rows: rows, whenEmpty: "No limits are changed.")
    }

    private static func stateText(_ state: ControlInterface.OverrideState) -> String {
        switch state {
        case .inEffect: "in effect"
        case .noRule: "not in effect:  no such rule"
        case .otherSymbols: "not in effect:  the rule does not match the symbol"
        case .noLimit: "not in effect:  the rule has no such limit"
        case .otherCurrency: "not in effect:  the rule has another currency"
        case .faulty: "not in effect:  contradicts the other settings of the rule"
        case .unknown(let word): word
        }
    }
}

/// `by alice at 14:02:00; configured: ₹75,00,000.00`
func overrideText(_ override: OverrideStatus, _ formatter: HumanFormatter) -> String {
    let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
    let settings = own.text(override.settingsLimit, in: override.currency).map { "; configured: \($0)" } ?? ""
    return "by \(override.by) at \(formatter.time(override.since))\(settings)"
}
