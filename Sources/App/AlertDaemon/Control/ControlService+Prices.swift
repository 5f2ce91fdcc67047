internal import Control
internal import EventLoop
internal import Feeds
internal import History
internal import Market
internal import Time
internal import Varlink

/// What the commands `history` and `export` ask for.
extension ControlService {
    func listPrices(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListPricesParameters.self)
        let symbol = try recorded(parameters.symbol)
        let since = try Self.optional(parameters.since, named: "since") { WallTime(rfc3339: $0) }
        let until = try Self.optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }
        let start = since ?? WallTime(milliseconds: 0)
        let history = daemon.pipeline.history
        var page: (prices: [PricePoint], next: WallTime?)
        if let last = parameters.last {
            guard last >= 0 else { throw .invalidParameter("last") }
            let count = min(last, ListPricesReply.limit)
            page = (history.lastPrices(of: symbol, since: start, until: until, count: count), nil)
        } else {
            page = history.prices(of: symbol, since: start, until: until, limit: ListPricesReply.limit)
        }
        call.reply(
            ListPricesReply(
                simulated: daemon.feed.isSimulated, gapMilliseconds: Int(clamping: daemon.maximumGap.count),
                prices: page.prices, next: page.next?.description))
    }

    func listBars(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListBarsParameters.self)
        let symbol = try recorded(parameters.symbol)
        guard let since = WallTime(rfc3339: parameters.since) else { throw .invalidParameter("since") }
        guard let until = WallTime(rfc3339: parameters.until) else { throw .invalidParameter("until") }
        let step = Milliseconds(Int64(parameters.stepMilliseconds))
        guard step > .zero else { throw .invalidParameter("step_ms") }
        let offset = Milliseconds(Int64(parameters.offsetMilliseconds ?? 0) % step.count)
        let page = daemon.pipeline.history.barPage(
            of: symbol, since: since, until: until, step: step, offset: offset, limit: ListBarsReply.limit)
        call.reply(
            ListBarsReply(simulated: daemon.feed.isSimulated, bars: page.bars, next: page.next?.description))
    }

    func exportPrices(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ExportPricesParameters.self)
        let patterns = try parameters.match.map { texts throws(VarlinkError) in
            try texts.map { text throws(VarlinkError) in
                guard let pattern = SymbolPattern(text) else { throw VarlinkError.invalidParameter("match") }
                return pattern
            }
        }
        let since = try Self.optional(parameters.since, named: "since") { WallTime(rfc3339: $0) }
        let until = try Self.optional(parameters.until, named: "until") { WallTime(rfc3339: $0) }
        let next = try Self.optional(parameters.next, named: "next") { WallTime(rfc3339: $0) }
        let page = daemon.pipeline.history.rows(
            since: next ?? since ?? WallTime(milliseconds: 0), until: until, limit: ExportPricesReply.limit
        ) { symbol in patterns?.contains { $0.matches(symbol) } ?? true }
        call.reply(
            ExportPricesReply(
                simulated: daemon.feed.isSimulated, source: daemon.feed.name, rows: page.rows,
                next: page.next?.description))
    }

    /// The symbol of that name, if there is anything of it: prices, a rule, or its place in the last response.
    private func recorded(_ name: String) throws(VarlinkError) -> Symbol {
        if let symbol = Symbol(name), daemon.pipeline.history.sample(of: symbol, at: daemon.clock.now().wall) != nil {
            return symbol
        }
        return try known(name)
    }
}
