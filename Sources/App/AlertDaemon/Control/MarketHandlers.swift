internal import Control
internal import Engine
internal import EventLoop
internal import Market
internal import Time
internal import Varlink

/// The calls `ListTickers` and `GetSymbol`: the market as it was last seen.
@LoopActor
struct MarketHandlers: CallGroup {
    private let query: PipelineQuery

    init(_ query: PipelineQuery) {
        self.query = query
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.listTickers, .query { call throws(VarlinkError) in try await self.listTickers(call) }),
            (.getSymbol, .query { call throws(VarlinkError) in try await self.getSymbol(call) }),
        ]
    }

    private func listTickers(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ListTickersParameters.self)
        let (match, source) = try query.pattern(parameters.match, named: "match", source: parameters.source)
        let quote = try optional(parameters.quote, named: "quote") { Asset($0) }
        let sources = try query.sources(source?.description)
        let past = try optional(parameters.changeFrom, named: "change_from") { WallTime(rfc3339: $0) }
        var slices = WorkSlices(for: call)
        let page = try await sources.page(from: try pageStart(parameters.next)) {
            source, start throws(VarlinkError) in
            let page = try await source.symbols(
                &slices, match: match, quote: quote, from: start, limit: PageLimits.symbols)
            return (try await source.withChanges(page.symbols, from: past, &slices), page.next)
        }
        let received = sources.compactMap(\.batch?.received).max { $0.boot < $1.boot }
        let stale = sources.filter(\.engine.isFeedStale).map { "\($0.source)" }
        call.reply(
            ListTickersReply(
                simulated: query.isSimulated, source: sources.map { "\($0.source)" }.joined(separator: ", "),
                received: received?.wall.description, stale: stale.count == sources.count, staleSources: stale,
                symbols: page.elements, next: page.next))
    }

    private func getSymbol(_ call: VarlinkCall) async throws(VarlinkError) {
        let name = try call.decodeParameters(as: GetSymbolParameters.self).symbol
        let (query, symbol) = try query.known(name)
        guard let state = query.symbol(symbol) else { throw query.noSuchSymbol(name) }
        let window = query.window(of: symbol, now: query.clock.now())
        var slices = WorkSlices(for: call)
        let alerts = try await query.alerts(&slices, of: symbol)
        call.reply(
            GetSymbolReply(
                simulated: query.isSimulated, stale: query.engine.isFeedStale, symbol: state, alerts: alerts.alerts,
                alertsNext: alerts.next, window: window?.summary, prices: window?.prices ?? [],
                coin: query.coin(symbol).map(query.status)))
    }
}
