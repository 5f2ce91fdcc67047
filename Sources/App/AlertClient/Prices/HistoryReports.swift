internal import Control
internal import Market
internal import Time

/// The prices of a symbol one by one.
struct PriceHistory {
    private let query: HistoryQuery
    private var simulated = false
    private var gapMilliseconds = 0
    private var prices: [PricePoint] = []

    /// Uses the prices of a price service.
    init(_ query: HistoryQuery, _ coin: CoinPrices) {
        self.query = query
        simulated = coin.reply.simulated
        gapMilliseconds = Int(clamping: coin.gap.count)
        prices = coin.reply.prices.suffix(query.last ?? .max)
    }

    init(_ query: HistoryQuery, from connection: any ControlConnection) throws(ClientError) {
        self.query = query
        // With `--last`, the prices are requested as one page. If they do not fit in a page, all prices of the range
        // are requested.
        let last = query.last.flatMap { $0 <= PageLimits.prices ? $0 : nil }
        var parameters = ListPricesParameters(
            symbol: query.symbol, since: query.since?.description, until: query.until.description, last: last)
        while true {
            let reply = try connection.call(.listPrices, parameters, returning: ListPricesReply.self)
            simulated = reply.simulated
            gapMilliseconds = reply.gapMilliseconds
            prices += reply.prices
            guard let next = reply.next, parameters.since.map({ next > $0 }) ?? true else { break }
            parameters.since = next
        }
        if let last = query.last { prices = prices.suffix(last) }
    }

    func report(_ look: HistoryLook, _ candles: GapCandles = GapCandles()) -> Report {
        var gaps = GapCounter()
        let places = SeriesTimes(prices.map(\.time), tolerance: Milliseconds(Int64(gapMilliseconds)))
        let rows = prices.enumerated().map { index, point -> [Cell] in
            [
                Cell(.time(point.time)), look.cell(point.price, .strong), gaps.cell(places.gap(before: index)),
                look.currencyCell,
            ]
        }
        let columns = [
            Column("time", "TIME"), Column("price", "PRICE", isNumeric: true), GapCounter.column, HistoryLook.column,
        ]
        let table = Table(key: "prices", columns: columns, rows: rows, whenEmpty: "")
        let times = prices.compactMap { WallTime(rfc3339: $0.time) }
        let edges = edgeText(
            times.first, times.last, query, tolerance: Milliseconds(Int64(gapMilliseconds)), look.formatter)
        let count = counted(prices.count, "price") + gaps.text + edges
        return historyReport(query, simulated: simulated, table: table, count: count, candles, look)
    }
}

/// The prices of a symbol in steps.
struct BarHistory {
    private let query: HistoryQuery
    private let step: Milliseconds
    private var simulated = false
    private var bars: [PriceBar] = []

    /// Uses the prices of a price service.
    init(_ query: HistoryQuery, step: Milliseconds, _ coin: CoinPrices) {
        self.query = query
        self.step = step
        simulated = coin.reply.simulated
        bars = coin.bars(step, offset: query.offset(of: step)).suffix(query.last ?? .max)
    }

    init(_ query: HistoryQuery, step: Milliseconds, from connection: any ControlConnection) throws(ClientError) {
        self.query = query
        self.step = step
        var parameters = ListBarsParameters(
            symbol: query.symbol, since: (query.since ?? WallTime(milliseconds: 0)).description,
            until: query.until.description, stepMilliseconds: Int(clamping: step.count),
            offsetMilliseconds: Int(clamping: query.offset(of: step)))
        while true {
            let reply = try connection.call(.listBars, parameters, returning: ListBarsReply.self)
            simulated = reply.simulated
            bars += reply.bars
            guard let next = reply.next, next > parameters.since else { break }
            parameters.since = next
        }
    }

    func report(_ look: HistoryLook, _ candles: GapCandles = GapCandles()) -> Report {
        var gaps = GapCounter()
        let places = SeriesTimes(bars.map(\.time), tolerance: step)
        let end = places.last.map { WallTime(milliseconds: $0.milliseconds + step.count) }
        let rows = bars.enumerated().map { index, bar -> [Cell] in
            // The gap begins at the end of the previous step.
            let gap = Milliseconds(max(0, places.gap(before: index).count - step.count))
            return [
                Cell(.time(bar.time)), look.cell(bar.open), look.cell(bar.high), look.cell(bar.low),
                look.cell(bar.close, .strong), Cell(.count(bar.samples)), gaps.cell(gap),
                look.currencyCell,
            ]
        }
        let columns = [
            Column("time", "TIME"), Column("open", "OPEN", isNumeric: true, rank: 3),
            Column("high", "HIGH", isNumeric: true, rank: 2), Column("low", "LOW", isNumeric: true, rank: 2),
            Column("close", "CLOSE", isNumeric: true), Column("samples", "PRICES", isNumeric: true, rank: 4),
            GapCounter.column, HistoryLook.column,
        ]
        let table = Table(key: "bars", columns: columns, rows: rows, whenEmpty: "")
        let prices = bars.reduce(0) { $0.saturatingAdding($1.samples) }
        let first = bars.first.flatMap { WallTime(rfc3339: $0.time) }
        let count =
            "\(counted(bars.count, "step")) of \(step) with \(counted(prices, "price"))\(gaps.text)"
            + edgeText(first, end, query, tolerance: step, look.formatter) + "; --step none shows every price"
        return historyReport(query, simulated: simulated, table: table, count: count, candles, look)
    }
}

/// The times of rows. Whether two rows have a gap between them depends on the distances of the rows around them.
private struct SeriesTimes {
    private let times: [Int64]
    private let tolerance: Milliseconds
    var last: WallTime? { times.last.map { WallTime(milliseconds: $0) } }

    /// Parses the times. If a time cannot be parsed, the time of the previous row is used.
    init(_ texts: [String], tolerance: Milliseconds) {
        self.tolerance = tolerance
        var times: [Int64] = []
        for text in texts { times.append(WallTime(rfc3339: text)?.milliseconds ?? times.last ?? 0) }
        self.times = times
    }

    /// Returns the distance from the row before if it is a gap, else zero.
    func gap(before index: Int) -> Milliseconds {
        let isGap = LocalSteps.hasGap(before: index, of: times.count, tolerance: tolerance) { times[$0] }
        return isGap ? Milliseconds(times[index] - times[index - 1]) : .zero
    }
}

/// The number and the sum of the gaps between the rows that are shown.
private struct GapCounter {
    static let column = Column("gap_ms", "GAP", isNumeric: true, rank: 1)

    private var count = 0
    private var total: Int64 = 0

    /// Counts the gap before a row, and returns its cell.
    mutating func cell(_ gap: Milliseconds) -> Cell {
        guard gap > .zero else { return Cell(.missing) }
        count += 1
        total = total.saturatingAdding(gap.count)
        return Cell(.count(Int(clamping: gap.count)), human: gap.approximate, .alarm)
    }

    var text: String {
        count == 0 ? "" : "; \(counted(count, "gap")), \(Milliseconds(total).approximate) in total"
    }
}

/// Returns a message if prices begin later or end earlier than requested; else an empty text.
private func edgeText(
    _ first: WallTime?, _ last: WallTime?, _ query: HistoryQuery, tolerance: Milliseconds, _ formatter: HumanFormatter
) -> String {
    var text = ""
    if let since = query.since, let first, query.last == nil, first.since(since) >= tolerance {
        text += "; none before \(formatter.time(first.description))"
    }
    if let last, min(query.until, formatter.now).since(last) >= tolerance {
        text += "; none after \(formatter.time(last.description))"
    }
    return text
}

private func historyReport(
    _ query: HistoryQuery, simulated: Bool, table: Table, count: String, _ candles: GapCandles, _ look: HistoryLook
) -> Report {
    let metadata = [
        Field("symbol", .text(query.symbol)), Field("since", .time(query.since?.description)),
        Field("until", .time(query.until.description)), Field("step_ms", .count(query.step.map { Int($0.count) })),
    ]
    let until = look.formatter.stamp(query.until.description)
    let range = query.since.map { "\(look.formatter.stamp($0.description)) to \(until)" } ?? "until \(until)"
    let text =
        table.rows.isEmpty
        ? "no prices in this range; 'alertctl history \(query.symbol) --last 1' shows the newest price" : count
    return Report(
        simulated: simulated,
        parts: [
            .metadata(metadata + look.display.metadata),
            .text("\(query.symbol) \(range) \(query.zone.name)", .muted),
        ] + look.display.banner + [.table(table), .text(text, .none)]
            + (candles.text.map { [.table(candles.table(look)), .text($0, .none)] } ?? []) + candles.warning)
}
