internal import Charts
internal import Control
internal import Market
internal import Time

/// A reader of past prices from the daemon, in pages of bounded size.
struct PriceReader {
    /// The maximum number of prices that are read one by one, so that a chart shows each of them.
    static let rawLimit: Int64 = 4_000
    /// Maximum number of pages, each of up to 1,000 prices, in case a daemon never ends its list.
    private static let pageLimit = 100

    let connection: any ControlConnection
    /// The polling interval of the source.
    let interval: Milliseconds

    func series(_ symbol: String, in span: Range<WallTime>, _ request: ChartRequest) throws(ClientError) -> ChartSeries
    {
        if let length = request.candles {
            guard span.upperBound.since(span.lowerBound).count / length.count <= LiveCharts.pointLimit else {
                throw .usage("more than \(LiveCharts.pointLimit) candles; use longer ones, or a shorter time")
            }
            return try candles(symbol, length, in: span)
        }
        var series = try line(symbol, in: span, columns: LiveCharts.pointLimit)
        if request.isArea { series.style = .area }
        return series
    }

    /// Returns all prices, or, if there are many, the lowest and the highest price in each of at most `columns` steps.
    func line(_ symbol: String, in span: Range<WallTime>, columns: Int) throws(ClientError) -> ChartSeries {
        let length = span.upperBound.since(span.lowerBound).count
        if length / interval.count <= min(Self.rawLimit, Int64(columns) * 2) { return try prices(symbol, in: span) }
        let step = Milliseconds(max(interval.times(2).count, length / Int64(max(1, columns)) + 1))
        let bars = try bars(symbol, step, offset: 0, in: span)
        return ChartSeries(name: symbol, style: .line, bars: bars, gap: Milliseconds(step.count / 2 * 3))
    }

    /// Returns candles, which begin at multiples of their length since 1970 in UTC.
    func candles(_ symbol: String, _ length: Milliseconds, in span: Range<WallTime>) throws(ClientError) -> ChartSeries
    {
        let start = span.lowerBound.milliseconds / length.count * length.count
        let aligned = WallTime(milliseconds: start)..<span.upperBound
        let bars = try bars(symbol, length, offset: 0, in: aligned).map { bar in
            var bar = bar
            // The first candle may begin before the left edge.
            bar.time = max(bar.time, span.lowerBound.milliseconds)
            return bar
        }
        return ChartSeries(
            name: symbol, style: .candles(length), bars: bars, gap: Milliseconds(length.count / 2 * 3))
    }

    private func prices(_ symbol: String, in span: Range<WallTime>) throws(ClientError) -> ChartSeries {
        var series = ChartSeries(name: symbol, style: .line, bars: [], gap: interval.times(3))
        var parameters = ListPricesParameters(
            symbol: symbol, since: span.lowerBound.description, until: span.upperBound.description)
        for _ in 0..<Self.pageLimit {
            let reply = try connection.call(.listPrices, parameters, returning: ListPricesReply.self)
            series.gap = Milliseconds(Int64(reply.gapMilliseconds))
            series.bars += reply.prices.compactMap { point in
                guard let time = WallTime(rfc3339: point.time), let price = try? Price(point.price) else { return nil }
                return ChartBar(time: time.milliseconds, price: price.approximate)
            }
            guard let next = reply.next, next > parameters.since ?? "" else { break }
            parameters.since = next
        }
        series.bars.sort { $0.time < $1.time }
        return series
    }

    private func bars(
        _ symbol: String, _ step: Milliseconds, offset: Int64, in span: Range<WallTime>
    ) throws(ClientError) -> [ChartBar] {
        var bars: [ChartBar] = []
        var parameters = ListBarsParameters(
            symbol: symbol, since: span.lowerBound.description, until: span.upperBound.description,
            stepMilliseconds: Int(clamping: step.count), offsetMilliseconds: Int(clamping: offset))
        for _ in 0..<Self.pageLimit {
            let reply = try connection.call(.listBars, parameters, returning: ListBarsReply.self)
            bars += reply.bars.compactMap { ChartBar($0) }
            guard let next = reply.next, next > parameters.since else { break }
            parameters.since = next
        }
        return bars.sorted { $0.time < $1.time }
    }
}

extension ChartBar {
    init?(_ bar: PriceBar) {
        guard let time = WallTime(rfc3339: bar.time), let open = try? Price(bar.open), let high = try? Price(bar.high),
            let low = try? Price(bar.low), let close = try? Price(bar.close)
        else { return nil }
        self.init(
            time: time.milliseconds, open: open.approximate, high: high.approximate, low: low.approximate,
            close: close.approximate)
    }
}
