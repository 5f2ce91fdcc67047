internal import Market

/// What the engine remembers of one symbol.
struct MarketTrack: Sendable {
    let symbol: Symbol
    var quote: Asset?
    /// In the order of the rules, and of a rule the order of its bounds.
    var alerts: [Alert] = []
    /// The last usable sample.
    var previous: (price: Price, time: Instant)?
    var activity: MarketActivity
    /// Which response it was in last.
    var lastPoll: Int
    /// Whether its sample of that response had a price greater than 0.
    var hasPrice = false

    init(symbol: Symbol, poll: Int, ticker: Ticker, time: Instant) {
        self.symbol = symbol
        quote = ticker.quote
        lastPoll = poll
        activity = MarketActivity(ticker, at: time)
    }
}

/// One rule on one symbol and bound.
struct Alert: Sendable {
    /// The rule's place in the set.
    var rule: Int
    let bound: Bound
    let limit: Limit
    var machine = AlertMachine.waiting
    /// Whether the rule's currency is the market's own.
    var isConvertible: Bool
}

/// Tells a frozen market from a quiet one.
struct MarketActivity: Sendable {
    private var last: Price?
    private var bid: Price?
    private var ask: Price?
    private var volume: Price?
    /// When the four numbers were first seen as they are now.
    private var unchangedSince: BootTime
    /// When the market was first seen frozen; nil while it is not.
    private(set) var frozenSince: Instant?

    init(_ ticker: Ticker, at time: Instant) {
        (last, bid, ask, volume) = (ticker.last, ticker.bid, ticker.ask, ticker.volume)
        unchangedSince = time.boot
    }

    /// Takes a ticker and decides whether the market is frozen.
    mutating func update(_ ticker: Ticker, at time: Instant, frozenAfter: Milliseconds) {
        if ticker.last != last || ticker.bid != bid || ticker.ask != ask || ticker.volume != volume {
            (last, bid, ask, volume) = (ticker.last, ticker.bid, ticker.ask, ticker.volume)
            unchangedSince = time.boot
        }
        let isFrozen = hasNoTrade && (hasNoBook || time.boot.since(unchangedSince) >= frozenAfter)
        frozenSince = isFrozen ? frozenSince ?? time : nil
    }

    private var hasNoTrade: Bool { volume?.isZero ?? false }
    private var hasNoBook: Bool { (bid?.isZero ?? false) && (ask?.isZero ?? false) }
}
