package import Market

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
        for track in tracks where symbol == nil || track.symbol == symbol {
            for alert in track.alerts where rules[alert.rule].name == rule {
                explanations.append(explanation(of: alert, in: track, at: now))
            }
        }
        let unseen = alerts(of: symbol).filter { $0.rule.name == rule && track(of: $0.symbol) == nil }
        return explanations + unseen.map { explanation(ofUnseen: $0, at: now) }
    }

    private func explanation(of alert: Alert, in track: MarketTrack, at now: Instant) -> AlertExplanation {
        let view = view(of: alert, in: track)
        let reading = track.readings[alert.reading]
        let threshold: Price? = if case .price(let price) = view.limit { price } else { nil }
        let levels = alert.test.levels(threshold: threshold)
        return AlertExplanation(
            view: view,
            facts: staleness + hindrances(of: alert, in: track) + state(of: alert, at: now)
                + telling(of: alert, at: now) + circumstances(of: alert, in: track, at: now),
            levels: levels.map { AlertLevel($0, $1, $2, price: view.price, now: reading.now) },
            priceTime: reading.previous?.time.wall,
            window: alert.test.move.flatMap { move in
                alert.window.flatMap { reading.windows[$0].extremes }.flatMap { WindowView(move, $0, reading.route) }
            },
            conversion: reading.route.path?.evidence)
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
    private func hindrances(of alert: Alert, in track: MarketTrack) -> [AlertFact] {
        let rule = rules[alert.rule]
        if alert.isExpired { return rule.expires.map { [.expired(at: $0)] } ?? [] }
        let reading = track.readings[alert.reading]
        switch hindrance(of: reading, in: track) {
        case .missing: return [.missing(lastPrice: reading.previous?.time.wall)]
        case .frozen: return track.activity.frozenSince.map { [.frozen(since: $0.wall)] } ?? []
        case .unusable: return [.unusable(rule.price)]
        case .unconvertible:
            return rule.currency.map { [.unconvertible(from: track.quoteCurrency, to: $0)] } ?? []
        case .staleRate: return [.staleRate]
        default: return []
        }
    }

    private func state(of alert: Alert, at now: Instant) -> [AlertFact] {
        switch alert.machine {
        case .waiting: [alert.window == nil ? .noBaseline : .windowTooShort]
        case .inactive(let since, let owesEnd): [.inactive(since: since.wall)] + (owesEnd ? [.owesEnd] : [])
        case .pending(let since, _, let owesEnd):
            [.pending(since: since.wall, held: held(since: since), of: rules[alert.rule].hold)]
                + (owesEnd ? [.owesEnd] : [])
        case .firing(let since, _): [.firing(since: since.wall)]
        case .poised(let since, let side): [.poised(side, since: since.wall)]
        }
    }

    /// How long a breach has held: up to the last response, as the time since counts only with the next one.
    private func held(since: Instant) -> Milliseconds {
        lastPoll.map { max(.zero, $0.boot.since(since.boot)) } ?? .zero
    }

    /// What became of the telling of a firing.
    private func telling(of alert: Alert, at now: Instant) -> [AlertFact] {
        guard case .firing(_, let telling) = alert.machine else { return [] }
        switch telling {
        case .held(let reason): return [.untold(reason)]
        case .told(let last, let acknowledgement?): return [.told(at: last.wall), .acknowledged(acknowledgement)]
        case .told(let last, nil):
            let next = rules[alert.rule].telling.repeatAfter.map { last.wall.milliseconds + $0.count }
            return [.told(at: last.wall)] + (next.map { [.repeats(at: WallTime(milliseconds: $0))] } ?? [])
        }
    }

    /// What a firing would meet now.
    private func circumstances(of alert: Alert, in track: MarketTrack, at now: Instant) -> [AlertFact] {
        let rule = rules[alert.rule]
        var facts = silences(of: track.symbol, rule, at: now)
        if let last = alert.record.lastFired, now.boot.since(last.boot) < rule.telling.cooldown,
            !alert.machine.isToldFiring
        {
            facts.append(
                .cooldown(until: WallTime(milliseconds: last.wall.milliseconds + rule.telling.cooldown.count)))
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
    fileprivate init(_ role: Role, _ comparison: Comparison, _ level: Price, price: Price?, now: ReadPrice?) {
        self.role = role
        self.comparison = comparison
        self.price = level
        isReached = now.map { comparison.holds($0, level) } ?? price.map { comparison.holds($0, level) }
        away = price.flatMap { level.subtracting($0) }
        awayPercent = price.flatMap { level.percentChange(from: $0) }
    }
}

extension AlertLevel.Comparison {
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
