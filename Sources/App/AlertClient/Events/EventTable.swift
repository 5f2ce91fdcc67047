internal import Control

/// The columns of an event, in the order of the event stream. People see only a few of them.
let eventColumns = [
    Column("number", "#", isNumeric: true), Column("time", "TIME"), Column("kind", "KIND"),
    Column("source", nil), Column("rule", "RULE", rank: 2), Column("symbol", nil), Column("bound", nil),
    Column("severity", "SEVERITY", rank: 3), Column("price", nil), Column("limit", nil), Column("currency", nil),
    previousColumn, Column("exchange_time", nil), Column("received", nil), Column("sample_age_ms", nil),
    Column("notified", nil), Column("reason", nil), Column("conversion", nil), textColumn,
    Column("silence", nil), Column("sink", nil), Column("details", nil),
]

private var textColumn: Column {
    var column = Column("text", "TEXT")
    column.leastWidth = 36
    column.wraps = true
    return column
}

private var previousColumn: Column {
    var column = Column("previous", nil)
    column.isPoint = true
    return column
}

/// Returns the columns of an event. With a display currency, people also see the price, because the amounts in the
/// text are in the rule's currency.
func eventColumns(_ display: PriceDisplay) -> [Column] {
    eventColumns.map { column in
        guard column.key == "price", display.currency != nil else { return column }
        return Column(column.key, "PRICE", isNumeric: true, rank: 4)
    }
}

/// Returns a cell for each of the ``eventColumns``.
func eventRow(_ event: EventRecord, _ display: PriceDisplay) -> [Cell] {
    let kind = kindText(event)
    let price = { (text: String?) in display.cell(text, in: event.currency) }
    let previous = event.previous.map { point -> Value in
        guard case .decimal(let text) = price(point.price).value else { return .missing }
        return .point(price: text, time: point.time)
    }
    return [
        Cell(.count(event.number), human: String(event.number)), Cell(.time(event.time)),
        Cell(.text(event.kind), human: kind.text, kind.emphasis), Cell(.text(event.source)), Cell(.text(event.rule)),
        Cell(.text(event.symbol)),
        Cell(event.bound), Cell(.text(event.severity)), price(event.price), price(event.limit),
        Cell(.text(display.name(of: event.currency))), Cell(previous ?? .missing), Cell(.time(event.exchangeTime)),
        Cell(.time(event.received)),
        Cell(.count(event.sampleAgeMilliseconds)), Cell(.flag(event.notified)), Cell(event.reason),
        Cell(event.conversion.map(Value.init) ?? .missing),
        Cell(.text(event.text), human: eventText(event)), Cell(.count(event.silence)), Cell(.text(event.sink)),
        Cell(event.details.map { Value($0, in: event.currency, display) } ?? .missing),
    ]
}

extension Value {
    fileprivate init(_ details: EventDetails, in currency: String?, _ display: PriceDisplay) {
        let price = { (key: String, text: String?) in
            Fact(key: key, text: text.map { plain(display.cell($0, in: currency).value) })
        }
        self = .facts([
            price("clear", details.clear), Fact(key: "market_price", text: details.marketPrice),
            Fact(key: "pending_ms", text: details.pendingMilliseconds.map(String.init), isCount: true),
            Fact(key: "clear_ms", text: details.clearMilliseconds.map(String.init), isCount: true),
            Fact(key: "firing_since", text: details.firingSince),
            Fact(key: "window_ms", text: details.windowMilliseconds.map(String.init), isCount: true),
            price("extreme", details.extreme), Fact(key: "cooldown_until", text: details.cooldownUntil),
            Fact(key: "only_while", text: details.onlyWhile),
            price("settings_limit", details.settingsLimit), Fact(key: "limit_by", text: details.limitBy),
            Fact(key: "limit_since", text: details.limitSince), Fact(key: "touched_from", text: details.touchedFrom),
            Fact(key: "touched_until", text: details.touchedUntil), Fact(key: "check", text: details.check),
            Fact(key: "other", text: details.other), price("other_price", details.otherPrice),
            Fact(key: "difference_percent", text: details.differencePercent),
            Fact(key: "within_percent", text: details.withinPercent), Fact(key: "receiver", text: details.receiver),
        ])
    }

    fileprivate init(_ conversion: ConversionRecord) {
        self = .facts([
            Fact(key: "rate", text: conversion.rate), Fact(key: "date", text: conversion.date),
            Fact(key: "source", text: conversion.source), Fact(key: "path", text: conversion.path),
        ])
    }
}

/// Returns the kind for people: in capitals for reached limits, stale feeds and test events.
func kindText(_ event: EventRecord) -> (text: String, emphasis: Emphasis) {
    switch event.kind {
    case .fired, .repeated, .touched, .feedStale: (event.kind.text.uppercased(), .alarm)
    case .test: ("TEST", .strong)
    case .resolved, .feedRecovered: (event.kind.text, .good)
    default: (event.kind.text, .none)
    }
}

/// Returns the text, with the reason if the event was suppressed: `… (not notified: silence 3)`.
func eventText(_ event: EventRecord) -> String {
    guard !event.notified else { return event.text }
    let silence = event.silence.map { "silence \($0)" }
    let reason = event.reason == .silenced && silence != nil ? nil : event.reason?.text
    let why = [reason, silence].compactMap(\.self).joined(separator: ", ")
    return "\(event.text) (not notified\(why.isEmpty ? "" : ": \(why)"))"
}

/// Returns the event as one line of JSON, with the keys of the event stream and a line end.
func jsonLine(of event: EventRecord, _ display: PriceDisplay) -> String {
    jsonText(of: eventRow(event, display), eventColumns) + "\n"
}
