internal import Control
internal import Engine
internal import EventLoop
internal import History
internal import Market
internal import Time
internal import Varlink

/// The calls `ListPrices`, `ListBars`, `ListCandles` and `ExportPrices`.
@LoopActor
struct PriceHandlers: CallGroup {
    private let query: PipelineQuery

    init(_ query: PipelineQuery) {
        self.query = query
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.listPrices, .query { call throws(VarlinkError) in try self.listPrices(call) }),
            (.listBars, .query { call throws(VarlinkError) in try self.listBars(call) }),
            (.listCandles, .query { call throws(VarlinkError) in try self.listCandles(call) }),
            (.exportPrices, .query { call throws(VarlinkError) in try self.exportPrices(call) }),
        ]
    }

    private func listPrices(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListPricesParameters.self)
        let (query, symbol) = try query.recorded(parameters.symbol)
        let since = try optional(parameters.since, named: "since") { WallTime(rfc3339: $0) }
        let until = try optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }
        let start = since ?? WallTime(milliseconds: 0)
        let history = query.history
        var page: (prices: [PricePoint], next: WallTime?)
        if let last = parameters.last {
            guard last >= 0 else { throw .invalidParameter("last") }
            let count = min(last, PageLimits.prices)
            page = (history.lastPrices(of: symbol, since: start, until: until, count: count), nil)
        } else {
            page = history.prices(of: symbol, since: start, until: until, limit: PageLimits.prices)
        }
        call.reply(
            ListPricesReply(
                simulated: query.isSimulated, gapMilliseconds: Int(clamping: query.engine.settings.maximumGap.count),
                prices: page.prices, next: page.next?.description))
    }

    private func listBars(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListBarsParameters.self)
        let (query, symbol) = try query.recorded(parameters.symbol)
        guard let since = WallTime(rfc3339: parameters.since) else { throw .invalidParameter("since") }
        guard let until = WallTime(rfc3339: parameters.until) else { throw .invalidParameter("until") }
        let step = Milliseconds(Int64(parameters.stepMilliseconds))
        guard step > .zero else { throw .invalidParameter("step_ms") }
        let offset = Milliseconds(Int64(parameters.offsetMilliseconds ?? 0) % step.count)
        let page = query.history.barPage(
            of: symbol, since: since, until: until, step: step, offset: offset, limit: PageLimits.bars)
        call.reply(
            ListBarsReply(simulated: query.isSimulated, bars: page.bars, next: page.next?.description))
    }

    private func listCandles(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListCandlesParameters.self)
        let (query, symbol) = try query.recorded(parameters.symbol)
        let since = try optional(parameters.since, named: "since") { WallTime(rfc3339: $0) }
        let until = try optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }
        let start = since ?? WallTime(milliseconds: 0)
        let end = until ?? WallTime(milliseconds: .max)
        let limit = PageLimits.bars
        // One more candle shows whether there is another page.
        let candles = start < end ? try query.candles(of: symbol, in: start..<end, limit: limit + 1) : []
        call.reply(
            ListCandlesReply(
                simulated: query.isSimulated, candles: candles.prefix(limit).map(PriceCandle.init),
                next: candles.count > limit ? candles[limit].start.description : nil))
    }

    private func exportPrices(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ExportPricesParameters.self)
        let query = try query.oneSource(parameters.source)
        let patterns = try parameters.match.map { texts throws(VarlinkError) in
            try texts.map { text throws(VarlinkError) in
                guard let pattern = SymbolPattern(text) else { throw VarlinkError.invalidParameter("match") }
                return pattern
            }
        }
        let since = try optional(parameters.since, named: "since") { WallTime(rfc3339: $0) }
        let until = try optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }
        let next = try optional(parameters.next, named: "next") { WallTime(rfc3339: $0) }
        let page = query.history.rows(
            since: next ?? since ?? WallTime(milliseconds: 0), until: until, limit: PageLimits.exportedPrices
        ) { symbol in patterns?.contains { $0.matches(symbol) } ?? true }
        call.reply(
            ExportPricesReply(
                simulated: query.isSimulated, source: "\(query.source)", rows: page.rows,
                next: page.next?.description))
    }
}

extension PriceCandle {
    fileprivate init(_ candle: Candle) {
        self.init(
            time: "\(candle.start)", open: "\(candle.open)", high: "\(candle.high)", low: "\(candle.low)",
            close: "\(candle.close)", volume: "\(candle.volume)")
    }
}
