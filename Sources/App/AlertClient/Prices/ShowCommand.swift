internal import Arguments
internal import Charts
internal import Configuration
internal import Control
internal import Market
internal import Time

/// `alertctl show SYMBOL`: shows everything about one symbol.
enum ShowCommand: Command {
    static let specification = CommandLineSpecification(
        "show", summary: "Show one symbol: its price, trend and alerts",
        examples: [Example("alertctl show btcinr", "How far is bitcoin from its limits?")],
        options: [symbolSourceOption],
        operands: [
            OperandSpecification("SYMBOL", kind: .live("symbols"), help: "The name of the symbol, such as btcinr")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let name = try context.arguments.sourced(context.arguments.operands.first ?? "")
        var reply = try connection.call(
            .getSymbol, GetSymbolParameters(symbol: name), returning: GetSymbolReply.self)
        if let next = reply.alertsNext {
            let rest = ListAlertsParameters(symbol: reply.symbol.sourced, next: next)
            reply.alerts += try connection.all(.listAlerts, rest, returning: ListAlertsReply.self).alerts
        }
        let display = try context.display(connection)
        var symbol = SymbolReport(reply, name, context.formatter, display, context.assetNames())
        symbol.chart = try ShowChart.lines(name.lowercased(), below: symbol.report, context, connection, display)
        context.show(symbol.report)
        return .success
    }
}

private struct SymbolReport {
    let reply: GetSymbolReply
    /// The symbol as the user wrote it.
    let name: String
    let formatter: HumanFormatter
    let display: PriceDisplay
    let names: AssetNames
    /// The chart, which replaces the trend; nil if there is no room for it.
    var chart: Part?

    init(
        _ reply: GetSymbolReply, _ name: String, _ formatter: HumanFormatter, _ display: PriceDisplay,
        _ names: AssetNames
    ) {
        self.names = names
        self.reply = reply
        self.name = name
        self.formatter = formatter
        self.display = display
    }

    var report: Report {
        let staleness = staleText(isStale: reply.stale, received: reply.symbol.received, formatter)
        let parts: [Part] =
            [
                .fields(key: nil, [Field("stale", .flag(reply.stale))]), .fields(key: "symbol", symbolFields),
            ] + coinPart + [
                .fields(key: "window", windowFields), chart ?? .text("", .none),
                .table(alertTable(reply.alerts, display, of: formatter, hasSymbol: false)),
                .table(priceTable),
            ]
        let head = staleness + display.banner + [.metadata(display.metadata)]
        return Report(simulated: reply.simulated, parts: head + parts)
    }

    private var coinPart: [Part] {
        reply.coin.map { [.fields(key: "coin", CoinFields($0, reply.symbol, formatter, display).fields)] } ?? []
    }

    private var symbolFields: [Field] {
        let symbol = reply.symbol
        return [
            Field("symbol", "Symbol", .text(symbol.symbol), .strong),
            Field("source", SourcedText(name).source == nil ? nil : "Source", .text(symbol.source)),
            Field("base", .text(symbol.base)), nameField, Field("rank", "Rank", .count(symbol.rank)).hiddenIfMissing,
            Field("quote", .text(symbol.quote)), priceField("last", "Last", symbol.last, .strong), ownField,
            changeField("change_percent", "Change 24h", symbol.changePercent),
            marketField("bid", "Bid", symbol.bid), marketField("ask", "Ask", symbol.ask),
            marketField("open", "Open", symbol.open), marketField("low", "Low", symbol.low),
            marketField("high", "High", symbol.high),
            Field("volume", symbol.rank == nil ? "Volume" : nil, .decimal(symbol.volume)),
            priceField("market_cap", "Market cap", symbol.marketCap).hiddenIfMissing,
            priceField("turnover", "Turnover 24h", symbol.turnover).hiddenIfMissing,
            Field("exchange_time", .time(symbol.exchangeTime)),
            Field("received", "Received", .time(symbol.received), human: receivedText), stateField,
            Field("firing", .count(symbol.firing)),
            Field("min", nil, display.cell(symbol.min, in: symbol.minCurrency ?? symbol.quote)),
            Field("max", nil, display.cell(symbol.max, in: symbol.maxCurrency ?? symbol.quote)),
            Field("currency", .text(display.name(of: symbol.quote))),
            Field("min_currency", symbol.currencyOfMin(display)), Field("max_currency", symbol.currencyOfMax(display)),
        ]
    }

    /// Returns the field of a price that price services do not have. For a coin, a field without a value is hidden.
    private func marketField(_ key: String, _ title: String, _ price: String?) -> Field {
        let field = priceField(key, title, price)
        return reply.symbol.rank == nil ? field : field.hiddenIfMissing
    }

    private var nameField: Field {
        Field("name", "Name", .text(reply.symbol.displayName(names))).hiddenIfMissing
    }

    private func priceField(_ key: String, _ title: String?, _ price: String?, _ emphasis: Emphasis = .none) -> Field {
        Field(key, title, display.cell(price, in: reply.symbol.quote, emphasis))
    }

    /// The last price in the symbol's own currency, for people who see a converted one.
    private var ownField: Field {
        let own = PriceDisplay.own(hasUnicode: formatter.hasUnicode)
        let text = own.text(reply.symbol.last, in: reply.symbol.quote)
        let isConverted = display.aside(reply.symbol.last, in: reply.symbol.quote).hasPrefix(" ")
        var field = Field("own", isConverted ? "At the source" : nil, .text(text))
        field.isForPeople = true
        return field
    }

    private var stateField: Field {
        let cell = symbolStateCell(reply.symbol, isStale: reply.stale)
        return Field("state", "State", cell.value, human: cell.human, cell.emphasis)
    }

    private var receivedText: String {
        let time = formatter.time(reply.symbol.received)
        return formatter.age(reply.symbol.received).map { "\(time), \($0) ago" } ?? time
    }

    private func changeField(_ key: String, _ title: String, _ percent: String?) -> Field {
        let cell = formatter.change(percent)
        return Field(key, title, cell.value, human: percent == nil ? nil : formatter.text(cell) + "%", cell.emphasis)
    }

    private var windowFields: [Field] {
        let window = reply.window
        let length = window.map { Milliseconds(Int64($0.windowMilliseconds)).approximate } ?? ""
        let title = window == nil ? nil : "Last \(length)"
        let human = window.map { window in
            let ends = [window.min, window.max].map { display.text($0, in: reply.symbol.quote) ?? "" }
            return "\(ends[0]) to \(ends[1]), \(counted(window.samples, "price"))"
        }
        return [
            Field("window_ms", .count(window?.windowMilliseconds)),
            Field("samples", title, .count(window?.samples), human: human),
            priceField("first", nil, window?.first), Field("first_time", .time(window?.firstTime)),
            priceField("last", nil, window?.last), priceField("min", nil, window?.min),
            priceField("max", nil, window?.max),
            changeField("change_percent", "Change", window?.changePercent), trendField,
        ].map { field in
            var field = field
            if window == nil { field.title = nil }
            return field
        }
    }

    private var trendField: Field {
        let columns = max(8, min(60, (formatter.width ?? 80) - 16))
        let line = chart == nil ? trend(columns) : ""
        var field = Field("trend", line.isEmpty ? nil : "Trend", .text(line))
        field.isForPeople = true
        return field
    }

    /// Draws the prices of the reply as a sparkline. The prices are evenly chosen from all kept prices, so a period
    /// of more than two columns without a price is a gap.
    private func trend(_ columns: Int) -> String {
        let bars = reply.prices.compactMap { point in
            WallTime(rfc3339: point.time).flatMap { time in
                (try? Price(point.price)).map { ChartBar(time: time.milliseconds, price: $0.approximate) }
            }
        }.sorted { $0.time < $1.time }
        guard let first = bars.first?.time, let last = bars.last?.time, first < last else { return "" }
        let count = min(columns, bars.count)
        let gap = Milliseconds(max(1, (last - first) * 2 / Int64(count)))
        return sparkline(
            ChartSeries(name: "", style: .line, bars: bars, gap: gap),
            in: WallTime(milliseconds: first)..<WallTime(milliseconds: last), columns: count,
            hasUnicode: formatter.hasUnicode)
    }

    private var priceTable: Table {
        Table(
            key: "prices", columns: [Column("time", nil), Column("price", nil)],
            rows: reply.prices.map { [Cell(.time($0.time)), display.cell($0.price, in: reply.symbol.quote)] },
            whenEmpty: "")
    }
}
