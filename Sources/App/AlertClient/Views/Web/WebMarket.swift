internal import Charts
internal import Control
internal import JSON
internal import Market
internal import Time

/// The daemon's current data for the page.
struct WebMarket {
    /// Maximum number of events on the page; `alertctl events` shows older ones.
    static let eventLimit = 200

    let data: WatchData
    let silences: [SilenceStatus]
    let favourites: Set<String>
    let currencies: [String]
    let formatter: HumanFormatter

    /// Returns the symbol in the syntax of the daemon's calls: prefixed with the source if there are several.
    func name(_ source: String, _ symbol: String) -> String {
        data.status.map { $0.sources.count > 1 } ?? false ? "\(source):\(symbol)" : symbol
    }
}

extension WebMarket: JSONWritable {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("status")
        if let status = data.status { WebStatus(status, nil, formatter.now).write(to: &writer) } else { writer.null() }
        writer.member("currency", data.display.currency.map { "\($0)" } ?? "quote")
        writer.member("notes", data.display.banner.compactMap(\.plainText))
        writer.member("currencies", currencies)
        writer.list("symbols", data.symbols, write)
        writer.list("alerts", data.alerts, write)
        writer.list("events", data.events, write)
        writer.list("silences", silences, write)
        writer.endObject()
    }

    private func write(_ symbol: SymbolStatus, _ writer: inout JSONWriter) {
        let cell = data.display.cell(symbol.last, in: symbol.quote)
        writer.beginObject()
        writer.member("name", name(symbol.source, symbol.symbol))
        writer.member("symbol", symbol.symbol)
        writer.member("asset", symbol.base.flatMap(data.names))
        writer.member("quote", symbol.quote)
        writer.member("price", cell.human.map { $0 + cell.mark } ?? symbol.last)
        writer.number("value", scaled(symbol.last, symbol.quote))
        writer.number("change", symbol.changePercent.flatMap { try? Price($0) }?.approximate)
        writer.number("turnover", symbol.dailyTurnover.map(\.approximate))
        writer.member("state", symbol.state.rawValue)
        writer.member("firing", symbol.firing)
        writer.flag("favourite", favourites.contains(symbol.symbol) || favourites.contains(symbol.sourced))
        if let near = data.nearest(symbol.source, symbol.symbol) {
            writer.member("near", near.alert.bound.text + " " + limitText(near.alert))
            writer.member("rule", near.alert.rule)
            writer.number("distance", near.alert.isInsideZone ? nil : (try? Price(near.percent))?.approximate)
        }
        writer.endObject()
    }

    private func scaled(_ price: String?, _ currency: String?) -> Double? {
        guard let price = price.flatMap({ try? Price($0) }) else { return nil }
        return price.approximate * (data.display.scale(of: currency)?.factor ?? 1)
    }

    private func limitText(_ alert: AlertStatus) -> String { data.display.text(alert.limit, in: alert.currency) ?? "" }

    private func write(_ alert: AlertStatus, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", alert.rule)
        writer.member("name", name(alert.source, alert.symbol))
        writer.member("bound", alert.bound.rawValue)
        writer.member("state", alert.state.rawValue)
        writer.member("severity", alert.severity.rawValue)
        writer.member("limit", limitText(alert))
        writer.member("clear", data.display.text(alert.clear, in: alert.currency))
        writer.number("distance", alert.distance?.approximate)
        writer.member("since", alert.since)
        writer.member("acknowledgedBy", alert.acknowledgedBy)
        writer.member("silence", alert.silence)
        writer.flag("firing", alert.isFiring)
        writer.flag("disarmed", alert.disarmed)
        writer.flag("override", alert.override != nil)
        writer.flag("movable", MovedLimit(alert) != nil)
        writer.endObject()
    }

    private func write(_ event: EventRecord, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", event.number)
        writer.member("time", event.time)
        writer.member("kind", event.kind.rawValue)
        writer.member("rule", event.rule)
        writer.member("name", event.symbol.map { name(event.source ?? "", $0) })
        writer.member("severity", event.severity.rawValue)
        writer.flag("notified", event.notified)
        writer.member("text", event.text)
        writer.endObject()
    }

    private func write(_ silence: SilenceStatus, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", silence.number)
        writer.member("symbol", silence.symbol)
        writer.member("rule", silence.rule)
        writer.member("severity", silence.severity?.rawValue)
        writer.member("ends", silence.ends)
        writer.member("by", silence.createdBy)
        writer.member("comment", silence.comment)
        writer.endObject()
    }
}

/// The status of the daemon and its sources.
struct WebStatus: JSONWritable {
    let status: DaemonStatus
    /// Everything that needs attention; nil to omit it.
    let health: Health?
    let now: WallTime

    init(_ status: DaemonStatus, _ health: Health?, _ now: WallTime) {
        self.status = status
        self.health = health
        self.now = now
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("version", status.version)
        writer.flag("simulated", status.simulated)
        writer.member("firing", status.firing)
        writer.member("now", now.description)
        writer.list("sources", status.sources) { source, writer in
            writer.beginObject()
            writer.member("source", source.source)
            writer.member("received", source.lastSuccess)
            writer.flag("stale", source.stale)
            writer.member("state", source.state.rawValue)
            writer.endObject()
        }
        if let health { writer.member("health", health.headlines.map(\.text)) }
        writer.endObject()
    }
}

extension JSONWriter {
    mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }

    mutating func flag(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a number; omits the member if it is nil or not finite.
    mutating func number(_ name: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        key(name)
        raw(Array("\(value)".utf8))
    }
}

extension Part {
    /// The text of a `text` part; nil for other parts.
    var plainText: String? { if case .text(let text, _) = self { text } else { nil } }
}
