package import Market

/// The times that evaluation depends on.
package struct EngineSettings: Equatable, Sendable {
    /// Two usable samples further apart than this have a gap between them.
    package var maximumGap: Milliseconds
    /// A market without trades that has not changed for so long is frozen.
    package var frozenAfter: Milliseconds
    /// A feed without a usable response for so long is stale: three intervals.
    package var staleAfter: Milliseconds

    package init(maximumGap: Milliseconds, frozenAfter: Milliseconds, staleAfter: Milliseconds) {
        self.maximumGap = maximumGap
        self.frozenAfter = frozenAfter
        self.staleAfter = staleAfter
    }
}

/// Rules and the state of their alerts: tickers and instants in, occurrences out.
///
/// It asks no clock, does no I/O and uses no chance: the same inputs give the same occurrences.
package struct RuleEngine: Sendable {
    package internal(set) var rules: [Rule]
    package internal(set) var settings: EngineSettings

    var index: RuleIndex
    var table = SymbolTable()
    /// By the numbers of ``table``.
    var tracks: [MarketTrack] = []
    /// One a symbol that a rule names exactly, in the order of the rules.
    var watches: [SymbolWatch]
    /// The places of ``watches``.
    var watchPlaces: [Symbol: Int]
    var feed: FeedWatch
    var changes = ChangeLog()
    /// How many usable responses were evaluated.
    package private(set) var pollCount = 0
    /// The tracks of the response being evaluated, by place; kept so that a poll allocates nothing.
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
        watches = SymbolWatch.all(for: rules)
        watchPlaces = SymbolWatch.places(of: watches)
        feed = FeedWatch(start: start)
    }

    /// Evaluates one usable response.
    ///
    /// - Returns: what is to be told, in order: the feed, then symbols in the order of the rules, then alerts in the
    ///   order of the response.
    package mutating func evaluate(_ batch: TickerBatch) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        pollCount += 1
        changes.feed = true
        if let recovered = feed.recover(at: batch.received) { occurrences.append(recovered) }
        observe(batch)
        updateWatches(at: batch.received, into: &occurrences)
        for place in batch.tickers.indices where places[place] >= 0 {
            evaluateAlerts(of: places[place], batch.tickers[place], at: batch.received, into: &occurrences)
        }
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

    /// Notes each symbol's place, activity and quote; new symbols get their alerts.
    private mutating func observe(_ batch: TickerBatch) {
        places.removeAll(keepingCapacity: true)
        for place in batch.tickers.indices {
            guard let number = table.number(of: batch.tickers[place].symbol, at: place) else {
                places.append(-1)
                continue
            }
            if number == tracks.count {
                append(MarketTrack(symbol: batch.tickers[place].symbol, at: batch.received))
            }
            if let quote = batch.tickers[place].quote, quote != tracks[number].quote { setQuote(quote, of: number) }
            tracks[number].lastPoll = pollCount
            tracks[number].hasPrice = batch.tickers[place].last?.isPositive ?? false
            tracks[number].activity.update(
                batch.tickers[place], at: batch.received, frozenAfter: settings.frozenAfter)
            noteChange(ofTrack: number)
            places.append(number)
        }
    }

    /// Takes up a track that is given the table's next number.
    mutating func append(_ track: MarketTrack) {
        var track = track
        track.alerts = makeAlerts(for: track)
        track.watch = watchPlaces[track.symbol]
        if let watch = track.watch { watches[watch].track = tracks.count }
        tracks.append(track)
    }

    /// The first element of a symbol may have lacked the quote asset; what an alert is worth depends on it.
    private mutating func setQuote(_ quote: Asset, of number: Int) {
        tracks[number].quote = quote
        for index in tracks[number].alerts.indices {
            let currency = rules[tracks[number].alerts[index].rule].currency
            tracks[number].alerts[index].isConvertible = currency == nil || currency == quote.currency
        }
    }

    /// The alerts of all rules for a symbol, in file order.
    func makeAlerts(for track: MarketTrack) -> [Alert] {
        index.rules(for: track.symbol, in: rules).flatMap { number in
            let rule = rules[number]
            let isConvertible = rule.currency == nil || rule.currency == track.quote?.currency
            return rule.condition.limits.map { bound, limit in
                Alert(rule: number, bound: bound, limit: limit, isConvertible: isConvertible)
            }
        }
    }

    private mutating func evaluateAlerts(
        of number: Int, _ ticker: Ticker, at time: Instant, into occurrences: inout [Occurrence]
    ) {
        guard let price = ticker.last, price.isPositive, tracks[number].activity.frozenSince == nil else { return }
        let previous = tracks[number].previous
        tracks[number].previous = (price, time)
        guard !tracks[number].alerts.isEmpty else { return }
        let isAfterGap = previous.map { time.boot.since($0.time.boot) > settings.maximumGap } ?? false
        var fired: [Occurrence] = []
        var group = -1
        for index in tracks[number].alerts.indices {
            if tracks[number].alerts[index].rule != group {
                if !fired.isEmpty { occurrences.append(contentsOf: fired) }
                fired = []
                group = tracks[number].alerts[index].rule
            }
            guard let transition = step(alert: index, of: number, price, at: time, isAfterGap: isAfterGap) else {
                continue
            }
            let alert = tracks[number].alerts[index]
            let sample = UsableSample(ticker: ticker, price: price, time: time, previous: previous)
            let occurrence = Occurrence(transition, of: alert, rules[alert.rule], sample)
            // Of one rule and symbol, what is over is told before what begins.
            if case .resolved = transition { occurrences.append(occurrence) } else { fired.append(occurrence) }
        }
        if !fired.isEmpty { occurrences.append(contentsOf: fired) }
    }

    private mutating func step(
        alert index: Int, of number: Int, _ price: Price, at time: Instant, isAfterGap: Bool
    ) -> AlertMachine.Transition? {
        let limit = tracks[number].alerts[index].limit
        let bound = tracks[number].alerts[index].bound
        guard tracks[number].alerts[index].isConvertible else { return nil }
        let before = tracks[number].alerts[index].machine
        let transition = tracks[number].alerts[index].machine.step(
            price, at: time, isAfterGap: isAfterGap, limit: limit, bound: bound)
        if tracks[number].alerts[index].machine != before { noteChange(ofAlert: index, of: number) }
        return transition
    }
}

extension Condition {
    /// The limits in the order in which bounds are evaluated.
    var limits: [(bound: Bound, limit: Limit)] {
        switch self {
        case .band(let band):
            [band.min.map { (Bound.min, $0) }, band.max.map { (Bound.max, $0) }].compactMap(\.self)
        }
    }
}

/// Finds the rules for a symbol without asking every rule.
struct RuleIndex: Sendable {
    private var exact: [Symbol: [Int]] = [:]
    /// Rules with a pattern; each has to be asked.
    private var patterned: [Int] = []

    init(_ rules: [Rule]) {
        for (number, rule) in rules.enumerated() {
            let symbols = rule.symbols.map(\.exactSymbol)
            if symbols.contains(nil) {
                patterned.append(number)
                continue
            }
            for symbol in Set(symbols.compactMap(\.self)) {
                exact[symbol, default: []].append(number)
            }
        }
    }

    /// The numbers of the rules for a symbol, in file order.
    func rules(for symbol: Symbol, in rules: [Rule]) -> [Int] {
        ((exact[symbol] ?? []) + patterned.filter { rules[$0].matches(symbol) }).sorted()
    }
}
