package import Engine
package import Events
package import Market
package import Rules
package import Time

/// Runs rules over recorded prices with the daemon's own engine, and totals each of their alerts.
///
/// A recording has neither responses without a symbol nor outages of the feed, so events about those (missing symbols,
/// a stale feed) are left out.
package struct Backtest: Sendable {
    package let rules: [Rule]
    /// An alert that fires again this soon after it resolved flaps.
    private let flapLength: Milliseconds
    private let settings: EngineSettings
    private var engine: RuleEngine
    /// The same conditions without hysteresis, `for` and notification policy: it fires while a limit is breached.
    private var bare: RuleEngine
    private var markets: [Symbol: RecordedMarket] = [:]
    private var tallies: [AlertTally] = []
    private var places: [AlertPlace: Int] = [:]

    /// - Parameters:
    ///   - rules: with unique names.
    ///   - settings: the times that evaluation depends on.
    ///   - flapLength: see ``AlertTally/flaps``.
    package init(rules: [Rule], settings: EngineSettings, flapLength: Milliseconds) {
        self.rules = rules
        self.flapLength = flapLength
        self.settings = settings
        engine = RuleEngine(rules: rules, settings: settings, start: .beforeRecordings)
        bare = RuleEngine(rules: rules.map(\.bare), settings: settings, start: .beforeRecordings)
    }

    /// Evaluates the prices of one moment, which must not be earlier than the last one.
    ///
    /// - Parameters:
    ///   - prices: at most one per symbol.
    ///   - time: when they were received.
    ///   - rates: the reference rates of that time.
    /// - Returns: the events of the rules.
    package mutating func take(
        _ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates? = nil
    ) -> [Occurrence] {
        for price in prices { note(price.symbol, time) }
        let batch = TickerBatch(recorded: prices, at: time)
        for occurrence in bare.evaluate(batch, rates: rates) { noteBreach(occurrence) }
        let occurrences = engine.evaluate(batch, rates: rates).filter(\.isOfAlert)
        for occurrence in occurrences { tally(occurrence, time) }
        return occurrences
    }

    /// The totals of each alert, in the order of the rules, then of symbols and bounds.
    package func results() -> [AlertTally] {
        let order = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var all = tallies
        for view in engine.alerts() where places[AlertPlace(view)] == nil && markets[view.symbol] != nil {
            all.append(AlertTally(place: AlertPlace(view)))
        }
        for place in all.indices {
            if let market = markets[all[place].place.symbol] { all[place].close(at: market.last) }
        }
        return all.sorted { left, right in
            let (one, other) = (left.place, right.place)
            return (order[one.rule] ?? 0, one.symbol.description, one.bound.order)
                < (order[other.rule] ?? 0, other.symbol.description, other.bound.order)
        }
    }

    /// The names of the rules that have an alert whose last price could not be converted into the rule's currency.
    package func unconverted() -> Set<String> {
        Set(engine.alerts().filter { [.unconvertible, .staleRate].contains($0.condition) }.map(\.rule.name))
    }

    /// The names of the rules that have an alert whose limits are relative to a price that the recording does not have.
    package func waiting() -> Set<String> {
        Set(engine.alerts().filter { $0.rule.condition.base != nil && $0.condition == .waiting }.map(\.rule.name))
    }

    /// How many pairs of successive prices of a symbol are further apart than the greatest gap.
    package var gapCount: Int { markets.values.reduce(0) { $0 + $1.gapCount } }
}

// MARK: Tallies

extension Backtest {
    /// Adds the time since the symbol's last price to the alerts that were breached by it.
    private mutating func note(_ symbol: Symbol, _ time: WallTime) {
        guard var market = markets.removeValue(forKey: symbol) else {
            markets[symbol] = RecordedMarket(last: time)
            return
        }
        let length = time.since(market.last)
        if length > settings.maximumGap(of: symbol) {
            market.gapCount += 1
        } else {
            for place in market.breached { tallies[place].breachLength += length }
        }
        market.last = time
        markets[symbol] = market
    }

    private mutating func noteBreach(_ occurrence: Occurrence) {
        guard let place = AlertPlace(occurrence), !place.bound.isMomentary else { return }
        let number = number(of: place)
        switch occurrence.kind {
        case .fired: markets[place.symbol]?.breached.insert(number)
        case .resolved: markets[place.symbol]?.breached.remove(number)
        default: break
        }
    }

    private mutating func tally(_ occurrence: Occurrence, _ time: WallTime) {
        guard let place = AlertPlace(occurrence) else { return }
        let number = number(of: place)
        tallies[number].take(occurrence, flapLength: flapLength)
    }

    private mutating func number(of place: AlertPlace) -> Int {
        if let number = places[place] { return number }
        places[place] = tallies.count
        tallies.append(AlertTally(place: place))
        return tallies.count - 1
    }
}

private struct RecordedMarket {
    var last: WallTime
    var gapCount = 0
    /// The tallies of the alerts that its last price breaches.
    var breached: Set<Int> = []
}

/// A price of a recording.
package struct RecordedPrice: Equatable, Sendable {
    package var symbol: Symbol
    package var price: Price

    /// The price of a symbol at the time of a poll.
    package init(symbol: Symbol, price: Price) {
        self.symbol = symbol
        self.price = price
    }
}

extension Instant {
    static let beforeRecordings = Instant(recorded: WallTime(milliseconds: 0))

    /// In a recording both clocks are the same.
    init(recorded time: WallTime) {
        self.init(boot: BootTime(milliseconds: time.milliseconds), wall: time)
    }
}

extension TickerBatch {
    init(recorded prices: [RecordedPrice], at time: WallTime) {
        let tickers = prices.map { Ticker(symbol: $0.symbol, quote: $0.symbol.presumedQuote, last: $0.price) }
        self.init(tickers: tickers, received: Instant(recorded: time))
    }
}

extension Occurrence {
    /// Whether it is about an alert, and not about a feed or a market.
    var isOfAlert: Bool { bound != nil }
}

extension Rule {
    /// The same symbols, condition, currency, price and end, and nothing else.
    fileprivate var bare: Rule {
        Rule(
            name: name, symbols: symbols, condition: condition.with(hysteresis: nil) ?? condition, currency: currency,
            price: price, expires: expires)
    }
}
