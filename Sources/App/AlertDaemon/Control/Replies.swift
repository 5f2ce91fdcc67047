internal import Control
internal import Delivery
internal import Engine
internal import EventLoop
internal import Events
internal import History
internal import Market
internal import Rules
internal import Time
internal import Varlink

extension PipelineQuery {
    /// Returns a page of the symbols that match the filters, in the order of the last response. Symbols that are
    /// missing from the last response come last.
    func symbols(
        _ slices: inout WorkSlices, match: SymbolPattern?, quote: Asset?, from start: Int = 0, limit: Int = .max
    ) async throws(VarlinkError) -> (symbols: [SymbolStatus], next: Int?) {
        let all = seen(match: match, quote: quote)
        try await slices.spend(all.count)
        let shown = all.dropFirst(start).prefix(limit)
        var states: [SymbolStatus] = []
        while states.count < shown.count {
            let cost = append(shown.dropFirst(states.count), to: &states, budget: slices.left)
            try await slices.spend(cost)
        }
        return (states, shown.endIndex < all.count ? shown.endIndex : nil)
    }

    /// Returns the symbols with their changes since a time. A symbol gets no change if its last price before that
    /// time is at least a day older.
    func withChanges(
        _ symbols: [SymbolStatus], from past: WallTime?, _ slices: inout WorkSlices
    ) async throws(VarlinkError) -> [SymbolStatus] {
        guard let past else { return symbols }
        var changed = symbols
        for index in changed.indices {
            try await slices.spend(Self.lookup)
            guard let symbol = Symbol(changed[index].symbol), let last = changed[index].last,
                let sample = history.sample(of: symbol, at: past), past.since(sample.time) < .seconds(86_400),
                let change = (try? Price(last))?.percentChange(from: sample.price)
            else { continue }
            changed[index].pastChangePercent = change.description
        }
        return changed
    }

    /// The cost of finding a price in the history, where parts of a block must be decoded.
    private static var lookup: Int { 8 * WorkSlices.view }

    /// Appends the states of symbols, at least one, until the budget is used up.
    ///
    /// - Returns: the cost.
    private func append(
        _ seen: ArraySlice<(ticker: Ticker, received: String)>, to states: inout [SymbolStatus], budget: Int
    ) -> Int {
        // Copy the engine only once, because a copy takes longer than creating the texts of a symbol.
        let engine = engine
        var cost = 0
        for one in seen where cost < budget {
            states.append(symbolState(one.ticker, received: one.received, in: engine))
            cost += WorkSlices.view / 2 + engine.alertCount(of: one.ticker.symbol) * 2
        }
        return cost
    }

    private func seen(match: SymbolPattern?, quote: Asset?) -> [(ticker: Ticker, received: String)] {
        let isWanted = { (ticker: Ticker) in
            (match?.matches(ticker.symbol) ?? true) && (quote == nil || ticker.quote == quote)
        }
        let received = batch?.received.wall.description ?? ""
        let present = (batch?.tickers ?? []).filter(isWanted).map { (ticker: $0, received: received) }
        let missing = vanished.values.filter { isWanted($0.ticker) }.sorted { $0.ticker.symbol < $1.ticker.symbol }
        return present + missing.map { ($0.ticker, $0.received.wall.description) }
    }

    /// Returns the symbol as it was last seen; nil if it was never seen.
    func symbol(_ symbol: Symbol) -> SymbolStatus? {
        if let ticker = batch?.tickers.first(where: { $0.symbol == symbol }) {
            return symbolState(ticker, received: batch?.received.wall.description ?? "", in: engine)
        }
        return vanished[symbol].map {
            symbolState($0.ticker, received: $0.received.wall.description, in: engine)
        }
    }

    private func symbolState(_ ticker: Ticker, received: String, in engine: RuleEngine) -> SymbolStatus {
        let limits = engine.limits(of: ticker)
        let coin = coin(ticker.symbol)
        return SymbolStatus(
            source: source.description, symbol: ticker.symbol.description, base: ticker.base?.description,
            quote: ticker.quote?.description,
            last: ticker.last?.description, bid: ticker.bid?.description, ask: ticker.ask?.description,
            open: ticker.open?.description, high: ticker.high?.description, low: ticker.low?.description,
            volume: ticker.volume?.description,
            changePercent: (ticker.changePercent ?? coin?.changePercent)?.description,
            exchangeTime: ticker.exchangeTime?.description, received: received,
            state: .init(rawValue: engine.condition(of: ticker.symbol)?.rawValue ?? "missing"),
            firing: engine.firingCount(of: ticker.symbol), min: limits.min?.price.description,
            max: limits.max?.price.description, minCurrency: limits.min?.currency?.description,
            maxCurrency: limits.max?.currency?.description, name: ticker.base.flatMap(assetName), rank: coin?.rank,
            marketCap: coin?.marketCap?.description, turnover: coin?.turnover?.description)
    }

    /// Returns a page of the alerts of one symbol or of all, in the order of the rules.
    func alerts(
        _ slices: inout WorkSlices, of symbol: Symbol? = nil, firingOnly: Bool = false, from start: Int = 0
    ) async throws(VarlinkError) -> (alerts: [AlertStatus], next: Int?) {
        let page = try await alertPage(&slices, of: symbol, from: start, limit: PageLimits.alerts) {
            !firingOnly || $0.isFiring($1)
        }
        return (try await states(&slices, of: page.places), page.next)
    }

    /// Returns the states of alerts; alerts that no longer exist are left out.
    func states(_ slices: inout WorkSlices, of places: [AlertPlace]) async throws(VarlinkError) -> [AlertStatus] {
        var states: [AlertStatus] = []
        var rest = places[...]
        while !rest.isEmpty {
            let count = min(rest.count, max(1, slices.left / WorkSlices.view))
            states += views(of: rest.prefix(count)).map(state)
            rest = rest.dropFirst(count)
            try await slices.spend(count * WorkSlices.view)
        }
        return states
    }

    private func views(of places: ArraySlice<AlertPlace>) -> [AlertView] {
        let engine = engine
        return places.compactMap { engine.view(of: $0) }
    }

    func state(of view: AlertView) -> AlertStatus {
        let key = EventLog.AlertKey(source: source, rule: view.rule.name, symbol: view.symbol, bound: view.bound)
        let silence = engine.silence(of: view.symbol, rule: view.rule.name, view.rule.severity, at: clock.now())
        return AlertStatus(
            rule: view.rule.name, source: source.description, symbol: view.symbol.description, bound: .init(view.bound),
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

    /// Returns a page of the rules in file order. The page has fewer rules if they have many symbols or overrides.
    func rules(
        _ slices: inout WorkSlices, from start: Int
    ) async throws(VarlinkError) -> (rules: [RuleStatus], next: Int?) {
        let rules = engine.rules
        let overrides = Dictionary(grouping: engine.overrides, by: \.rule).mapValues(\.count)
        var end = min(start, rules.count)
        var parts = 0
        while end < rules.count, end - start < PageLimits.rules, parts < PageLimits.ruleParts {
            parts += rules[end].symbols.count + overrides[rules[end].name, default: 0]
            end += 1
        }
        let range = min(start, rules.count)..<end
        return (try await self.rules(&slices, range), end < rules.count ? end : nil)
    }

    /// Returns the rules at these positions in file order, with the problems that keep them from working.
    func rules(_ slices: inout WorkSlices, _ range: Range<Int>) async throws(VarlinkError) -> [RuleStatus] {
        var summaries = [RuleSummary](repeating: RuleSummary(), count: range.count)
        try await forEachAlert(&slices) { engine, place in
            guard range.contains(place.rule), let summary = engine.summary(of: place) else { return 0 }
            summaries[place.rule - range.lowerBound].add(summary, on: place.symbol)
            return WorkSlices.summary
        }
        let engine = engine
        return zip(engine.rules.dropFirst(range.lowerBound), summaries).map { rule, summary in
            let problems = summary.problems
            return RuleStatus(
                name: rule.name, source: source.description, symbols: rule.symbols.map(\.text), condition: rule.terms,
                conditionText: rule.text(quote: summary.sharedCurrency), currency: rule.currency?.description,
                severity: .init(rule.severity), matches: summary.symbols,
                firing: summary.firing, limits: summary.sharedLimits,
                state: engine.pollCount == 0
                    ? .waiting : summary.symbols == 0 ? .matchesNothing : problems.isEmpty ? .ok : .impaired,
                problems: engine.pollCount == 0 ? [] : problems,
                overrides: summary.overrides.map(overrideState), terms: RuleTerms(rule))
        }
    }

    /// Returns the first rules with problems in file order, at most `limit`, and the number of firing alerts. Problems
    /// are those of ``rules(_:_:)``.
    func health(
        _ slices: inout WorkSlices, limit: Int
    ) async throws(VarlinkError) -> (problems: [RuleProblem], firing: Int) {
        let rules = engine.rules
        var summaries = [RuleSummary](repeating: RuleSummary(), count: rules.count)
        var firing = 0
        try await forEachAlert(&slices) { engine, place in
            guard place.rule < summaries.count, let condition = engine.condition(of: place) else { return 0 }
            summaries[place.rule].add(condition, on: place.symbol)
            firing += engine.isFiring(place) ? 1 : 0
            return 1
        }
        guard engine.pollCount > 0 else { return ([], firing) }
        let problems = zip(rules, summaries).lazy.map { rule, summary in
            RuleProblem(
                rule: rule.name, state: summary.symbols == 0 ? .matchesNothing : .impaired, problems: summary.problems)
        }
        return (Array(problems.filter { $0.state == .matchesNothing || !$0.problems.isEmpty }.prefix(limit)), firing)
    }

    /// Returns a summary of a symbol's kept prices, and at most ``pricePointLimit`` prices, evenly chosen from them.
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
            // Positions are counted from the end, so that the last price is always included.
            guard (statistics.count - position) % step == 0 else { return }
            prices.append(PricePoint(time: sample.time.description, price: sample.price.description))
        }
        return (summary, prices)
    }

    /// The maximum number of prices, enough for a chart as wide as any terminal: 500 × 60 bytes = 30 kB per reply.
    private static let pricePointLimit = 500
}

extension RuleEngine {
    /// Returns the `min` and the `max` that are nearest to the price, whether or not it is beyond them; without a
    /// price, the highest `min` and the lowest `max`.
    fileprivate func limits(of ticker: Ticker) -> (min: SymbolLimit?, max: SymbolLimit?) {
        let limits = limits(for: ticker.symbol)
        let (minima, maxima) = (limits.filter { $0.bound == .min }, limits.filter { $0.bound == .max })
        guard let price = ticker.last else {
            return (
                minima.max { $0.marketPrice < $1.marketPrice }, maxima.min { $0.marketPrice < $1.marketPrice }
            )
        }
        // The type is wide enough for the difference of any two prices. Of two limits at the same distance, the one
        // that a price reaches first is returned.
        let distance = { (limit: SymbolLimit) in (limit.marketPrice.units - price.units).magnitude }
        return (
            minima.min { (distance($0), $1.marketPrice) < (distance($1), $0.marketPrice) },
            maxima.min { (distance($0), $0.marketPrice) < (distance($1), $1.marketPrice) }
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
