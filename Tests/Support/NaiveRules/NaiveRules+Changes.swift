package import Engine
package import Events
package import Market
package import Rules
package import Time

// What happens between polls.
extension NaiveRules {
    package mutating func acknowledge(rule: String, symbol: Symbol? = nil, bound: Bound? = nil, _ isOn: Bool = true) {
        change(rule, symbol) { alert in
            if bound == nil || alert.bound == bound { alert.acknowledge(isOn) }
        }
    }

    package mutating func arm(rule: String, symbol: Symbol? = nil) {
        change(rule, symbol) { $0.arm() }
    }

    private mutating func change(_ rule: String, _ symbol: Symbol?, _ body: (inout NaiveAlert) -> Void) {
        for key in alerts.keys where symbol == nil || key == symbol {
            for index in alerts[key, default: []].indices where alerts[key]?[index].rule.name == rule {
                body(&alerts[key, default: []][index])
            }
        }
    }

    /// How many alerts fire, are acknowledged and are disarmed.
    package var counts: [Int] {
        let all = alerts.values.flatMap(\.self)
        return [
            all.count(where: \.isFiring), all.count { $0.isFiring && $0.isAcknowledged },
            all.count(where: \.isDisarmed),
        ]
    }

    /// When the last poll was.
    package var lastPoll: WallTime? { market.now?.wall }

    /// Other rules and settings: the firings that end, then the change.
    package mutating func reload(
        rules new: [Rule], settings newSettings: EngineSettings, silences: [Silence], at now: Instant
    ) -> [NaiveEvent] {
        forgetGone(at: now)
        let meanings = Dictionary(rules.map { ($0.name, $0.meaning) }) { first, _ in first }
        let newMeanings = Dictionary(new.map { ($0.name, $0.meaning) }) { first, _ in first }
        let isKept = { (rule: Rule) in newMeanings[rule.name] == rule.meaning }
        var events: [NaiveEvent] = []
        for (place, rule) in rules.enumerated() where !isKept(rule) {
            let reason: Reason = newMeanings[rule.name] == nil ? .ruleRemoved : .ruleChanged
            for symbol in alerts.keys.sorted() {
                for alert in alerts[symbol] ?? [] where alert.place == place {
                    if let end = alert.end(reason, market, silences, now) { events.append(end) }
                }
            }
        }
        if meanings != newMeanings { events.append(NaiveEvent(.rulesChanged, at: now.wall)) }
        let kept = Set(rules.filter(isKept).map(\.name))
        let old = alerts
        if newSettings.staleAfter != settings.staleAfter { feed.waitingSince = now.boot }
        (rules, settings) = (new, newSettings)
        market.frozenAfter = newSettings.frozenAfter
        alerts = [:]
        for symbol in old.keys.sorted() {
            makeAlerts(of: symbol)
            for index in alerts[symbol, default: []].indices {
                guard let alert = alerts[symbol]?[index], kept.contains(alert.rule.name) else { continue }
                let before = old[symbol]?.first { $0.rule.name == alert.rule.name && $0.bound == alert.bound }
                if let before { alerts[symbol]?[index].takeOver(before) }
            }
        }
        let named = Set(new.flatMap(\.symbols).compactMap(\.exactSymbol))
        states = states.filter { named.contains($0.key) }
        forgetUnusedPrices()
        return events
    }

    /// Forgets symbols that no rule names and that responses have lacked for a day and longer than their windows are,
    /// unless an alert of them fires or remembers what it has notified.
    mutating func forgetGone(at now: Instant) {
        let named = Set(rules.flatMap(\.symbols).compactMap(\.exactSymbol))
        for symbol in market.symbols where !named.contains(symbol) {
            let own = alerts[symbol] ?? []
            let least = max(.seconds(86_400), own.compactMap(\.window).max() ?? .zero)
            guard let absence = market.absence(of: symbol, at: now), absence >= least,
                !own.contains(where: { $0.isNeeded(at: now) })
            else { continue }
            market.forget(symbol)
            alerts[symbol] = nil
        }
    }

    private mutating func forgetUnusedPrices() {
        let used = Set(alerts.values.flatMap { $0.map(\.source) })
        market.last = market.last.filter { $0.key.kind == .last && $0.key.currency == nil || used.contains($0.key) }
    }

    /// The rule as it is for the symbol with the limits that were changed at run time.
    func overridden(_ rule: Rule, on symbol: Symbol) -> Rule {
        let own = overrides.filter { $0.rule == rule.name && $0.symbol == symbol }
        if case .relative(let band) = rule.condition { return overridden(rule, band, own) }
        guard case .band(let band) = rule.condition, !own.isEmpty, rule.matches(symbol),
            own.allSatisfy({ $0.currency == rule.currency && ($0.bound == .min ? band.min : band.max) != nil })
        else { return rule }
        let min = own.last { $0.bound == .min }?.limit ?? band.min?.price
        let max = own.last { $0.bound == .max }?.limit ?? band.max?.price
        guard let new = try? Band(min: min, max: max, hysteresis: band.hysteresis) else { return rule }
        var changed = rule
        changed.condition = .band(new)
        return changed
    }

    private func overridden(_ rule: Rule, _ band: RelativeBand, _ own: [LimitOverride]) -> Rule {
        guard own.allSatisfy({ $0.currency == rule.currency && ($0.bound == .min ? band.min : band.max) != nil }) else {
            return rule
        }
        let min = own.last { $0.bound == .min }.map { DeclaredLimit.amount($0.limit) } ?? band.min
        let max = own.last { $0.bound == .max }.map { DeclaredLimit.amount($0.limit) } ?? band.max
        let amounts = [min, max].map { limit in if case .amount(let price)? = limit { price } else { nil as Price? } }
        let isValid = (try? Band(min: amounts[0], max: amounts[1], hysteresis: band.hysteresis)) != nil
        guard isValid || own.isEmpty,
            let new = try? RelativeBand(min: min, max: max, hysteresis: band.hysteresis, base: band.base)
        else {
            return rule
        }
        var changed = rule
        changed.condition = .relative(new)
        return changed
    }

    /// The event with the limit of the settings, when that of its alert is another one.
    func withLimitChange(_ event: NaiveEvent, _ rule: Rule, _ alert: NaiveAlert) -> NaiveEvent {
        let own = overrides.last { $0.rule == rule.name && $0.symbol == alert.symbol && $0.bound == alert.bound }
        guard let own, rule.condition.kind == .band, "\(own.limit)" == alert.fixedLimit else { return event }
        var event = event
        event.details.settingsLimit = alert.settingsLimit
        event.details.limitSince = own.since
        return event
    }

    /// Other limits at run time: the firings that end, by rule.
    package mutating func setOverrides(_ new: [LimitOverride], silences: [Silence], at now: Instant) -> [NaiveEvent] {
        overrides = new
        var events: [(place: Int, event: NaiveEvent)] = []
        for symbol in alerts.keys.sorted() {
            for (index, alert) in alerts[symbol, default: []].enumerated() {
                let rule = overridden(rules[alert.place], on: symbol)
                var fresh = NaiveAlert(alert.place, rule, symbol, alert.bound, rules[alert.place].condition)
                fresh.origin = alert.origin
                if fresh.fixedLimit == alert.fixedLimit {
                    alerts[symbol]?[index].rule = rule
                    continue
                }
                if var end = alert.end(.ruleChanged, market, silences, now) {
                    end.details.clear = alert.clearLevel
                    events.append((alert.place, end))
                }
                alerts[symbol]?[index] = fresh
            }
        }
        return rules.indices.flatMap { place in events.filter { $0.place == place }.map(\.event) }
    }

    /// Whether a market of the last response is frozen.
    package func isFrozen(_ symbol: Symbol) -> Bool { market.isFrozen(symbol) }

    // The feed.

    mutating func recovery(at now: Instant) -> [NaiveEvent] {
        defer { feed = Feed(isStale: false, waitingSince: now.boot) }
        guard feed.isStale else { return [] }
        var event = NaiveEvent(.feedRecovered, at: now.wall)
        event.received = now.wall
        return [event]
    }

    /// When the feed becomes stale; nil while it is.
    package var feedDeadline: BootTime? {
        feed.isStale ? nil : feed.waitingSince.advanced(by: settings.staleAfter)
    }

    package mutating func checkFeed(at now: Instant) -> [NaiveEvent] {
        guard let feedDeadline, now.boot >= feedDeadline else { return [] }
        feed.isStale = true
        var event = NaiveEvent(.feedStale, at: now.wall)
        event.severity = .warning
        return [event]
    }

    /// The machine was suspended.
    package mutating func resume(at now: BootTime) {
        resumed = now
        feed.waitingSince = max(feed.waitingSince, now)
    }

    /// Another process continues, perhaps after a reboot.
    package mutating func restart(at now: Instant, isSameBoot: Bool) {
        if !isSameBoot { resumed = nil }
        let named = Set(rules.flatMap(\.symbols).compactMap(\.exactSymbol))
        // Of markets that no rule is for, nothing is saved.
        alerts = alerts.filter { !$0.value.isEmpty || named.contains($0.key) }
        market.keepOnly(named.union(alerts.keys))
        feed.waitingSince = now.boot
        guard !isSameBoot, let last = market.now else { return }
        // The wall clock says how long ago the last poll was; everything else keeps its distance from that.
        let age = max(0, now.wall.milliseconds - last.wall.milliseconds)
        let shift = now.boot.milliseconds - age - last.boot.milliseconds
        let translated = { (time: Instant) in
            Instant(boot: min(BootTime(milliseconds: time.boot.milliseconds + shift), now.boot), wall: time.wall)
        }
        market.translate(translated)
        for symbol in alerts.keys {
            for index in alerts[symbol, default: []].indices { alerts[symbol]?[index].translate(translated) }
        }
    }
}
