internal import Arguments
internal import Control
internal import Market

/// `alertctl show SYMBOL`: all about one symbol.
enum ShowCommand: Command {
    static let specification = CommandLineSpecification(
        "show", summary: "Show one symbol: its price, its way, its alerts",
        examples: [Example("alertctl show btcinr", "How far is bitcoin from its limits?")],
        operands: [OperandSpecification("SYMBOL", kind: .live("symbols"), help: "The name of the symbol: btcinr")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let name = context.arguments.operands.first?.lowercased() ?? ""
        let reply = try connection.call(
            .getSymbol, GetSymbolParameters(symbol: name), returning: GetSymbolReply.self)
        let stale = try connection.status().feed.stale
        context.show(SymbolReport(reply, isStale: stale, context.formatter).report)
        return .success
    }
}

private struct SymbolReport {
    let reply: GetSymbolReply
    let isStale: Bool
    let formatter: HumanFormatter

    init(_ reply: GetSymbolReply, isStale: Bool, _ formatter: HumanFormatter) {
        self.reply = reply
        self.isStale = isStale
        self.formatter = formatter
    }

    var report: Report {
        let words = staleWords(isStale: isStale, received: reply.symbol.received, formatter)
        let parts: [Part] = [
            .fields(key: nil, [Field("stale", .flag(isStale))]), .fields(key: "symbol", symbolFields),
            .fields(key: "window", windowFields), .table(alertTable(reply.alerts, of: formatter, hasSymbol: false)),
            .table(priceTable),
        ]
        return Report(simulated: reply.simulated, parts: words + parts)
    }

    private var symbolFields: [Field] {
        let symbol = reply.symbol
        let paid = symbol.quote.map { " \($0.uppercased())" } ?? ""
        let price = symbol.last.map { formatter.number($0) + paid }
        return [
            Field("symbol", "Symbol", .text(symbol.symbol), .strong), Field("base", .text(symbol.base)),
            Field("quote", .text(symbol.quote)), Field("last", "Last", .decimal(symbol.last), human: price, .strong),
            changeField("change_percent", "Change 24h", symbol.changePercent),
            Field("bid", "Bid", .decimal(symbol.bid)), Field("ask", "Ask", .decimal(symbol.ask)),
            Field("open", "Open", .decimal(symbol.open)), Field("low", "Low", .decimal(symbol.low)),
            Field("high", "High", .decimal(symbol.high)), Field("volume", "Volume", .decimal(symbol.volume)),
            Field("exchange_time", .time(symbol.exchangeTime)),
            Field("received", "Received", .time(symbol.received), human: receivedText), stateField,
            Field("firing", .count(symbol.firing)), Field("min", .decimal(symbol.min)),
            Field("max", .decimal(symbol.max)),
        ]
    }

    private var stateField: Field {
        let cell = symbolStateCell(reply.symbol, isStale: isStale)
        return Field("state", "State", cell.value, human: cell.human, cell.emphasis)
    }

    private var receivedText: String {
        let time = formatter.time(reply.symbol.received)
        return formatter.age(reply.symbol.received).map { "\(time), \($0) ago" } ?? time
    }

    private func changeField(_ key: String, _ title: String, _ percent: String?) -> Field {
        let cell = formatter.change(percent)
        return Field(key, title, cell.value, human: percent == nil ? nil : formatter.text(cell) + " %", cell.emphasis)
    }

    private var windowFields: [Field] {
        let window = reply.window
        let length = window.map { Milliseconds(Int64($0.windowMilliseconds)).approximate } ?? ""
        let title = window == nil ? nil : "Last \(length)"
        let human = window.map { "\(formatter.number($0.min)) to \(formatter.number($0.max)), \($0.samples) samples" }
        return [
            Field("window_ms", .count(window?.windowMilliseconds)),
            Field("samples", title, .count(window?.samples), human: human),
            Field("first", .decimal(window?.first)), Field("first_time", .time(window?.firstTime)),
            Field("last", .decimal(window?.last)), Field("min", .decimal(window?.min)),
            Field("max", .decimal(window?.max)),
            changeField("change_percent", "Change", window?.changePercent), trendField,
        ].map { field in
            var field = field
            if window == nil { field.title = nil }
            return field
        }
    }

    private var trendField: Field {
        let columns = max(8, min(60, (formatter.width ?? 80) - 16))
        let line = sparkline(reply.prices, columns: columns, hasUnicode: formatter.hasUnicode)
        var field = Field("trend", line.isEmpty ? nil : "Trend", .text(line))
        field.isForPeople = true
        return field
    }

    private var priceTable: Table {
        Table(
            key: "prices", columns: [Column("time", nil), Column("price", nil)],
            rows: reply.prices.map { [Cell(.time($0.time)), Cell(.decimal($0.price))] }, whenEmpty: "")
    }
}
