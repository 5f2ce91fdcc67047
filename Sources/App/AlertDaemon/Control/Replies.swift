internal import Control
internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import History
internal import Market
internal import Rules
internal import Time

extension PipelineQuery {
    /// A page of the symbols that match the filters, in the order of the last response; those that it lacks come last.
    func symbols(
        match: SymbolPattern?, quote: Asset?, from start: Int = 0, limit: Int = .max
    ) -> (symbols: [SymbolStatus], next: Int?) {
        let received = batch?.received.wall.description ?? ""
        let present = (batch?.tickers ?? []).map { ($0, received) }
        let missing = vanished.values.sorted { $0.ticker.symbol < $1.ticker.symbol }
            .map { ($0.ticker, $0.received.wall.description) }
        let all = (present + missing)
            .filter { ticker, _ in (match?.matches(ticker.symbol) ?? true) && (quote == nil || ticker.quote == quote) }
        let shown = all.dropFirst(start).prefix(limit)
        // A copy of the engine takes longer than the texts of a symbol.
        let engine = engine
        return (
            shown.map { ticker, received in Self.symbolState(ticker, received: received, in: engine) },
            shown.endIndex < all.count ? shown.endIndex : nil
        )
    }

    /// The symbol as it was last seen; nil when it was never seen.
    func symbol(_ symbol: Symbol) -> SymbolStatus? {
        if let ticker = batch?.tickers.first(where: { $0.symbol == symbol }) {
            return Self.symbolState(ticker, received: batch?.received.wall.description ?? "", in: engine)
        }
        return vanished[symbol].map {
            Self.symbolState($0.ticker, received: $0.received.wall.description, in: engine)
        }
    }

    private static func symbolState(_ ticker: Ticker, received: String, in engine: RuleEngine) -> SymbolStatus {
        let limits = engine.limits(of: ticker.symbol)
        return SymbolStatus(
            symbol: ticker.symbol.description, base: ticker.base?.description, quote: ticker.quote?.description,
            last: ticker.last?.description, bid: ticker.bid?.description, ask: ticker.ask?.description,
            open: ticker.open?.description, high: ticker.high?.description, low: ticker.low?.description,
            volume: ticker.volume?.description, changePercent: ticker.changePercent?.description,
            exchangeTime: ticker.exchangeTime?.description, received: received,
            state: .init(rawValue: engine.condition(of: ticker.symbol)?.rawValue ?? "missing"),
            firing: engine.firingCount(of: ticker.symbol), min: limits.min?.price.description,
            max: limits.max?.price.description, minCurrency: limits.min?.currency?.description,
            maxCurrency: limits.max?.currency?.description)
    }

    /// A page of the alerts of one symbol or of all, in the order of the rules.
    func alerts(
        of symbol: Symbol? = nil, firingOnly: Bool = false, from start: Int = 0
    ) -> (alerts: [AlertStatus], next: Int?) {
        let page = engine.alerts(of: symbol, firingOnly: firingOnly, from: start, limit: PageLimits.alerts)
        return (page.views.map(state), page.next)
    }

    func state(of view: AlertView) -> AlertStatus {
        let key = EventLog.AlertKey(rule: view.rule.name, symbol: view.symbol, bound: view.bound)
        let silence = engine.silence(of: view.symbol, rule: view.rule.name, view.rule.severity, at: clock.now())
        return AlertStatus(
            rule: view.rule.name, symbol: view.symbol.description, bound: .init(view.bound),
            state: .init(rawValue: view.condition.rawValue), note: view.note, severity: .init(view.rule.severity),
            limit: view.limit?.description, clear: view.clear?.description, currency: view.currency?.description,
            price: view.price?.description, distancePercent: view.distancePercent?.description,
            since: view.since?.wall.description, event: events.lastNumber(of: key).map { Int(clamping: $0) },
            silence: silence.map { Int(clamping: $0) },
            silenceEnds: silence.flatMap { silences[$0]?.ends.description },
            acknowledgedBy: view.acknowledgement?.user.description,
            acknowledged: view.acknowledgement?.time.description, disarmed: view.isDisarmed,
            override: view.override.map(overrideState))
    }

    /// A page of the rules in file order; it ends early where rules have many symbols or overrides.
    func rules(from start: Int) -> (rules: [RuleStatus], next: Int?) {
        let rules = engine.rules
        let overrides = Dictionary(grouping: engine.overrides, by: \.rule).mapValues(\.count)
        var end = min(start, rules.count)
        var parts = 0
        while end < rules.count, end - start < PageLimits.rules, parts < PageLimits.ruleParts {
            parts += rules[end].symbols.count + overrides[rules[end].name, default: 0]
            end += 1
        }
        let range = min(start, rules.count)..<end
        return (self.rules(rules[range], engine.alerts(ofRules: range)), end < rules.count ? end : nil)
    }

    /// The rules in file order, or the one of that name, with what prevents them from working.
    func rules(named name: String? = nil) -> [RuleStatus] {
        rules(engine.rules.filter { name == nil || $0.name == name }[...], engine.alerts())
    }

    private func rules(_ rules: ArraySlice<Rule>, _ alerts: [AlertView]) -> [RuleStatus] {
        let views = Dictionary(grouping: alerts, by: \.rule.name)
        return rules.map { rule in
            let alerts = views[rule.name] ?? []
            let problems = Self.problems(of: alerts)
            let currencies = Set(alerts.map(\.currency))
            let quote = currencies.count == 1 ? currencies.first.flatMap(\.self) : nil
            return RuleStatus(
                name: rule.name, symbols: rule.symbols.map(\.text), condition: rule.terms,
                conditionText: rule.text(quote: quote), currency: rule.currency?.description,
                severity: .init(rule.severity),
                matches: Set(alerts.map(\.symbol)).count, firing: alerts.count { $0.condition == .firing },
                limits: Self.limits(of: alerts),
                state: engine.pollCount == 0
                    ? .waiting : alerts.isEmpty ? .matchesNothing : problems.isEmpty ? .ok : .impaired,
                problems: engine.pollCount == 0 ? [] : problems,
                overrides: alerts.compactMap(\.override).map(overrideState))
        }
    }

    /// The limits that all alerts of a rule and bound share, in the order of the bounds.
    private static func limits(of alerts: [AlertView]) -> [RuleLimit] {
        Bound.allCases.compactMap { bound in
            let limits = alerts.filter { $0.bound == bound }.map { alert in
                alert.limit.flatMap { limit in
                    alert.currency.map { RuleLimit(bound: .init(bound), limit: "\(limit)", currency: "\($0)") }
                }
            }
            guard let first = limits.first, limits.allSatisfy({ $0 == first }) else { return nil }
            return first
        }
    }

    /// The rules that do not fully work, in file order and at most `limit` of them: the same as in ``rules(named:)``,
    /// but cheap enough for every `Status`.
    func ruleProblems(limit: Int) -> [RuleProblem] {
        let engine = engine
        guard engine.pollCount > 0 else { return [] }
        var counts = [[AlertCondition: (symbols: Int, last: Symbol)]](repeating: [:], count: engine.rules.count)
        var matches = [Bool](repeating: false, count: engine.rules.count)
        engine.forEachCondition { rule, symbol, condition in
            matches[rule] = true
            guard Self.problemConditions.contains(condition) else { return }
            let known = counts[rule][condition]
            // All alerts of a symbol come in a row, so a symbol is counted once.
            guard known?.last != symbol else { return }
            counts[rule][condition] = ((known?.symbols ?? 0) + 1, symbol)
        }
        let impaired = engine.rules.indices.lazy.filter { !matches[$0] || !counts[$0].isEmpty }
        return impaired.prefix(limit).map { number in
            RuleProblem(
                rule: engine.rules[number].name, state: matches[number] ? .impaired : .matchesNothing,
                problems: Self.problemConditions.compactMap { condition in
                    counts[number][condition].map {
                        SymbolProblem(state: .init(rawValue: condition.rawValue), symbols: $0.symbols)
                    }
                })
        }
    }

    /// The conditions in which an alert does not work.
    private static let problemConditions: [AlertCondition] = [
        .missing, .frozen, .unusable, .unconvertible, .staleRate, .expired, .disarmed,
    ]

    /// The states in which alerts do not work, each with the number of symbols concerned.
    private static func problems(of alerts: [AlertView]) -> [SymbolProblem] {
        problemConditions.compactMap { problem in
            let count = Set(alerts.filter { $0.condition == problem }.map(\.symbol)).count
            return count == 0 ? nil : SymbolProblem(state: .init(rawValue: problem.rawValue), symbols: count)
        }
    }

    /// A summary of the kept prices of a symbol, and at most ``pricePointLimit`` of them at even distances.
    func window(of symbol: Symbol, now: Instant) -> (summary: WindowSummary, prices: [PricePoint])? {
        let start = WallTime(milliseconds: 0)
        guard let statistics = history.statistics(of: symbol, since: start) else { return nil }
        let summary = WindowSummary(
            windowMilliseconds: Int(clamping: max(0, now.wall.since(statistics.first.time).count)),
            samples: statistics.count, first: statistics.first.price.description,
            firstTime: statistics.first.time.description, last: statistics.last.price.description,
            min: statistics.lowest.price.description, max: statistics.highest.price.description,
            changePercent: statistics.last.price.percentChange(from: statistics.first.price)?.description)
        let step = max(1, (statistics.count + Self.pricePointLimit - 1) / Self.pricePointLimit)
        var prices: [PricePoint] = []
        var position = 0
        history.forEachSample(of: symbol, since: start) { sample in
            position += 1
            // Counted from the end, so that the last price is always included.
            guard (statistics.count - position) % step == 0 else { return }
            prices.append(PricePoint(time: sample.time.description, price: sample.price.description))
        }
        return (summary, prices)
    }

    /// Enough for a chart as wide as any terminal; 500 × 60 bytes are a reply of 30 kB.
    private static let pricePointLimit = 500
}

extension RuleEngine {
    /// The lowest `max` and the highest `min` of all rules for a symbol.
    fileprivate func limits(of symbol: Symbol) -> (min: SymbolLimit?, max: SymbolLimit?) {
        let limits = limits(for: symbol)
        return (
            limits.filter { $0.bound == .min }.max { $0.marketPrice < $1.marketPrice },
            limits.filter { $0.bound == .max }.min { $0.marketPrice < $1.marketPrice }
        )
    }
}

extension SinkStatus {
    @LoopActor
    init(_ sink: any Sink) {
        let counters = sink.counters
        self.init(
            name: sink.name, delivered: counters.delivered, dropped: counters.dropped, failed: counters.failed,
            message: counters.lastFailure)
    }
}
