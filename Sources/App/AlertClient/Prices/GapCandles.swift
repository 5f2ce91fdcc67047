internal import Charts
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// The candles that the daemon fetched for gaps in the prices.
struct GapCandles {
    /// The candles, one per minute with a trade.
    private(set) var candles: [PriceCandle] = []
    /// The reason that candles may be missing, and what to do about it; nil if the list is complete.
    private(set) var problem: String?
    /// The maximum number of pages. A month with a trade in every minute has 43,200 candles, on 44 pages of 1,000.
    private static let pageLimit = 50

    /// Requests the candles of a range of times. If the daemon cannot read them now, ``problem`` is set.
    ///
    /// - Parameters:
    ///   - symbol: the symbol, optionally prefixed with its source.
    ///   - since: the start of the range; nil to begin with the oldest candle.
    ///   - until: the end of the range.
    ///   - connection: the daemon.
    /// - Throws: ``ClientError``.
    init(
        _ symbol: String, since: WallTime?, until: WallTime, from connection: any ControlConnection
    ) throws(ClientError) {
        var parameters = ListCandlesParameters(
            symbol: symbol, since: since?.description, until: until.description)
        for _ in 0..<Self.pageLimit {
            let reply: ListCandlesReply
            do throws(ClientError) {
                reply = try connection.call(.listCandles, parameters, returning: ListCandlesReply.self)
            } catch .storeFailed(let failure) {
                problem = visible(failure.message)
                return
            }
            candles += reply.candles
            guard let next = reply.next, next > parameters.since ?? "" else { return }
            parameters.since = next
        }
    }

    /// Makes an empty list.
    init() {}

    /// Returns the table for `alertctl history`.
    func table(_ look: HistoryLook) -> Table {
        let columns = [
            Column("time", "CANDLE"), Column("open", "OPEN", isNumeric: true, rank: 3),
            Column("high", "HIGH", isNumeric: true, rank: 1), Column("low", "LOW", isNumeric: true, rank: 1),
            Column("close", "CLOSE", isNumeric: true),
            Column("volume", "VOLUME", isNumeric: true, rank: 4), HistoryLook.column,
        ]
        let rows = candles.map { candle in
            [
                Cell(.time(candle.time)), look.cell(candle.open), look.cell(candle.high), look.cell(candle.low),
                look.cell(candle.close), Cell(.decimal(candle.volume)), look.currencyCell,
            ]
        }
        return Table(key: "candles", columns: columns, rows: rows, whenEmpty: "")
    }

    /// The caption of the table; nil without candles.
    var text: String? {
        candles.isEmpty
            ? nil
            : "\(counted(candles.count, "minute")) from the source's candles, in gaps of the recorded prices"
    }

    /// The ``problem`` as a warning.
    var warning: [Part] { problem.map { [.text($0, .alarm)] } ?? [] }

    /// Returns the series of a chart with at most `limit` points, each of which covers one or more minutes.
    func series(_ name: String, limit: Int) -> ChartSeries? {
        let minutes = candles.compactMap { ChartBar($0) }
        guard let first = minutes.first, let last = minutes.last else { return nil }
        let length = PriceCandle.minute
        let count = (last.time - first.time) / length + 1
        let step = length * max(1, (count + Int64(limit) - 1) / Int64(max(1, limit)))
        var bars: [ChartBar] = []
        for minute in minutes {
            let start = minute.time / step * step
            if let end = bars.last, end.time == start {
                bars[bars.count - 1] = ChartBar(
                    time: start, open: end.open, high: max(end.high, minute.high), low: min(end.low, minute.low),
                    close: minute.close)
            } else {
                bars.append(
                    ChartBar(time: start, open: minute.open, high: minute.high, low: minute.low, close: minute.close))
            }
        }
        // Minutes without a trade have no candle, so a missing minute alone is not a gap.
        return ChartSeries(name: name, style: .line, bars: bars, gap: Milliseconds(max(step, 15 * length) * 3 / 2))
    }
}

extension PriceCandle {
    /// In milliseconds.
    fileprivate static let minute: Int64 = 60_000
}

extension ChartBar {
    fileprivate init?(_ candle: PriceCandle) {
        guard let time = WallTime(rfc3339: candle.time), let open = try? Price(candle.open),
            let high = try? Price(candle.high), let low = try? Price(candle.low), let close = try? Price(candle.close)
        else { return nil }
        self.init(
            time: time.milliseconds, open: open.approximate, high: high.approximate, low: low.approximate,
            close: close.approximate)
    }
}
