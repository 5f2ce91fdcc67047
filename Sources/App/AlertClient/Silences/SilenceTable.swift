internal import Control

/// Returns the columns for these silences. The state is shown only if it can differ: if ended silences are included,
/// or some have daily hours. With daily hours, the severity and the hours are never dropped: without them, a silence
/// would seem to match more alerts.
func silenceColumns(of silences: [SilenceStatus], hasEnded: Bool) -> [Column] {
    let hasHours = silences.contains { $0.daily != nil }
    let hasSeverity = silences.contains { $0.severity != nil }
    return silenceColumns.map { column in
        if column.key == "severity", hasHours, hasSeverity { return Column("severity", "SEVERITY") }
        if column.key == "daily", hasHours { return Column("daily", "DAILY") }
        return column.key == "state" && !hasEnded && !hasHours ? Column("state", nil) : column
    }
}

let silenceColumns = [
    Column("number", "#", isNumeric: true), Column("state", "STATE"), Column("symbol", "SYMBOLS"),
    Column("rule", "RULE"), Column("severity", "SEVERITY", rank: 1), Column("ends", "UNTIL"),
    Column("until", nil), Column("alerts", "ALERTS", isNumeric: true, rank: 3),
    Column("firing", "FIRING", isNumeric: true, rank: 3), Column("created", nil), Column("created_by", "BY", rank: 2),
    Column("created_by_uid", nil), Column("comment", "COMMENT", rank: 1), Column("ended", nil),
    Column("ended_by", nil), Column("ended_by_uid", nil), Column("source", nil), Column("daily", nil),
]

/// Returns a cell for each of the ``silenceColumns``.
func silenceRow(_ silence: SilenceStatus, _ formatter: HumanFormatter) -> [Cell] {
    [
        Cell(.count(silence.number), human: String(silence.number), .strong), stateCell(silence, formatter),
        Cell(.text(silence.symbol), human: silence.symbols ?? "any"),
        Cell(.text(silence.rule), human: silence.rule ?? "any"),
        Cell(.text(silence.severity), human: silence.severity?.rawValue ?? "any"),
        Cell(.time(silence.ends), human: endText(silence, formatter)), Cell(.flag(silence.until)),
        Cell(.count(silence.alerts)), Cell(.count(silence.firing), silence.firing > 0 ? .alarm : .none),
        Cell(.time(silence.created)), Cell(.text(silence.createdBy)), Cell(.count(silence.createdByUID)),
        Cell(.text(silence.comment)), Cell(.time(silence.ended)), Cell(.text(silence.endedBy)),
        Cell(.count(silence.endedByUID)), Cell(.text(silence.source)),
        Cell(.text(silence.daily), human: silence.daily ?? "-"),
    ]
}

private func stateCell(_ silence: SilenceStatus, _ formatter: HumanFormatter) -> Cell {
    let ended = silence.ended.map { " at \(formatter.time($0))" } ?? ""
    switch silence.state {
    case .active: return Cell(.text(silence.state), human: "active")
    case .waiting: return Cell(.text(silence.state), human: "waiting", .muted)
    case .expired:
        let text = silence.endedBy.map { "ended by \($0)\(ended)" } ?? "expired"
        return Cell(.text(silence.state), human: text, .muted)
    case .unknown(let word): return Cell(.text(silence.state), human: word, .muted)
    }
}

private func endText(_ silence: SilenceStatus, _ formatter: HumanFormatter) -> String {
    let time = formatter.time(silence.ends)
    guard silence.state != .expired, let rest = formatter.remaining(silence.ends) else { return time }
    return "\(time) (\(rest))"
}

extension SilenceStatus {
    /// The symbols, prefixed with their source: `kraken:btc*`; nil for all symbols of all sources.
    var symbols: String? { source.map { "\($0):\(symbol ?? "*")" } ?? symbol }

    /// The criteria as text: `btc*, rule 'band', severity critical`.
    var text: String {
        [symbols, rule.map { "rule '\($0)'" }, severity.map { "severity \($0)" }].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension Table {
    /// The table without titles, so that only programs get it.
    var forPrograms: Table {
        var table = self
        for index in table.columns.indices { table.columns[index].title = nil }
        table.whenEmpty = ""
        return table
    }
}

extension Context {
    /// Warns the user if a change is not yet saved in the state file.
    func warnUnlessSaved(_ isSaved: Bool) {
        guard !isSaved else { return }
        warn("alertctl: the state file cannot be written now; if the daemon stops before it can, the change is lost")
    }
}
