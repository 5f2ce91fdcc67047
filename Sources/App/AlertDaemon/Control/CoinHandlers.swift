internal import Control
internal import EventLoop
internal import Market
internal import Storage
internal import Time
internal import Varlink

/// The call `GetCoinHistory`, and the details of a coin for `GetSymbol`.
@LoopActor
struct CoinHandlers: CallGroup {
    private let query: PipelineQuery
    private let coins: any CoinHistorySource
    private let permission: Permission

    init(_ query: PipelineQuery, _ coins: any CoinHistorySource, _ permission: Permission) {
        self.query = query
        self.coins = coins
        self.permission = permission
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [(.getCoinHistory, .single { call throws(VarlinkError) in try await self.getCoinHistory(call) })]
    }

    private func getCoinHistory(_ call: VarlinkCall) async throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: GetCoinHistoryParameters.self)
        guard let period = PricePeriod(rawValue: parameters.period) else { throw .invalidParameter("period") }
        let (query, symbol) = try query.recorded(parameters.symbol)
        guard let identity = query.lane.coins.names.identity(of: symbol) else {
            throw .refused(
                "\(query.source) has no past prices of \(symbol): only sources of the type coinranking have "
                    + "them; 'alertctl history \(symbol)' shows the prices that the daemon received itself")
        }
        let quote = query.batch?.tickers.first { $0.symbol == symbol }?.quote
        var reply = GetCoinHistoryReply(
            simulated: query.isSimulated, source: "\(query.source)", symbol: "\(symbol)",
            quote: quote?.description, pending: false, prices: [])
        let key = CoinKey(source: query.source, identity: identity)
        switch await coins.history(of: key, over: period, for: permission.rank(of: call.peer)) {
        case .pending: reply.pending = true
        case .failed(let message): reply.message = message
        case .found(let history, let message):
            reply.fetched = history.fetched.description
            reply.message = message
            reply.changePercent = history.changePercent?.description
            reply.prices = history.points.map {
                PricePoint(time: $0.time.description, price: $0.price.description)
            }
        }
        call.reply(reply)
    }
}

extension PipelineQuery {
    func status(of coin: Coin) -> CoinStatus {
        let store = stateStore.store
        let histories = store.isOpen ? (try? store.coinHistories(of: coin.identity, in: source)) ?? [] : []
        return CoinStatus(
            identity: coin.identity, bitcoinPrice: coin.bitcoinPrice?.description, tier: coin.tier,
            lowVolume: coin.hasLowVolume, listed: coin.listed?.description, link: coin.link,
            sparkline: coin.sparkline.map { $0?.description ?? "" },
            changes: histories.compactMap { history in
                history.changePercent.map {
                    CoinChange(
                        period: history.period.rawValue, percent: $0.description,
                        fetched: history.fetched.description)
                }
            })
    }
}
