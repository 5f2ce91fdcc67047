package import Engine
package import Events
package import Market
package import Rules
package import Time

/// The rules once more, as plainly as they can be written, poll by poll. It has nothing in common with the engine but
/// the words.
package struct NaiveRules: Equatable {
    struct Feed: Equatable {
        var isStale: Bool
        var waitingSince: BootTime
    }

    package struct Poll {
        package var time: Instant
        package var tickers: [Ticker]
        package var rates: ReferenceRates?
        package var silences: [Silence] = []
        /// Rules that were acknowledged and armed just before.
        package var acknowledged: [String] = []
        package var armed: [String] = []

        package init(
            time: Instant, tickers: [Ticker], rates: ReferenceRates? = nil, silences: [Silence] = [],
            acknowledged: [String] = [], armed: [String] = []
        ) {
            self.time = time
            self.tickers = tickers
            self.rates = rates
            self.silences = silences
            self.acknowledged = acknowledged
            self.armed = armed
        }
    }

    package internal(set) var rules: [Rule]
    package var settings: EngineSettings
    var market: NaiveMarket
    /// Of each symbol, those of each rule in their order, and of a rule its bounds.
    var alerts: [Symbol: [NaiveAlert]] = [:]
    /// What was last said of the symbols that rules name.
    var states: [Symbol: EventKind] = [:]
    package internal(set) var overrides: [LimitOverride] = []
    /// When the machine last resumed from suspend, as far as the process knows.
    var resumed: BootTime?
    /// The last usable response, and since when one is waited for.
    var feed: Feed

    package init(rules: [Rule], settings: EngineSettings, start: BootTime = BootTime(milliseconds: 0)) {
        self.rules = rules
        self.settings = settings
        market = NaiveMarket(frozenAfter: settings.frozenAfter)
        feed = Feed(isStale: false, waitingSince: start)
    }

    /// The events of each poll.
    package func events(of polls: [Poll]) -> [[NaiveEvent]] {
        var copy = self
        return polls.map { copy.take($0) }
    }

    /// Takes a poll and returns its events.
    package mutating func take(_ poll: Poll) -> [NaiveEvent] {
        for rule in poll.acknowledged { acknowledge(rule: rule) }
        for rule in poll.armed { arm(rule: rule) }
        var events = recovery(at: poll.time)
        forgetGone(at: poll.time)
        market.take(poll)
        events += symbolEvents(poll)
        let present = poll.tickers.map(\.symbol)
        let order = evaluationOrder
        for ticker in poll.tickers {
            makeAlerts(of: ticker.symbol)
            var own: [Int: [NaiveEvent]] = [:]
            for rule in order { own[rule] = take(poll, rule, ticker.symbol) }
            for rule in rules.indices { events += own[rule] ?? [] }
            noteLast(ticker.symbol, poll.time)
        }
        let isPresent = Set(present)
        let others = alerts.keys.filter { !isPresent.contains($0) }.sorted()
        for rule in rules.indices where rules[rule].expires != nil {
            for symbol in others { events += take(poll, rule, symbol) }
        }
        return events
    }

    /// Each rule after the one that it names in `only_while`.
    private var evaluationOrder: [Int] {
        var order: [Int] = []
        while order.count < rules.count {
            let left = rules.indices.filter { !order.contains($0) }
            let ready = left.filter { place in
                !left.contains { rules[$0].name == rules[place].notification.onlyWhile }
            }
            order += ready.isEmpty ? left : ready
        }
        return order
    }

    /// Whether a rule may not notify, as the one that it names does not fire on the symbol of these alerts.
    func awaitsOther(_ rule: Rule, among alerts: [NaiveAlert]) -> Bool {
        guard let name = rule.notification.onlyWhile else { return false }
        return !alerts.contains { $0.rule.name == name && $0.isFiring }
    }

    private mutating func take(_ poll: Poll, _ rule: Int, _ symbol: Symbol) -> [NaiveEvent] {
        guard var taken = alerts.removeValue(forKey: symbol) else { return [] }
        var new: [NaiveEvent] = []
        let awaitsOther = awaitsOther(rules[rule], among: taken)
        for index in taken.indices where taken[index].place == rule {
            taken[index].awaitsOther = awaitsOther
            taken[index].take(poll, market, settings, resumed)
            new += taken[index].takeEvents().map { withLimitChange($0, rules[rule], taken[index]) }
        }
        alerts[symbol] = taken
        return new.filter { $0.kind == .resolved } + new.filter { $0.kind != .resolved }
    }

    /// What is the previous price in the next poll.
    private mutating func noteLast(_ symbol: Symbol, _ time: Instant) {
        let kinds = (alerts[symbol] ?? []).map(\.source) + [NaiveMarket.Price(symbol: symbol, kind: .last)]
        for key in kinds {
            guard market.rate(to: key.currency, symbol) != nil, let price = market.price(key.kind, symbol) else {
                continue
            }
            market.last[key] = NaiveMarket.Sample(time: time, price: price)
        }
    }

    mutating func makeAlerts(of symbol: Symbol) {
        guard alerts[symbol] == nil else { return }
        var new: [NaiveAlert] = []
        for (place, rule) in rules.enumerated() where rule.matches(symbol) {
            let present = overridden(rule, on: symbol)
            new += Bound.allCases.map { NaiveAlert(place, present, symbol, $0, rule.condition) }.filter(\.exists)
        }
        alerts[symbol] = new
    }

    private mutating func symbolEvents(_ poll: Poll) -> [NaiveEvent] {
        let old = states
        states = [:]
        var events: [NaiveEvent] = []
        for symbol in rules.flatMap(\.symbols).compactMap(\.exactSymbol) where states[symbol] == nil {
            let isMissing = market.ticker(symbol) == nil
            let state: EventKind =
                isMissing ? .symbolMissing : market.isFrozen(symbol) ? .symbolFrozen : .symbolReturned
            states[symbol] = state
            guard state != old[symbol] ?? .symbolReturned else { continue }
            var event = NaiveEvent(state, at: poll.time.wall)
            event.symbol = symbol
            event.received = poll.time.wall
            event.severity = state == .symbolReturned ? .info : .warning
            if let last = market.last[NaiveMarket.Price(symbol: symbol, kind: .last)] {
                event.previous = last.price.shown
                event.previousTime = last.time.wall
            }
            if let silence = poll.silences.first(where: { $0.hits(symbol, nil, .warning, poll.time) }) {
                (event.notified, event.reason, event.silence) = (false, .silenced, silence.number)
            }
            events.append(event)
        }
        return events
    }
}

extension Silence {
    func hits(_ symbol: Symbol, _ rule: String?, _ severity: Severity, _ time: Instant) -> Bool {
        isRunning(time) && (self.rule == nil || self.rule == rule) && (symbols.map { $0.matches(symbol) } ?? true)
            && (self.severity.map { $0 == severity } ?? true)
    }

    private func isRunning(_ time: Instant) -> Bool {
        switch end {
        case .after(let boot): time.boot < boot
        case .at(let wall): time.wall < wall
        }
    }
}
