internal import Charts
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// Charts of the daemon's prices, rules and events.
struct LiveCharts {
    /// Maximum number of points in a line; no chart is wide enough to show more.
    static let pointLimit = 2_000
    /// Maximum number of events in a chart; there is no room for more.
    static let markerLimit = 1_000

    let connection: any ControlConnection
    let display: PriceDisplay
    let formatter: HumanFormatter

    init(_ connection: any ControlConnection, _ display: PriceDisplay, _ formatter: HumanFormatter) {
        self.connection = connection
        self.display = display
        self.formatter = formatter
    }

    /// Makes the chart that the user asks for.
    ///
    /// - Throws: ``ClientError`` if a symbol does not exist, or the daemon does not answer.
    func chart(_ request: ChartRequest) throws(ClientError) -> ChartResult {
        let status = try connection.status()
        var coins: [CoinPrices] = []
        for name in request.symbols {
            if let period = request.period { coins.append(try CoinPrices(name, period, connection)) }
        }
        let span = span(
            request,
            oldest: coins.map(\.points[0].time).min() ?? status.history.oldest.flatMap { WallTime(rfc3339: $0) })
        var symbols: [SymbolStatus] = []
        for name in request.symbols { symbols.append(try symbol(name)) }
        let scale = symbols.count == 1 ? display.scale(of: symbols[0].quote) : nil
        let clock = ChartClock(span, formatter.zone)
        var chart = Chart(
            title: request.symbols.joined(separator: ", "), rangeText: request.text(span, formatter.now, clock),
            series: [], span: span, unit: symbols.count == 1 ? display.unit(of: symbols[0].quote) : .plain,
            clock: clock)
        chart.isLogarithmic = request.isLogarithmic
        chart.isRelative = request.isRelative
        for (place, (symbol, name)) in zip(symbols, request.symbols).enumerated() {
            var series =
                coins.isEmpty
                ? try reader(of: symbol, status).series(symbol.sourced, in: span, request) : coins[place].series
            if request.isArea { series.style = .area }
            series.name = name
            series.scale(by: symbols.count == 1 ? scale?.factor ?? 1 : 1)
            chart.series.append(series)
        }
        var candles = GapCandles()
        if symbols.count == 1 {
            candles = try GapCandles(
                symbols[0].sourced, since: span.lowerBound, until: span.upperBound, from: connection)
            if var series = candles.series("\(request.symbols[0]) from candles", limit: Self.pointLimit) {
                series.scale(by: scale?.factor ?? 1)
                chart.series.append(series)
            }
        }
        if symbols.count == 1, let scale {
            let reader = reader(of: symbols[0], status)
            try addLimits(to: &chart, symbols[0].sourced, scale.currency, request, reader)
            try addEvents(to: &chart, symbols[0].sourced, scale.currency, request.rule)
        }
        let feeds = symbols.map { status.feed(of: $0.sourced) }
        let fields = [
            Field("symbols", .list(request.symbols)), Field("since", .time(span.lowerBound.description)),
            Field("until", .time(span.upperBound.description)), Field("stale", .flag(feeds.contains(where: \.stale))),
        ]
        let stale = staleText(
            isStale: feeds.contains(where: \.stale), received: feeds.first(where: \.stale)?.lastSuccess, formatter)
        return ChartResult(
            chart: chart, simulated: status.simulated,
            banner: stale + candles.warning + (symbols.count == 1 ? display.banner : [])
                + coins.flatMap { $0.banner(formatter) },
            metadata: fields + display.metadata)
    }

    private func reader(of symbol: SymbolStatus, _ status: DaemonStatus) -> PriceReader {
        let interval = max(1, status.feed(of: symbol.sourced).intervalMilliseconds)
        return PriceReader(connection: connection, interval: Milliseconds(Int64(interval)))
    }

    /// Returns the time span of the chart. Unless the user gives a beginning or a period, it is the last 24 hours, or
    /// less if the oldest price is more recent.
    private func span(_ request: ChartRequest, oldest: WallTime?) -> Range<WallTime> {
        if let since = request.since { return since..<request.until }
        if let period = request.period {
            let start = request.until.milliseconds - period.length.count
            // The first price of a price service can be up to one step older than the period.
            return WallTime(milliseconds: min(start, oldest?.milliseconds ?? start))..<request.until
        }
        let usual = WallTime(milliseconds: request.until.milliseconds - ChartRequest.usualLength.count)
        let start = oldest.map { $0 < request.until ? max(usual, $0) : usual } ?? usual
        return start..<request.until
    }

    /// Requests a symbol. If the exchange no longer lists it but there are recorded prices, its quote asset is
    /// unknown.
    private func symbol(_ name: String) throws(ClientError) -> SymbolStatus {
        do throws(ClientError) {
            return try connection.call(
                .getSymbol, GetSymbolParameters(symbol: name), returning: GetSymbolReply.self
            ).symbol
        } catch .noSuchSymbol(let what) {
            let last = try connection.call(
                .listPrices, ListPricesParameters(symbol: name, last: 1), returning: ListPricesReply.self)
            guard let price = last.prices.first else { throw .noSuchSymbol(what) }
            let written = SourcedText(name)
            return SymbolStatus(
                source: written.source ?? "", symbol: written.symbol, received: price.time, state: .missing, firing: 0)
        }
    }
}

// MARK: Limits and events

extension LiveCharts {
    private func addLimits(
        to chart: inout Chart, _ symbol: String, _ currency: Currency, _ request: ChartRequest, _ reader: PriceReader
    ) throws(ClientError) {
        let reply = try connection.all(
            .listAlerts, ListAlertsParameters(symbol: symbol), returning: ListAlertsReply.self)
        let alerts = reply.alerts.filter { request.rule == nil || $0.rule == request.rule }
        if let rule = request.rule, alerts.isEmpty {
            throw .noSuchRule(NoSuchRule(rule: rule, suggestion: nearest(to: rule, among: reply.alerts.map(\.rule))))
        }
        var moves: [String: MoveTerms] = [:]
        if request.rule != nil {
            let rules = try connection.all(.listRules, ListRulesParameters(), returning: ListRulesReply.self).rules
            for rule in rules where rule.name == request.rule { moves[rule.name] = MoveTerms(rule.condition) }
        }
        for alert in alerts {
            if let terms = moves[alert.rule], [.rise, .fall].contains(alert.bound) {
                var series = try reader.threshold(terms, alert.bound, symbol, in: chart.span, request)
                let own = display.scale(of: alert.currency)
                series.name = "\(alert.bound.rawValue) of \(alert.rule)"
                if own?.currency == currency { series.scale(by: own?.factor ?? 1) }
                chart.series.append(series)
                continue
            }
            chart.add(alert, display, isRequired: request.rule != nil)
        }
    }

    private func addEvents(
        to chart: inout Chart, _ symbol: String, _ currency: Currency, _ rule: String?
    ) throws(ClientError) {
        var parameters = ListEventsParameters(
            since: chart.span.lowerBound.description,
            until: WallTime(milliseconds: chart.span.upperBound.milliseconds + 1).description, rule: rule,
            symbol: symbol, newestFirst: true)
        while chart.markers.count < Self.markerLimit {
            let reply = try connection.call(.listEvents, parameters, returning: ListEventsReply.self)
            chart.markers += reply.events.compactMap { ChartMarker($0, display, in: currency, on: chart.series.first) }
            guard reply.more, let last = reply.events.last?.number, last < parameters.before ?? .max else { return }
            parameters.before = last
        }
    }
}

extension ChartMarker {
    /// Makes the marker of an event; nil if events of this kind have no marker, or the event cannot be placed. An
    /// event whose price is in another currency is placed on the price line.
    init?(_ event: EventRecord, _ display: PriceDisplay, in currency: Currency, on series: ChartSeries?) {
        let kind: Kind
        switch (event.kind, event.bound) {
        case (.fired, .crossUp), (.fired, .crossDown): kind = .notice
        case (.fired, _), (.repeated, _): kind = .fired
        case (.resolved, _): kind = .resolved
        case (.touched, _): kind = .notice
        default: return nil
        }
        guard let time = WallTime(rfc3339: event.details?.touchedFrom ?? event.time),
            let price = event.price.flatMap({ try? Price($0) })
        else { return nil }
        if let scale = display.scale(of: event.currency), scale.currency == currency {
            self.init(kind, at: time, value: price.approximate * scale.factor, text: event.text)
        } else if let bar = series?.bars.last(where: { $0.time <= time.milliseconds }) {
            self.init(kind, at: time, value: bar.close, text: event.text)
        } else {
            return nil
        }
    }
}

extension ChartSeries {
    /// Multiplies all prices, to convert them.
    mutating func scale(by factor: Double) {
        guard factor != 1 else { return }
        for index in bars.indices {
            bars[index].open *= factor
            bars[index].high *= factor
            bars[index].low *= factor
            bars[index].close *= factor
        }
    }
}
