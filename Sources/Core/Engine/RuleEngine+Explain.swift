internal import Events
package import Market
internal import Rules
package import Time

extension RuleEngine {
    /// Why the alerts of a rule are as they are.
    ///
    /// - Parameters:
    ///   - rule: the name of the rule.
    ///   - symbol: only the alerts of this one.
    ///   - now: the present, which silences and cooldowns are held against.
    /// - Returns: one an alert, in the order in which symbols were first seen; none for a rule that is not in force.
    package func explain(rule: String, symbol: Symbol? = nil, at now: Instant) -> [AlertExplanation] {
        var explanations: [AlertExplanation] = []
        for symbolState in symbolStates where symbol == nil || symbolState.symbol == symbol {
            for alert in symbolState.alerts where rules[alert.rule].name == rule {
                explanations.append(explanation(of: alert, in: symbolState, at: now))
            }
        }
        let unseen = alerts(of: symbol).filter { $0.rule.name == rule && symbolState(of: $0.symbol) == nil }
        return explanations + unseen.map { explanation(ofUnseen: $0, at: now) }
    }

    private func explanation(of alert: Alert, in symbolState: SymbolState, at now: Instant) -> AlertExplanation {
        let view = view(of: alert, in: symbolState)
        let input = symbolState.inputs[alert.input]
        let threshold: Price? = if case .price(let price) = view.limit { price } else { nil }
        let levels = alert.test.levels(threshold: threshold)
        return AlertExplanation(
            view: view,
            facts: staleness + blockers(of: alert, in: symbolState) + state(of: alert, at: now)
                + notification(of: alert, at: now) + metadata(of: alert, in: symbolState, at: now),
            levels: levels.map { AlertLevel($0, price: view.price, now: input.now) },
            priceTime: input.previous?.time.wall,
            window: alert.test.move.flatMap { move in
                alert.window.flatMap { input.windows[$0].extremes }.flatMap { WindowView(move, $0, input.route) }
            },
            conversion: input.route.path?.evidence)
    }

    private func explanation(ofUnseen view: AlertView, at now: Instant) -> AlertExplanation {
        let state: AlertFact = pollCount == 0 ? .noBaseline : .missing(lastPrice: nil)
        return AlertExplanation(
            view: view, facts: staleness + [state] + silences(of: view.symbol, view.rule, at: now), levels: [],
            priceTime: nil,
            window: nil, conversion: nil)
    }

    private var staleness: [AlertFact] {
        feed.isStale ? [.feedStale(since: feed.lastUsable.wall)] : []
    }

    /// What keeps the alert from evaluating.
    private func blockers(of alert: Alert, in symbolState: SymbolState) -> [AlertFact] {
        let rule = rules[alert.rule]
        if alert.isExpired { return rule.expires.map { [.expired(at: $0)] } ?? [] }
        let input = symbolState.inputs[alert.input]
        switch blocker(of: input, in: symbolState) {
        case .missing: return [.missing(lastPrice: input.previous?.time.wall)]
        case .frozen: return symbolState.activity.frozenSince.map { [.frozen(since: $0.wall)] } ?? []
        case .unusable: return [.unusable(rule.price)]
        case .unconvertible:
            return rule.currency.map { [.unconvertible(from: symbolState.quoteCurrency, to: $0)] } ?? []
        case .staleRate: return [.staleRate]
        default: return []
        }
    }

    private func state(of alert: Alert, at now: Instant) -> [AlertFact] {
        switch alert.machine {
        case .waiting: [alert.window == nil ? .noBaseline : .windowTooShort]
        case .inactive(let since, let resolvePending):
            [.inactive(since: since.wall)] + (resolvePending ? [.resolvePending] : [])
        case .pending(let since, _, let resolvePending):
            [.pending(since: since.wall, held: held(since: since), of: rules[alert.rule].hold)]
                + (resolvePending ? [.resolvePending] : [])
        case .firing(let since, _): [.firing(since: since.wall)]
        case .armed(let since, let side): [.armed(side, since: since.wall)]
        }
    }

    /// How long a breach has held: up to the last response, as the time since counts only with the next one.
    private func held(since: Instant) -> Milliseconds {
        lastPoll.map { max(.zero, $0.boot.since(since.boot)) } ?? .zero
    }

    /// What became of the notifying of a firing.
    private func notification(of alert: Alert, at now: Instant) -> [AlertFact] {
        guard case .firing(_, let notification) = alert.machine else { return [] }
        switch notification {
        case .suppressed(let reason): return [.suppressed(reason)]
        case .notified(let last, let acknowledgement?):
            return [.notified(at: last.wall), .acknowledged(acknowledgement)]
        case .notified(let last, nil):
            let next = rules[alert.rule].notification.repeatAfter.map { last.wall.milliseconds + $0.count }
            return [.notified(at: last.wall)] + (next.map { [.repeats(at: WallTime(milliseconds: $0))] } ?? [])
        }
    }

    /// What a firing would meet now.
    private func metadata(of alert: Alert, in symbolState: SymbolState, at now: Instant) -> [AlertFact] {
        let rule = rules[alert.rule]
        var facts = silences(of: symbolState.symbol, rule, at: now)
        if let last = alert.record.lastFired, now.boot.since(last.boot) < rule.notification.cooldown,
            !alert.machine.isNotifiedFiring
        {
            facts.append(
                .cooldown(until: WallTime(milliseconds: last.wall.milliseconds + rule.notification.cooldown.count)))
        }
        if alert.record.isDisarmed { facts.append(.disarmed) }
        if let end = rule.expires, !alert.isExpired { facts.append(.expires(at: end)) }
        return facts
    }
}

extension RuleEngine {
    private func silences(of symbol: Symbol, _ rule: Rule, at now: Instant) -> [AlertFact] {
        silences.filter { $0.matches(symbol, rule: rule.name, rule.severity, at: now) }
            .map { .silenced(by: $0.number, until: $0.end.shown(at: now)) }
    }
}

extension AlertLevel {
    fileprivate init(_ test: LevelTest, price: Price?, now: ReadPrice?) {
        self.test = test
        let level = test.price
        isReached = now.map { test.comparison.holds($0, level) } ?? price.map { test.comparison.holds($0, level) }
        away = price.flatMap { level.subtracting($0) }
        awayPercent = price.flatMap { level.percentChange(from: $0) }
    }
}

extension LevelTest.Comparison {
    fileprivate func holds(_ price: ReadPrice, _ level: Price) -> Bool {
        switch self {
        case .atLeast: price.isAtLeast(level)
        case .atMost: price.isAtMost(level)
        case .above: !price.isAtMost(level)
        case .below: !price.isAtLeast(level)
        }
    }

    fileprivate func holds(_ price: Price, _ level: Price) -> Bool {
        switch self {
        case .atLeast: price >= level
        case .atMost: price <= level
        case .above: price > level
        case .below: price < level
        }
    }
}

extension WindowView {
    fileprivate init?(_ move: Move, _ extremes: Extremes, _ route: CurrencyRoute) {
        guard let lowest = route.shown(extremes.lowest), let highest = route.shown(extremes.highest) else { return nil }
        self.init(length: move.window, lowest: lowest, highest: highest)
    }
}
