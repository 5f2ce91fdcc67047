package import Engine
package import Events
internal import ExchangeRates
package import Market
package import Rules
package import Time

/// The rules once more, as plainly as they can be written: the events of a poll are worked out from the list of all
/// polls until then. Slow on purpose, and with nothing in common with the engine but the words.
package struct NaiveRules {
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

    package var rules: [Rule]
    package var settings: EngineSettings

    package init(rules: [Rule], settings: EngineSettings) {
        self.rules = rules
        self.settings = settings
    }

    /// The events of each poll, one line per event.
    package func events(of polls: [Poll]) -> [[String]] {
        let symbols = Set(polls.flatMap(\.tickers).map(\.symbol)).sorted()
        var stories: [String: [[String]]] = [:]
        for (number, rule) in rules.enumerated() {
            for symbol in symbols where rule.matches(symbol) {
                stories["\(number) \(symbol)"] = story(of: rule, symbol, polls)
            }
        }
        return polls.indices.map { end in
            let present = polls[end].tickers.map(\.symbol)
            let listed = present.flatMap { symbol in rules.indices.map { (rule: $0, symbol: symbol) } }
            let others = rules.indices.flatMap { rule in symbols.map { (rule: rule, symbol: $0) } }
                .filter { !present.contains($0.symbol) }
            let alerts = (listed + others).flatMap { stories["\($0.rule) \($0.symbol)"]?[end] ?? [] }
            return symbolEvents(polls[...end]) + alerts
        }
    }

    /// The events of each poll for a rule on a symbol, resolves first.
    private func story(of rule: Rule, _ symbol: Symbol, _ polls: [Poll]) -> [[String]] {
        var alerts = Bound.allCases.map { NaiveAlert(naive: self, rule: rule, symbol: symbol, bound: $0) }
            .filter(\.exists)
        return polls.indices.map { end in
            for index in alerts.indices { alerts[index].take(polls[...end]) }
            let lines = alerts.flatMap(\.lines)
            return lines.filter { $0.hasPrefix("resolved") } + lines.filter { !$0.hasPrefix("resolved") }
        }
    }

    private func symbolEvents(_ polls: ArraySlice<Poll>) -> [String] {
        var seen: Set<Symbol> = []
        let names = rules.flatMap(\.symbols).compactMap(\.exactSymbol).filter { seen.insert($0).inserted }
        return names.compactMap { symbol in
            let before = polls.count > 1 ? state(of: symbol, polls.dropLast()) : "returned"
            let state = state(of: symbol, polls)
            guard state != before, let now = polls.last else { return nil }
            let severity: Severity = state == "returned" ? .info : .warning
            let silence = now.silences.first { $0.rule == nil && $0.hits(symbol, severity, now.time) }
            return "symbol_\(state) \(symbol)" + (silence.map { " suppressed silenced \($0.number)" } ?? "")
        }
    }

    private func state(of symbol: Symbol, _ polls: ArraySlice<Poll>) -> String {
        guard ticker(symbol, polls.last) != nil else { return "missing" }
        return isFrozen(symbol, polls) ? "frozen" : "returned"
    }

    package func ticker(_ symbol: Symbol, _ poll: Poll?) -> Ticker? {
        poll?.tickers.first { $0.symbol == symbol }
    }

    /// Whether the market is frozen in the last of the polls.
    package func isFrozen(_ symbol: Symbol, _ polls: ArraySlice<Poll>) -> Bool {
        guard let now = polls.last, let ticker = ticker(symbol, now), ticker.volume == .zero else { return false }
        if ticker.bid == .zero, ticker.ask == .zero { return true }
        var first = now.time
        for poll in polls.reversed() {
            guard let other = self.ticker(symbol, poll) else { continue }
            guard other.last == ticker.last, other.bid == ticker.bid, other.ask == ticker.ask,
                other.volume == ticker.volume
            else { break }
            first = poll.time
        }
        return now.time.boot.since(first.boot) >= settings.frozenAfter
    }

    /// The price of the market that the rule names; nil when it is not usable.
    func price(_ rule: Rule, _ symbol: Symbol, _ polls: ArraySlice<Poll>) -> Fraction? {
        guard let ticker = ticker(symbol, polls.last), !isFrozen(symbol, polls) else { return nil }
        let price: Fraction? =
            switch rule.price {
            case .last: ticker.last.map(Fraction.init)
            case .bid: ticker.bid.map(Fraction.init)
            case .ask: ticker.ask.map(Fraction.init)
            case .mid: middle(ticker)
            }
        return price.flatMap { $0 > Fraction(0) ? $0 : nil }
    }

    private func middle(_ ticker: Ticker) -> Fraction? {
        guard let bid = ticker.bid, let ask = ticker.ask, bid.isPositive, ask.isPositive else { return nil }
        return (Fraction(bid) + Fraction(ask)) / Fraction(2)
    }

    /// How much of the rule's currency one unit of the market's is; nil when there is no way.
    func rate(_ rule: Rule, _ symbol: Symbol, _ polls: ArraySlice<Poll>) -> Fraction? {
        guard let quote = polls.reversed().compactMap({ ticker(symbol, $0)?.quote }).first else { return nil }
        guard let target = rule.currency, target != quote.currency else { return Fraction(1) }
        if let direct = fiatRate(quote.currency, target, polls.last) { return direct }
        let isFiat = ["INR", "EUR", "USDT"].contains(quote.currency.description)
        guard !isFiat, polls.last?.rates?.table[quote.currency] == nil else { return nil }
        for (name, currency) in [("inr", "INR"), ("usdt", "USDT")] {
            guard let market = Symbol("\(quote)\(name)"), !isFrozen(market, polls),
                let last = ticker(market, polls.last)?.last, last.isPositive
            else { continue }
            return Currency(currency).flatMap { fiatRate($0, target, polls.last) }.map { $0 * Fraction(last) }
        }
        return nil
    }

    private func fiatRate(_ from: Currency, _ to: Currency, _ poll: Poll?) -> Fraction? {
        let pegged = { (currency: Currency) in currency.description == "USDT" ? "USD" : currency.description }
        if pegged(from) == pegged(to) { return Fraction(1) }
        guard let rates = poll?.rates, !rates.isStale else { return nil }
        let perEuro = { (name: String) -> Fraction? in
            name == "EUR" ? Fraction(1) : Currency(name).flatMap { rates.table[$0] }.map(Fraction.init)
        }
        guard let source = perEuro(pegged(from)), let target = perEuro(pegged(to)) else { return nil }
        return target / source
    }
}

extension Silence {
    func hits(_ symbol: Symbol, _ severity: Severity, _ time: Instant) -> Bool {
        isRunning(time) && (symbols.map { $0.matches(symbol) } ?? true)
            && (self.severity.map { $0 == severity } ?? true)
    }

    private func isRunning(_ time: Instant) -> Bool {
        switch end {
        case .after(let boot): time.boot < boot
        case .at(let wall): time.wall < wall
        }
    }
}
