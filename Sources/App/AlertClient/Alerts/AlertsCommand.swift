internal import Arguments
internal import Control

/// `alertctl alerts`: each rule on each of its symbols and bounds.
enum AlertsCommand: Command {
    static let specification = CommandLineSpecification(
        "alerts", summary: "List alerts with their state, firing ones first",
        examples: [
            Example("alertctl alerts --firing", "What is beyond its limit now."),
            Example("alertctl alerts --check -q", "For scripts: exit code 5 when one fires, 7 when prices are stale."),
        ],
        options: [
            OptionSpecification("firing", help: "Only those that fire"),
            OptionSpecification("symbol", value: "SYMBOL", kind: .live("symbols"), help: "Only those of one symbol"),
            OptionSpecification(
                "check", help: "Exit with 5 when an alert fires, else with 7 when prices are stale"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let parameters = ListAlertsParameters(
            firingOnly: context.arguments.has("firing") ? true : nil,
            symbol: context.arguments.value("symbol")?.lowercased())
        let reply = try connection.call(.listAlerts, parameters, returning: ListAlertsReply.self)
        let feed = try connection.status().feed
        let alerts = reply.alerts.filter(\.isFiring) + reply.alerts.filter { !$0.isFiring }
        let display = try context.display(connection)
        let table = alertTable(alerts, display, of: context.formatter, hasSymbol: true)
        let head =
            [Part.metadata([Field("stale", .flag(feed.stale))] + display.metadata)]
            + staleWords(isStale: feed.stale, received: feed.lastSuccess, context.formatter) + display.banner
        context.show(Report(simulated: reply.simulated, parts: head + [.table(table)]))
        guard context.arguments.has("check") else { return .success }
        return alerts.contains(where: \.isFiring) ? .firing : feed.stale ? .stale : .success
    }
}

extension AlertStatus {
    var isFiring: Bool { state == .firing }
}

/// Alerts as a table; people need no column for a symbol that is the same in all rows, and none without notes.
func alertTable(
    _ alerts: [AlertStatus], _ display: PriceDisplay, of formatter: HumanFormatter, hasSymbol: Bool
) -> Table {
    let columns = [
        Column("state", "STATE"), Column("symbol", hasSymbol ? "SYMBOL" : nil), Column("bound", "BOUND", rank: 1),
        Column("limit", "LIMIT", isNumeric: true), Column("price", "PRICE", isNumeric: true, rank: 3),
        Column("distance_percent", "AWAY %", isNumeric: true, rank: 2), Column("rule", "RULE", rank: 4),
        Column("since", "SINCE", rank: 6), Column("severity", "SEVERITY", rank: 7),
        Column("currency", "CURRENCY", rank: 8), Column("clear", "CLEARS AT", isNumeric: true, rank: 9),
        Column("note", alerts.contains { humanNote($0, formatter) != nil } ? "NOTE" : nil, rank: 5),
        Column("event", nil), Column("silence", nil), Column("silence_ends", nil), Column("acknowledged_by", nil),
        Column("acknowledged", nil), Column("disarmed", nil), Column("limit_by", nil), Column("limit_since", nil),
        Column("settings_limit", nil),
    ]
    return Table(
        key: "alerts", columns: columns, rows: alerts.map { alertRow($0, display, formatter) },
        whenEmpty: hasSymbol ? "No alert matches." : "No rule watches this symbol.")
}

private func alertRow(_ alert: AlertStatus, _ display: PriceDisplay, _ formatter: HumanFormatter) -> [Cell] {
    let state =
        alert.isFiring
        ? Cell(.text(alert.state), human: (["FIRING"] + marks(of: alert)).joined(separator: ", "), .alarm)
        : Cell(.text(alert.state), alert.state == .inactive ? .none : .muted)
    return [
        state, Cell(.text(alert.symbol), .strong), Cell(.text(alert.bound)),
        display.cell(alert.limit, in: alert.currency), display.cell(alert.price, in: alert.currency),
        Cell(.decimal(alert.distancePercent)), Cell(.text(alert.rule)), Cell(.time(alert.since)),
        Cell(.text(alert.severity)), Cell(.text(display.name(of: alert.currency)), human: alert.currency),
        display.cell(alert.clear, in: alert.currency),
        Cell(.text(alert.note), human: humanNote(alert, formatter) ?? "-"), Cell(.count(alert.event)),
        Cell(.count(alert.silence)), Cell(.time(alert.silenceEnds)), Cell(.text(alert.acknowledgedBy)),
        Cell(.time(alert.acknowledged)), Cell(.flag(alert.disarmed)), Cell(.text(alert.override?.by)),
        Cell(.time(alert.override?.since)), Cell(.decimal(alert.override?.settingsLimit)),
    ]
}

/// Why nobody hears of a firing now, or will not of the next one, in a word each.
private func marks(of alert: AlertStatus) -> [String] {
    [
        alert.silence == nil ? nil : "silenced", alert.acknowledgedBy == nil ? nil : "acknowledged",
        alert.disarmed ? "disarmed" : nil,
    ].compactMap(\.self)
}

/// What there is to add to the state, with the silence that matches.
private func humanNote(_ alert: AlertStatus, _ formatter: HumanFormatter) -> String? {
    let silence = alert.silence.map { number in
        "silenced by \(number)" + (alert.silenceEnds.map { " until \(formatter.time($0))" } ?? "")
    }
    let isSaid = silence != nil && alert.note == "not notified: silence"
    let override = alert.override.map { "limit " + overrideWords($0, formatter) }
    let parts = [isSaid ? nil : alert.note, silence, override].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
}
