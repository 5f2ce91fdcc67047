internal import Control
internal import Engine
internal import EventLoop
internal import Market
internal import PriceSources
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
        let match = try optional(parameters.match, named: "match", SymbolPattern.init)
        let quote = try optional(parameters.quote, named: "quote") { Asset($0) }
        var slices = WorkSlices(for: call)
        let page = try await query.symbols(
            &slices, match: match, quote: quote, from: try pageStart(parameters.next), limit: PageLimits.symbols)
        call.reply(
            ListTickersReply(
                simulated: query.isSimulated, source: query.source.rawValue,
                received: query.batch?.received.wall.description, stale: query.engine.isFeedStale,
                symbols: page.symbols, next: page.next))
    }

    private func getSymbol(_ call: VarlinkCall) async throws(VarlinkError) {
        let name = try call.decodeParameters(as: GetSymbolParameters.self).symbol
        let symbol = try query.known(name)
        guard let state = query.symbol(symbol) else { throw query.noSuchSymbol(name) }
        let window = query.window(of: symbol, now: query.clock.now())
        var slices = WorkSlices(for: call)
        let alerts = try await query.alerts(&slices, of: symbol)
        call.reply(
            GetSymbolReply(
                simulated: query.isSimulated, stale: query.engine.isFeedStale, symbol: state, alerts: alerts.alerts,
                alertsNext: alerts.next, window: window?.summary, prices: window?.prices ?? []))
    }
}
