internal import Control

/// Writes events one at a time, in the form the user asked for.
struct EventPrinter {
    let context: Context
    let filter: EventFilter

    func show(_ event: EventRecord) {
        guard filter.accepts(event) else { return }
        context.show(event: event)
    }

    func tell(missed: Int) {
        context.note("alertctl: missed \(counted(missed, "event"))")
    }
}

extension Context {
    /// One line for the event, at once.
    fileprivate func show(event: EventRecord) {
        let row = EventRow(event)
        switch format {
        case .json: environment.write(jsonObject(row.members.map { ($0.key, $0.json) }) + "\n")
        case .plain: environment.write(row.members.map(\.plain).joined(separator: "\t") + "\n")
        case .human: environment.write(line(for: event) + "\n")
        }
    }

    /// `2026-11-21 07:14:03  #12  FIRED     btc band  btcinr at …`
    private func line(for event: EventRecord) -> String {
        let isAlarm = event.event == "fired" || event.event == "repeated" || event.event == "feed_stale"
        let isOver = event.event == "resolved" || event.event == "feed_recovered"
        let word = isAlarm ? event.event.uppercased() : event.event
        let padding = String(repeating: " ", count: max(0, "resolved".count - word.count))
        let kind = formatter.styled(formatter.text(Cell(.text(word))), isAlarm ? .alarm : isOver ? .good : .none)
        let rule = event.rule.map { formatter.text(Cell(.text($0))) + "  " } ?? ""
        let told = event.told ? "" : " (not told\(event.reason.map { ": \($0)" } ?? ""))"
        let text = formatter.text(Cell(.text(event.text + told)))
        return "\(formatter.stamp(event.time))  #\(event.number)  \(kind)\(padding)  \(rule)\(text)"
    }
}

/// An event as names and values, in the order of the event stream.
private struct EventRow {
    struct Member {
        var key: String
        var json: String
        var plain: String
    }

    let members: [Member]

    init(_ event: EventRecord) {
        let previous = event.previous.map {
            Member(
                key: "previous", json: jsonObject([("price", jsonString($0.price)), ("time", jsonString($0.time))]),
                plain: AlertClient.plain(.text($0.price)))
        }
        let head = Self.members([
            ("number", .count(event.number)), ("time", .time(event.time)), ("event", .text(event.event)),
            ("rule", .text(event.rule)), ("symbol", .text(event.symbol)), ("bound", .text(event.bound)),
            ("severity", .text(event.severity)), ("price", .decimal(event.price)), ("limit", .decimal(event.limit)),
            ("currency", .text(event.currency)),
        ])
        let tail = Self.members([
            ("exchange_time", .time(event.exchangeTime)), ("received", .time(event.received)),
            ("sample_age_ms", .count(event.sampleAgeMilliseconds)), ("told", .flag(event.told)),
            ("reason", .text(event.reason)), ("conversion", .missing), ("text", .text(event.text)),
        ])
        members = head + [previous ?? Member(key: "previous", json: "null", plain: "")] + tail
    }

    private static func members(_ pairs: [(String, Value)]) -> [Member] {
        pairs.map { Member(key: $0, json: AlertClient.json($1), plain: AlertClient.plain($1)) }
    }
}
