package import Events
internal import Market
package import Rules
package import Time

extension RuleEngine {
    /// Puts another set of rules in force, at once and whole.
    ///
    /// Alerts of rules that mean the same go on as they are; those of changed and new rules start afresh.
    ///
    /// - Returns: what changed, and what is to be notified: firings that end, in the old order, then the change itself.
    package mutating func reload(
        rules newRules: [Rule], settings newSettings: EngineSettings, at time: Instant
    ) -> (change: RuleSetChange, occurrences: [Occurrence]) {
        let change = RuleSetChange(from: rules.map(\.identity), to: newRules.map(\.identity))
        let clock = ClockTranslation(now: time, isSameBoot: true)
        var occurrences = endings(change, of: snapshotWithThresholds(), clock) { symbol in
            table.number(of: symbol).map { symbolStates[$0] }
        }
        replaceAlerts(rules: newRules, kept: Set(change.kept), at: time)
        settings = newSettings
        findRoutes()
        changes.isWhole = true
        if !change.isEmpty { occurrences.append(Occurrence(change, at: time)) }
        return (change, occurrences)
    }

    /// The ends of the firings whose rules go or change: by rule in the old order, by symbol, by bound.
    func endings(
        _ change: RuleSetChange, of snapshot: EngineSnapshot, _ clock: ClockTranslation,
        symbolState: (Symbol) -> SymbolState?
    ) -> [Occurrence] {
        let reasons = Dictionary(
            change.removed.map { ($0, Reason.ruleRemoved) } + change.changed.map { ($0, Reason.ruleChanged) }
        ) { first, _ in first }
        let places = Dictionary(snapshot.rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        return snapshot.alerts.filter { $0.state == "firing" && reasons[$0.rule] != nil }.enumerated()
            .sorted { left, right in
                let (first, second) = (left.element, right.element)
                return (places[first.rule] ?? 0, first.symbol, left.offset)
                    < (places[second.rule] ?? 0, second.symbol, right.offset)
            }.map { _, alert in
                let isNotified = StoredAlertState(alert.encodedState, clock: clock)?.machine.isNotifiedFiring ?? true
                let silence =
                    isNotified ? silence(of: alert.symbol, rule: alert.rule, alert.severity, at: clock.now) : nil
                let action = AlertAction(
                    kind: .resolved, notified: isNotified && silence == nil, reason: reasons[alert.rule],
                    silence: silence)
                return Occurrence(ending: alert, action, symbolState(alert.symbol), at: clock.now)
            }
    }

    private mutating func replaceAlerts(rules newRules: [Rule], kept: Set<String>, at time: Instant) {
        let keeping = symbolStates.map { keptAlerts(of: $0, kept) }
        let oldStates = Dictionary(watches.map { ($0.symbol, $0.state) }) { first, _ in first }
        rules = newRules
        index = RuleIndex(newRules)
        expiry = RuleExpiry(newRules)
        watches = SymbolWatch.all(for: newRules)
        watchPlaces = SymbolWatch.places(of: watches)
        for number in symbolStates.indices {
            equip(&symbolStates[number], keeping: keeping[number])
            symbolStates[number].watch = watchPlaces[symbolStates[number].symbol]
        }
        for index in watches.indices {
            watches[index].state = oldStates[watches[index].symbol] ?? .normal
            watches[index].symbolState = table.number(of: watches[index].symbol)
        }
        _ = markExpired(at: time)
    }

    /// The snapshot with the limits in force also where they move with the price.
    private func snapshotWithThresholds() -> EngineSnapshot {
        var snapshot = snapshot()
        for index in snapshot.alerts.indices where snapshot.alerts[index].limit == nil {
            let stored = snapshot.alerts[index]
            guard stored.state == "firing", let number = table.number(of: stored.symbol) else { continue }
            let alert = symbolStates[number].alerts.first {
                $0.test.bound == stored.bound && rules[$0.rule].name == stored.rule
            }
            snapshot.alerts[index].limit = alert.flatMap { limit(of: $0, in: symbolStates[number]) }
        }
        return snapshot
    }

    func keptAlerts(of symbolState: SymbolState, _ kept: Set<String>) -> [AlertKey: KeptAlert] {
        var alerts: [AlertKey: KeptAlert] = [:]
        for alert in symbolState.alerts where kept.contains(rules[alert.rule].name) {
            alerts[AlertKey(rule: rules[alert.rule].name, bound: alert.test.bound)] = KeptAlert(
                machine: alert.machine, record: alert.record,
                window: alert.window.map { symbolState.inputs[alert.input].windows[$0] })
        }
        return alerts
    }
}

extension Occurrence {
    init(_ change: RuleSetChange, at time: Instant) {
        let parts = [
            ("added", change.added), ("removed", change.removed), ("changed", change.changed),
        ].filter { !$0.1.isEmpty }.map { "\($0.0) \(Self.list($0.1))" }
        self.init(
            time: time.wall, kind: .rulesChanged, severity: .info,
            text: "Rules changed: \(parts.joined(separator: "; ")); \(change.kept.count) unchanged")
    }

    /// At most ten names, so that the line stays one that a person reads.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(10).map { "“\($0)”" }.joined(separator: ", ")
        return names.count > 10 ? "\(shown) and \(names.count - 10) more" : shown
    }
}
