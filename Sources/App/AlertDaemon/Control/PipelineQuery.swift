internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import History
internal import Market
internal import Notifications
internal import PriceSources
internal import Rules
internal import Storage
internal import Time
internal import Varlink

/// Everything that calls may read of the pipeline, without the means to change it.
@LoopActor
struct PipelineQuery {
    private let pipeline: Pipeline
    /// Where the prices come from.
    let source: PriceSource

    init(_ pipeline: Pipeline, source: PriceSource) {
        self.pipeline = pipeline
        self.source = source
    }

    /// Whether the prices are made up.
    var isSimulated: Bool { source.profile.isSimulated }
    var clock: any TimeSource { pipeline.clock }
    var engine: RuleEngine { pipeline.engine }
    var history: History { pipeline.history }
    /// The last usable response; nil before the first one.
    var batch: TickerBatch? { pipeline.batch }
    /// Symbols of earlier responses that the last one lacks, as they were last seen.
    var vanished: [Symbol: (ticker: Ticker, received: Instant)] { pipeline.vanished.all }
    var events: EventLog { pipeline.events }
    var silences: SilenceList { pipeline.silences }
    var sinks: [any Sink] { pipeline.sinks }
    /// In the order of the settings.
    var receivers: [ReceiverView] { pipeline.receivers?.views ?? [] }
    var stateStore: StateStore { pipeline.stateStore }

    /// What happened to an event at each receiver; empty if that cannot be read now.
    func deliveries(of number: Int64) -> [StoredDelivery] {
        let store = pipeline.stateStore.store
        return store.isOpen ? (try? store.deliveries(of: number)) ?? [] : []
    }
    /// Whether changes reach the disk.
    var isSaving: Bool { !pipeline.stateStore.isDegraded }

    /// At most `limit` events after the given number, and how many between it and them are no longer kept.
    func events(after number: Int64, limit: Int) -> (missed: Int64, events: [Event]) {
        pipeline.events(after: number, limit: limit)
    }
}

extension PipelineQuery {
    /// The symbol of that name, if it was seen or a rule watches it.
    ///
    /// - Throws: `NoSuchSymbol`.
    func known(_ name: String) throws(VarlinkError) -> Symbol {
        guard let symbol = Symbol(name), self.symbol(symbol) != nil || engine.walk(over: symbol) != nil else {
            throw noSuchSymbol(name)
        }
        return symbol
    }

    /// The symbol of that name, if there is anything about it: prices, a rule, or a ticker.
    ///
    /// - Throws: `NoSuchSymbol`.
    func recorded(_ name: String) throws(VarlinkError) -> Symbol {
        if let symbol = Symbol(name), history.sample(of: symbol, at: clock.now().wall) != nil { return symbol }
        return try known(name)
    }

    /// The active rule of that name.
    ///
    /// - Throws: `NoSuchRule`.
    func rule(_ name: String) throws(VarlinkError) -> Rule {
        engine.rules[try number(ofRule: name)]
    }

    /// The place in file order of the active rule of that name.
    ///
    /// - Throws: `NoSuchRule`.
    func number(ofRule name: String) throws(VarlinkError) -> Int {
        guard let number = engine.rules.firstIndex(where: { $0.name == name }) else {
            throw .noSuchRule(name, among: engine.rules.map(\.name))
        }
        return number
    }

    func noSuchSymbol(_ name: String) -> VarlinkError {
        .noSuchSymbol(name, among: batch?.tickers.map(\.symbol.description) ?? [])
    }
}
