internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import History
internal import Market
internal import Notifications
internal import Rules
internal import Storage
internal import Time
internal import Varlink

/// A read-only view of the pipeline for calls: the state of one source, and the state that all sources share.
@LoopActor
struct PipelineQuery {
    private let pipeline: Pipeline
    /// The selected source; nil for the first source of the settings, whichever that is.
    private let chosen: Lane?

    init(_ pipeline: Pipeline, of lane: Lane? = nil) {
        self.pipeline = pipeline
        chosen = lane
    }

    /// Returns a query of another source.
    func of(_ lane: Lane) -> PipelineQuery { PipelineQuery(pipeline, of: lane) }

    /// All sources, in the order of the settings.
    var lanes: [Lane] { pipeline.lanes }
    /// The source whose state is read.
    var lane: Lane { chosen ?? pipeline.first }
    var source: SourceName { lane.name }

    /// The identity of the state file's events for receivers.
    var instance: String { pipeline.events.instance }
    /// True if prices are simulated.
    var isSimulated: Bool { pipeline.events.isSimulated }
    var clock: any TimeSource { pipeline.clock }
    var engine: RuleEngine { lane.engine }
    var history: History { lane.history }
    /// Returns the earliest candles of a symbol that begin in a range of times, at most `limit`.
    ///
    /// - Throws: `StoreFailed` if they cannot be read now.
    func candles(of symbol: Symbol, in times: Range<WallTime>, limit: Int) throws(VarlinkError) -> [Candle] {
        let store = pipeline.stateStore.store
        guard store.isOpen else {
            throw .storeFailed("candles cannot be read: the state file is not open; 'alertctl status' shows why")
        }
        do {
            return try store.candles(of: symbol, from: source, in: times, limit: limit)
        } catch {
            throw .storeFailed("candles cannot be read: \(error)")
        }
    }
    /// The last usable response; nil before the first one.
    var batch: TickerBatch? { lane.batch }
    /// Returns the data of a price service about a coin in the last response.
    func coin(_ symbol: Symbol) -> Coin? { lane.coins.byMarket[symbol] }
    /// Returns the name of an asset from the first source that knows it.
    func assetName(_ asset: Asset) -> String? {
        for lane in lanes {
            if let name = lane.coins.assetNames[asset] { return name }
        }
        return nil
    }
    /// Symbols of earlier responses that the last one lacks, with their last tickers.
    var vanished: [Symbol: (ticker: Ticker, received: Instant)] { lane.responses.vanished.all }
    /// The limits set at run time, for all sources.
    var overrides: [LimitOverride] { pipeline.overrides }
    /// The checks that compare prices of two sources.
    var checks: PriceChecks { pipeline.checks }
    var events: EventLog { pipeline.events }
    /// Returns the price of a coin in the first source that has one.
    func market(of coin: Currency) -> ExchangeRate? { pipeline.market(of: coin) }
    var silences: SilenceList { pipeline.silences }
    var sinks: [any Sink] { pipeline.sinks }
    /// The receivers, in the order of the settings.
    var receivers: [ReceiverView] { pipeline.receivers?.views ?? [] }
    var stateStore: StateStore { pipeline.stateStore }

    /// Returns the deliveries of an event to the receivers; empty if they cannot be read now.
    func deliveries(of number: Int64) -> [StoredDelivery] {
        let store = pipeline.stateStore.store
        return store.isOpen ? (try? store.deliveries(of: number)) ?? [] : []
    }
    /// True while changes reach the disk.
    var isSaving: Bool { !pipeline.stateStore.isDegraded }

    /// Returns at most `limit` events after the given number. `missed` is the number of events in between that are no
    /// longer kept.
    func events(after number: Int64, limit: Int) -> (missed: Int64, events: [Event]) {
        pipeline.events(after: number, limit: limit)
    }
}

extension PipelineQuery {
    /// Returns the active rule with a name, of any source.
    ///
    /// - Throws: `NoSuchRule`.
    func rule(_ name: String) throws(VarlinkError) -> Rule {
        let query = on(rule: name)
        return query.engine.rules[try query.number(ofRule: name)]
    }

    /// Returns the position of an active rule in the rules of this source, which are in file order.
    ///
    /// - Throws: `NoSuchRule`.
    func number(ofRule name: String) throws(VarlinkError) -> Int {
        guard let number = engine.rules.firstIndex(where: { $0.name == name }) else {
            throw .noSuchRule(name, among: lanes.flatMap { $0.engine.rules.map(\.name) })
        }
        return number
    }

    func noSuchSymbol(_ name: String) -> VarlinkError {
        guard let batch else { return .noPricesYet }
        return .noSuchSymbol(name, among: batch.tickers.map(\.symbol.description))
    }
}
