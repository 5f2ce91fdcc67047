package import Events
package import ExchangeRates
package import Market
package import Rules
package import Time

/// The times and the pegs that evaluation depends on.
package struct EngineSettings: Equatable, Sendable {
    /// Two usable samples further apart than this have a gap between them.
    package var maximumGap: Milliseconds
    /// A market without trades that has not changed for so long is frozen.
    package var frozenAfter: Milliseconds
    /// A feed without a usable response for so long is stale: three intervals.
    package var staleAfter: Milliseconds
    /// What is declared to be worth as much as something else.
    package var pegs: [ExchangeRate]

    package init(
        maximumGap: Milliseconds, frozenAfter: Milliseconds, staleAfter: Milliseconds,
        pegs: [ExchangeRate] = [.tetherAsDollar].compactMap(\.self)
    ) {
        self.maximumGap = maximumGap
        self.frozenAfter = frozenAfter
        self.staleAfter = staleAfter
        self.pegs = pegs
    }
}

/// Rules and the state of their alerts: tickers and instants in, occurrences out.
///
/// It asks no clock, does no I/O and uses no chance: the same inputs give the same occurrences.
package struct RuleEngine: Sendable {
    package internal(set) var rules: [Rule]
    package internal(set) var settings: EngineSettings
    /// Events that match one of them are not notified until it ends.
    package var silences: [Silence] = []

    var overrideTable = OverrideTable()
    var index: RuleIndex
    var expiry: RuleExpiry
    var table = SymbolTable()
    /// By the numbers of ``table``.
    var symbolStates: [SymbolState] = []
    /// One a symbol that a rule names exactly, in the order of the rules.
    var watches: [SymbolWatch]
    /// The places of ``watches``.
    var watchPlaces: [Symbol: Int]
    var feed: FeedWatch
    var routes = CurrencyRoutes()
    var changes = ChangeLog()
    /// How many usable responses were evaluated.
    package private(set) var pollCount = 0
    /// When the last of them was received.
    private(set) var lastPoll: Instant?
    /// When the machine went on after it was suspended last.
    private(set) var resumed: BootTime?
    /// The symbol states of the response being evaluated, by place; kept so that a poll allocates nothing.
    private var places: [Int] = []

    /// Makes an engine that has seen nothing.
    ///
    /// - Parameters:
    ///   - rules: with unique names.
    ///   - settings: the times that evaluation depends on.
    ///   - start: from when on a response is waited for.
    package init(rules: [Rule], settings: EngineSettings, start: Instant) {
        self.rules = rules
        self.settings = settings
        index = RuleIndex(rules)
        expiry = RuleExpiry(rules)
        watches = SymbolWatch.all(for: rules)
        watchPlaces = SymbolWatch.places(of: watches)
        feed = FeedWatch(start: start)
    }

    /// Evaluates one usable response.
    ///
    /// - Parameters:
    ///   - batch: the response.
    ///   - rates: the reference rates at hand; without any, only the exchange's own prices and pegs convert.
    /// - Returns: what is to be notified, in order: the feed, then symbols in the order of the rules, then alerts in
    /// the
    ///   order of the response.
    package mutating func evaluate(_ batch: TickerBatch, rates: ReferenceRates? = nil) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        pollCount += 1
        lastPoll = batch.received
        changes.feed = true
        if let recovered = feed.recover(at: batch.received) { occurrences.append(recovered) }
        routes.update(rates, pegs: settings.pegs)
        observe(batch)
        updateWatches(at: batch.received, into: &occurrences)
        let isEnding = markExpired(at: batch.received)
        for place in batch.tickers.indices where places[place] >= 0 {
            read(batch.tickers[place], places[place], at: batch.received)
            evaluateAlerts(of: places[place], batch.tickers[place], at: batch.received, into: &occurrences)
        }
        if isEnding { occurrences += endExpired(at: batch.received) }
        return occurrences
    }

    /// When ``checkFeed(at:)`` is to be called; nil while the feed is stale already.
    package var feedDeadline: BootTime? { feed.deadline(staleAfter: settings.staleAfter) }

    /// Tells that the feed is stale when ``feedDeadline`` has passed, once an outage.
    package mutating func checkFeed(at time: Instant) -> [Occurrence] {
        guard let stale = feed.check(at: time, staleAfter: settings.staleAfter) else { return [] }
        changes.feed = true
        return [stale]
    }

    /// Takes that the machine was suspended and goes on: a gap over this time is one of its own, and the feed has as
    /// long to answer as after a start.
    package mutating func resume(at time: Instant) {
        resumed = time.boot
        feed.waitAnew(at: time.boot)
    }

    /// Notes each symbol's place, activity and quote; new symbols get their alerts.
    private mutating func observe(_ batch: TickerBatch) {
        places.removeAll(keepingCapacity: true)
        for place in batch.tickers.indices {
            guard let number = table.number(of: batch.tickers[place].symbol, at: place) else {
                places.append(-1)
                continue
            }
            if number == symbolStates.count {
                append(SymbolState(symbol: batch.tickers[place].symbol, at: batch.received))
            }
            if let quote = batch.tickers[place].quote, quote != symbolStates[number].quote {
                symbolStates[number].setQuote(quote)
            }
            symbolStates[number].lastPoll = pollCount
            symbolStates[number].lastPrice = batch.tickers[place].price(.last)
            symbolStates[number].activity.update(
                batch.tickers[place], at: batch.received, frozenAfter: settings.frozenAfter)
            noteChange(ofSymbol: number)
            places.append(number)
        }
    }

    /// Gives the inputs of a symbol their prices.
    private mutating func read(_ ticker: Ticker, _ number: Int, at time: Instant) {
        let isFrozen = symbolStates[number].activity.frozenSince != nil
        guard !symbolStates[number].alerts.isEmpty else {
            guard !isFrozen, let price = symbolStates[number].lastPrice else { return }
            symbolStates[number].inputs[0].previous = PriceSample(price: price, time: time)
            return
        }
        for index in symbolStates[number].inputs.indices {
            findRoute(ofInput: index, ofSymbol: number)
            let price = isFrozen ? nil : ticker.price(symbolStates[number].inputs[index].kind)
            symbolStates[number].inputs[index].take(price, at: time, maximumGap: settings.maximumGap)
        }
    }
}
