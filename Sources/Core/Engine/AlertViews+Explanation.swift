internal import Events
internal import Market
internal import Rules
internal import Time

extension AlertViews {
    /// Explains the current condition of an alert.
    func explanation(of context: AlertContext, at now: Instant) -> AlertExplanation {
        let view = view(of: context)
        let (alert, input) = (context.alert, context.input)
        let threshold: Price? = if case .price(let price) = view.limit { price } else { nil }
        let levels = alert.test.levels(threshold: threshold)
        return AlertExplanation(
            view: view,
            facts: staleness + blockers(of: context) + state(of: context) + notification(of: context)
                + metadata(of: context, at: now),
            levels: levels.map { AlertLevel($0, price: view.price, now: input.now) },
            priceTime: input.previous?.time.wall,
            window: alert.test.move.flatMap { move in
                context.extremes.flatMap { WindowView(move, $0, input.route) }
            },
            conversion: input.route.path?.evidence)
    }

    /// Explains the condition of an alert on a symbol that no response has had yet.
    func explanation(ofUnseen view: AlertView, at now: Instant) -> AlertExplanation {
        let state: AlertFact = engine.pollCount == 0 ? .noBaseline : .missing(lastPrice: nil)
        return AlertExplanation(
            view: view, facts: staleness + [state] + silences(of: view.symbol, view.rule, at: now), levels: [],
            priceTime: nil, window: nil, conversion: nil)
    }

    private var staleness: [AlertFact] {
        engine.feed.isStale ? [.feedStale(since: engine.feed.lastUsable.wall)] : []
    }

    /// Returns the facts that block the evaluation.
    private func blockers(of context: AlertContext) -> [AlertFact] {
        let (rule, symbolState) = (context.rule, context.symbolState)
        if context.alert.isExpired { return rule.expires.map { [.expired(at: $0)] } ?? [] }
        switch blocker(of: context) {
        case .missing: return [.missing(lastPrice: context.input.previous?.time.wall)]
        case .frozen: return symbolState.activity.frozenSince.map { [.frozen(since: $0.wall)] } ?? []
        case .unusable: return [.unusable(rule.price)]
        case .unconvertible:
            return rule.currency.map { [.unconvertible(from: symbolState.quoteCurrency, to: $0)] } ?? []
        case .staleRate: return [.staleRate]
        default: return []
        }
    }

    private func state(of context: AlertContext) -> [AlertFact] {
        switch context.alert.state {
        case .waiting:
            [
                context.missingBase.map { .noBase($0) }
                    ?? (context.alert.window == nil ? .noBaseline : .windowTooShort)
            ]
        case .inactive(let since, let resolvePending):
            [.inactive(since: since.wall)] + (resolvePending ? [.resolvePending] : [])
        case .pending(let since, _, let resolvePending):
            [.pending(since: since.wall, held: lasting(since: since), of: context.rule.hold)]
                + (resolvePending ? [.resolvePending] : [])
        case .firing(let since, _, let clear):
            [.firing(since: since.wall)] + cleared(since: clear, of: context.rule.keepFiring)
        case .armed(let since, let side): [.armed(side, since: since.wall)]
        }
    }

    private func cleared(since clear: Instant?, of length: Milliseconds) -> [AlertFact] {
        clear.map { [.clear(since: $0.wall, held: lasting(since: $0), of: length)] } ?? []
    }

    /// Returns the facts about the notification of a firing.
    private func notification(of context: AlertContext) -> [AlertFact] {
        guard case .firing(_, let notification, _) = context.alert.state else { return [] }
        switch notification {
        case .suppressed(let reason, let resolvePending):
            return [.suppressed(reason)] + (resolvePending ? [.resolvePending] : [])
        case .notified(let last, let acknowledgement?):
            return [.notified(at: last.wall), .acknowledged(acknowledgement)]
        case .notified(let last, nil):
            let next = context.rule.notification.repeatAfter.map { last.wall.milliseconds + $0.count }
            return [.notified(at: last.wall)] + (next.map { [.repeats(at: WallTime(milliseconds: $0))] } ?? [])
        }
    }

    /// Returns everything that would affect a notification now, the expiry of the rule, the alert's last gap, and the
    /// reason if gaps are never looked up.
    private func metadata(of context: AlertContext, at now: Instant) -> [AlertFact] {
        let (alert, rule) = (context.alert, context.rule)
        var facts = silences(of: context.symbolState.symbol, rule, at: now)
        if let other = rule.notification.onlyWhile {
            let since = engine.ruleSet.companion(of: alert.rule).flatMap { other in
                context.symbolState.alerts.filter { $0.rule == other }.compactMap(\.state.firingSince).first
            }
            facts.append(.onlyWhile(other, firingSince: since?.wall))
        }
        if let last = alert.notification.lastFired, now.boot.since(last.boot) < rule.notification.cooldown,
            !alert.state.isNotifiedFiring, let end = context.cooldownEnd
        {
            facts.append(.cooldown(until: end))
        }
        if alert.notification.isDisarmed { facts.append(.disarmed) }
        if let end = rule.expires, !alert.isExpired { facts.append(.expires(at: end)) }
        let gap = engine.gaps.last { gap in
            gap.symbol == context.symbolState.symbol
                && gap.watches.contains { $0.rule == rule.name && $0.bound == alert.test.bound }
        }
        if let gap { facts.append(.gap(since: gap.id.since, until: gap.until)) }
        if let obstacle = engine.catchUpObstacle(of: alert), !alert.isExpired { facts.append(.notCaughtUp(obstacle)) }
        return facts
    }

    private func silences(of symbol: Symbol, _ rule: Rule, at now: Instant) -> [AlertFact] {
        engine.silences.filter { $0.matches(symbol, rule: rule.name, rule.severity, at: now) }
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
