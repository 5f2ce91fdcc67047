internal import Control

/// Returns a table of alerts. The output for people omits the symbol unless `hasSymbol` is true, and the note column
/// if no alert has a note.
func alertTable(
    _ alerts: [AlertStatus], _ display: PriceDisplay, of formatter: HumanFormatter, hasSymbol: Bool
) -> Table {
    let columns = [
        Column("state", "STATE"), Column("symbol", hasSymbol ? "SYMBOL" : nil), Column("bound", "BOUND", rank: 2),
        Column("limit", "LIMIT", isNumeric: true), Column("price", "PRICE", isNumeric: true, rank: 4),
        Column("distance_percent", "DISTANCE %", isNumeric: true, rank: 3), ruleColumn,
        Column("since", "SINCE", rank: 6), Column("severity", "SEVERITY", rank: 7),
        Column("currency", "CURRENCY", rank: 8), Column("clear", "RESOLVES AT", isNumeric: true, rank: 9),
        Column("note", alerts.contains { humanNote($0, formatter) != nil } ? "NOTE" : nil, rank: 5),
        Column("event", nil), Column("silence", nil), Column("silence_ends", nil), Column("acknowledged_by", nil),
        Column("acknowledged", nil), Column("disarmed", nil), Column("limit_by", nil), Column("limit_since", nil),
        Column("settings_limit", nil), Column("source", Set(alerts.map(\.source)).count > 1 ? "SOURCE" : nil),
    ]
    return Table(
        key: "alerts", columns: columns, rows: alerts.map { alertRow($0, display, formatter) },
        whenEmpty: hasSymbol ? "No alerts match." : "No rule matches this symbol.")
}

/// The rule column. It is never dropped on a narrow terminal, because the rule identifies the alert.
private var ruleColumn: Column {
    var column = Column("rule", "RULE")
    column.leastWidth = 12
    return column
}

private func alertRow(_ alert: AlertStatus, _ display: PriceDisplay, _ formatter: HumanFormatter) -> [Cell] {
    let state =
        alert.isFiring
        ? Cell(.text(alert.state), human: (["FIRING"] + alert.marks).joined(separator: ", "), .alarm)
        : Cell(alert.state, alert.state == .inactive ? .none : .muted)
    let amounts = display.cells(price: alert.price, limit: alert.limit, in: alert.currency)
    return [
        state, Cell(.text(alert.symbol), .strong), Cell(alert.bound), amounts.limit, amounts.price,
        Cell(.decimal(alert.distancePercent)), Cell(.text(alert.rule)), Cell(.time(alert.since)),
        Cell(.text(alert.severity)), Cell(.text(display.name(of: alert.currency)), human: alert.currency),
        display.cell(alert.clear, in: alert.currency),
        Cell(.text(alert.note), human: humanNote(alert, formatter) ?? "-"), Cell(.count(alert.event)),
        Cell(.count(alert.silence)), Cell(.time(alert.silenceEnds)), Cell(.text(alert.acknowledgedBy)),
        Cell(.time(alert.acknowledged)), Cell(.flag(alert.disarmed)), Cell(.text(alert.override?.by)),
        Cell(.time(alert.override?.since)), Cell(.decimal(alert.override?.settingsLimit)),
        Cell(.text(alert.source)),
    ]
}

extension AlertStatus {
    /// One word for each reason why this firing is not notified or repeated, or why the next one will not be.
    var marks: [String] {
        [
            silence == nil ? nil : "silenced", acknowledgedBy == nil ? nil : "acknowledged",
            disarmed ? "disarmed" : nil,
        ].compactMap(\.self)
    }
}

/// Returns the note for people: the daemon's note, the matching silence, and a limit that was set at run time; nil
/// without any of these.
private func humanNote(_ alert: AlertStatus, _ formatter: HumanFormatter) -> String? {
    let silence = alert.silence.map { number in
        "silenced by \(number)" + (alert.silenceEnds.map { " until \(formatter.time($0))" } ?? "")
    }
    // The daemon's note on a silenced firing repeats the silence, without its number and end.
    let acknowledgement = alert.acknowledgedBy.map { "acknowledged by \($0)" }
    let note = silence != nil && alert.isFiring ? acknowledgement : alert.note
    let override = alert.override.map { "limit set " + overrideText($0, formatter) }
    let parts = [note, silence, override].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
}
