package import Engine
package import Events
package import Market
package import Rules
package import Time

/// A backtest: it runs rules over recorded prices with the daemon's own engine, and totals each of their alerts.
///
/// A recording has no responses without a symbol and no outages of the feed, so events about missing symbols and a
/// stale feed are left out.
package struct Backtest: Sendable {
    package let rules: [Rule]
    /// An alert that fires again within this time after it resolved has flapped.
    private let flapLength: Milliseconds
    private let settings: EngineSettings
    private var engine: RecordedEngine
    /// An engine with the same conditions, but without hysteresis, `for` and notification policy. Its alerts fire
    /// while a limit is breached.
    private var bare: RecordedEngine
    private var markets: [RecordedMarket] = []
    private var marketPlaces: [Symbol: Int] = [:]
    /// Indices of the previous prices' markets, which are usually the same for the next prices.
    private var current: [Int] = []
    private var tallies: [AlertTally] = []
    private var places: [AlertPlace: Int] = [:]

    /// - Parameters:
    ///   - rules: rules with unique names.
    ///   - settings: the settings that evaluation depends on.
    ///   - flapLength: see ``AlertTally/flaps``.
    package init(rules: [Rule], settings: EngineSettings, flapLength: Milliseconds) {
        self.rules = rules
        self.flapLength = flapLength
        self.settings = settings
        engine = RecordedEngine(rules: rules, settings: settings)
        bare = RecordedEngine(rules: rules.map(\.bare), settings: settings)
    }

    /// Evaluates the prices of one instant, which must not be earlier than the previous one.
    ///
    /// - Parameters:
    ///   - prices: at most one per symbol.
    ///   - time: when the prices were received.
    ///   - rates: the reference rates at that time.
    /// - Returns: the events of the rules.
    package mutating func evaluate(
        _ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates? = nil
    ) -> [Occurrence] {
        addTime(of: prices, until: time)
        for occurrence in bare.evaluate(prices, at: time, rates: rates) { recordBreach(occurrence) }
        let occurrences = engine.evaluate(prices, at: time, rates: rates)
        for occurrence in occurrences { tally(occurrence, time) }
        return occurrences
    }

    /// Returns the totals of each alert, in the order of the rules, then of symbols and bounds.
    package func results() -> [AlertTally] {
        let order = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var all = tallies
        for market in markets {
            for place in market.breached { all[place].breachLength += market.breachLength }
        }
        for view in engine.finished.alerts() where places[AlertPlace(view)] == nil && marketPlaces[view.symbol] != nil {
            all.append(AlertTally(place: AlertPlace(view)))
        }
        for place in all.indices {
            if let market = marketPlaces[all[place].place.symbol] { all[place].close(at: markets[market].last) }
        }
        return all.sorted { left, right in
            let (one, other) = (left.place, right.place)
            return (order[one.rule] ?? 0, one.symbol.description, one.bound.order)
                < (order[other.rule] ?? 0, other.symbol.description, other.bound.order)
        }
    }

    /// Returns the names of rules with an alert whose last price could not be converted into the rule's currency.
    package func unconverted() -> Set<String> {
        Set(engine.finished.alerts().filter { [.unconvertible, .staleRate].contains($0.condition) }.map(\.rule.name))
    }

    /// Returns the names of rules with an alert whose limits are relative to a price that the recording does not
    /// have.
    package func waiting() -> Set<String> {
        let waiting = engine.finished.alerts().filter { $0.rule.condition.base != nil && $0.condition == .waiting }
        return Set(waiting.map(\.rule.name))
    }

    /// Number of gaps: successive prices of a symbol that are further apart than its maximum gap.
    package var gapCount: Int { markets.reduce(0) { $0 + $1.gapCount } }
}

// MARK: Tallies

extension Backtest {
    /// Adds the time since each symbol's previous price.
    private mutating func addTime(of prices: [RecordedPrice], until time: WallTime) {
        let isSame =
            prices.count == current.count && zip(prices, current).allSatisfy { $0.symbol == markets[$1].symbol }
        if !isSame { current = prices.map { index(of: $0.symbol, time) } }
        for place in current { markets[place].addTime(until: time) }
    }

    private mutating func index(of symbol: Symbol, _ time: WallTime) -> Int {
        if let index = marketPlaces[symbol] { return index }
        marketPlaces[symbol] = markets.count
        markets.append(RecordedMarket(symbol: symbol, maximumGap: settings.maximumGap(of: symbol), last: time))
        return markets.count - 1
    }

    private mutating func recordBreach(_ occurrence: Occurrence) {
        guard let place = AlertPlace(occurrence), !place.bound.isMomentary, let market = marketPlaces[place.symbol]
        else { return }
        let number = number(of: place)
        for breached in markets[market].breached { tallies[breached].breachLength += markets[market].breachLength }
        markets[market].breachLength = .zero
        switch occurrence.kind {
        case .fired: markets[market].breached.insert(number)
        case .resolved: markets[market].breached.remove(number)
        default: break
        }
    }

    private mutating func tally(_ occurrence: Occurrence, _ time: WallTime) {
        guard let place = AlertPlace(occurrence) else { return }
        let number = number(of: place)
        tallies[number].record(occurrence, flapLength: flapLength)
    }

    private mutating func number(of place: AlertPlace) -> Int {
        if let number = places[place] { return number }
        places[place] = tallies.count
        tallies.append(AlertTally(place: place))
        return tallies.count - 1
    }
}

private struct RecordedMarket {
    let symbol: Symbol
    let maximumGap: Milliseconds
    var last: WallTime
    var gapCount = 0
    /// Indices of the tallies of alerts that the last price breaches.
    var breached: Set<Int> = []
    /// Time without gaps since ``breached`` last changed.
    var breachLength = Milliseconds.zero

    /// Adds the time since the previous price.
    mutating func addTime(until time: WallTime) {
        let length = time.since(last)
        if length > maximumGap { gapCount += 1 } else { breachLength += length }
        last = time
    }
}

/// A price in a recording.
package struct RecordedPrice: Equatable, Sendable {
    package var symbol: Symbol
    package var price: Price

    package init(symbol: Symbol, price: Price) {
        self.symbol = symbol
        self.price = price
    }
}

extension Instant {
    static let beforeRecordings = Instant(recorded: WallTime(milliseconds: 0))

    /// In a recording, both clocks are the same.
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
    /// True if it is about an alert, and not about a feed or a market.
    var isOfAlert: Bool { bound != nil }
}

extension Rule {
    /// A copy with only the symbols, condition without hysteresis, currency, price and expiry.
    fileprivate var bare: Rule {
        Rule(
            name: name, symbols: symbols, condition: condition.with(hysteresis: nil) ?? condition, currency: currency,
            price: price, expires: expires)
    }
}
