internal import Control
internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time
internal import Trials

/// The result of a backtest.
struct BacktestReport {
    let study: BacktestStudy
    let data: RecordedData
    let formatter: HumanFormatter
    let hasEvents: Bool

    var report: Report {
        let lines = RecordedDataReport(data: data, formatter: formatter).lines + notes
        let events = hasEvents ? eventParts : []
        return Report(
            simulated: data.isSimulated,
            parts: lines.map { .text($0, .none) } + [.fields(key: nil, fields), RecordedDataReport.table(data)]
                + events + [.table(study.table(formatter))])
    }

    private var notes: [String] {
        let settings = study.times.settings
        let differ = Set(settings.symbolGaps.values).count > 1
        let size = differ ? "" : " longer than \(settings.maximumGap)"
        let gaps = study.gapCount > 0 ? ["\(counted(study.gapCount, "gap"))\(size)."] : []
        return [study.times.note].compactMap(\.self) + gaps + study.notes
    }

    private var fields: [Field] {
        [
            Field("prices", .count(data.files.reduce(0) { $0 + $1.content.prices })),
            Field("bad_lines", .count(data.faults.count)), Field("gaps", .count(study.gapCount)),
            Field("max_gap", .text(study.times.settings.maximumGap.description)),
            Field("flap", .text(study.flapLength.description)),
            Field("events", study.eventCount > 0 || study.problems.isEmpty ? .count(study.eventCount) : .missing),
        ]
    }

    private var eventParts: [Part] {
        let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
        let rows = study.events.enumerated().map { number, occurrence in
            eventRow(EventRecord(Event(number: Int64(number) + 1, occurrence: occurrence)), own)
        }
        let rest = study.eventCount - rows.count
        let more = rest > 0 ? [Part.text(formatter.more(counted(rest, "more event")), .muted)] : []
        return [.table(Table(key: "event", columns: eventColumns, rows: rows, whenEmpty: "No events."))] + more
    }
}

extension BacktestStudy {
    /// Returns a table with one row per alert.
    func table(_ formatter: HumanFormatter) -> Table {
        let columns = [
            Column("rule", "RULE"), Column("symbol", "SYMBOL"), Column("bound", "BOUND"),
            Column("fired", "FIRED", isNumeric: true), Column("notified", "NOTIFIED", isNumeric: true),
            Column("in_breach_ms", "IN BREACH", isNumeric: true),
            Column("firing_ms", "FIRING", isNumeric: true, rank: 3),
            Column("flaps", "FLAPS", isNumeric: true), Column("first_fired", "FIRST", rank: 2),
            Column("last_fired", "LAST", rank: 2), Column("fires_at_end", nil),
            Column("hysteresis", "HYSTERESIS NEEDED", isNumeric: true), Column("hysteresis_proved", nil),
        ]
        return Table(
            key: "alerts", columns: columns, rows: tallies.map { row($0, formatter) },
            whenEmpty: "No rule has prices in this data."
        )
    }

    private func row(_ tally: AlertTally, _ formatter: HumanFormatter) -> [Cell] {
        let isKnown = tally.firings > 0 || isEvaluated(tally.place.rule)
        return [
            Cell(.text(tally.place.rule)), Cell(.text(tally.place.symbol.description)),
            Cell(.text(tally.place.bound.rawValue)), count(tally.firings, tally), count(tally.notifiedEvents, tally),
            length(tally.breachLength, tally), length(tally.firingLength, tally),
            isKnown ? Cell(.count(tally.flaps), tally.flaps > 0 ? .down : .none) : Cell(.missing),
            time(tally.firstFired, formatter), time(tally.lastFired, formatter),
            isKnown ? Cell(.flag(tally.firingSince != nil)) : Cell(.missing), hysteresis(tally, formatter),
            Cell(answer(tally).map { _ in .flag(proved.contains(tally.place.rule)) } ?? .missing),
        ]
    }

    /// Returns the cell of a count. The cell is empty if the count is 0 and the rule was not evaluated, because the
    /// rule might have fired.
    private func count(_ number: Int, _ tally: AlertTally) -> Cell {
        number > 0 || isEvaluated(tally.place.rule) ? Cell(.count(number)) : Cell(.missing)
    }

    private func length(_ length: Milliseconds, _ tally: AlertTally) -> Cell {
        guard !tally.place.bound.isMomentary, length > .zero || isEvaluated(tally.place.rule) else {
            return Cell(.missing)
        }
        return Cell(.count(Int(length.count)), human: length.approximate)
    }

    private func time(_ time: WallTime?, _ formatter: HumanFormatter) -> Cell {
        Cell(.time(time?.description), human: time.map { formatter.stamp($0.description) } ?? "-")
    }

    /// Returns the hysteresis for an alert; nil if the alert does not flap, or if no hysteresis prevents flapping.
    private func answer(_ tally: AlertTally) -> HysteresisAnswer? {
        tally.flaps > 0 ? answers[tally.place.rule] ?? nil : nil
    }

    private func hysteresis(_ tally: AlertTally, _ formatter: HumanFormatter) -> Cell {
        guard tally.flaps > 0, let known = answers[tally.place.rule] else { return Cell(.missing) }
        guard let answer = known else { return Cell(.missing, human: "none") }
        let amount = answer.amount.description
        let own = rules.first { $0.name == tally.place.rule }?.currency
        let currency = own ?? tally.place.symbol.presumedQuote.flatMap { Currency("\($0)") }
        let shown = answer.amount.roundedUpForReading
        let text =
            currency.map { moneyText(shown, $0, isRounded: false, hasUnicode: formatter.hasUnicode) }
            ?? formatter.number(amount)
        let isProved = proved.contains(tally.place.rule)
        return Cell(.decimal(amount), human: text + (isProved ? "" : " (about)"))
    }
}

extension Price {
    /// The number with five significant digits or two decimals, rounded up, so that a number that is enough stays
    /// enough.
    var roundedUpForReading: Price {
        roundedUpForReading(digits: 5, decimals: 2)
    }
}

/// The report on the price files.
struct RecordedDataReport {
    let data: RecordedData
    let formatter: HumanFormatter

    /// One line per file, followed by messages about bad lines and unfinished klines.
    var lines: [String] {
        let faults = data.faults
        let rest = faults.count - faults.shown.count
        let unfinished = data.files.reduce(0) { $0 + $1.unfinished }
        return data.files.map { $0.text(formatter) } + faults.shown.map { "Skipped: \($0)" }
            + (rest > 0 ? [formatter.more(counted(rest, "more bad line"))] : [])
            + (unfinished > 0 ? ["\(counted(unfinished, "unfinished kline")) skipped."] : [])
    }

    static func table(_ data: RecordedData) -> Part {
        .table(importedFilesTable(data.files))
    }
}
