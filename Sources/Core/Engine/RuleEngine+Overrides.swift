package import Events
package import Market
package import Rules
package import Time

extension RuleEngine {
    /// The limits that were changed at run time, in the order in which that was done, also those not in force.
    package var overrides: [LimitOverride] { overrideTable.all }

    /// Why an override is not in force with the present rules; nil when it is.
    package func issue(of override: LimitOverride) -> OverrideIssue? {
        guard let rule = rules.first(where: { $0.name == override.rule }) else { return .noRule }
        if let blocker = rule.issue(override) { return blocker }
        guard case .failure(let error) = rule.band(overrideTable.overrides(of: rule, on: override.symbol)) else {
            return nil
        }
        return .faulty(error)
    }

    /// The limit in force of a rule for a symbol; nil when the rule has none of that bound.
    package func limit(of bound: Bound, in rule: Rule, on symbol: Symbol) -> Price? {
        activeOverride(of: rule, on: symbol, bound)?.limit ?? rule.limit(of: bound)
    }

    /// What a symbol is paid in; nil while that is not known.
    package func quote(of symbol: Symbol) -> Asset? { symbolState(of: symbol)?.quote }

    /// The override in force of an alert.
    func activeOverride(of rule: Rule, on symbol: Symbol, _ bound: Bound) -> LimitOverride? {
        let overrides = overrideTable.overrides(of: rule, on: symbol)
        guard let found = overrides.last(where: { $0.bound == bound }), case .success = rule.band(overrides) else {
            return nil
        }
        return found
    }

    /// Takes over the overrides of an earlier run; before the alerts are restored.
    package mutating func restore(overrides: [LimitOverride]) {
        overrideTable = OverrideTable(overrides)
    }

    /// Puts other overrides in place of those that hold.
    ///
    /// An alert whose limit becomes another one starts afresh, as with a changed rule; all others go on as they are.
    ///
    /// - Returns: what is to be notified: the firings that end, in the order of the rules.
    package mutating func setOverrides(_ new: [LimitOverride], at time: Instant) -> [Occurrence] {
        let old = overrideTable
        overrideTable = OverrideTable(new)
        let touched = Set((old.all + new).map(\.symbol))
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for number in symbolStates.indices where touched.contains(symbolStates[number].symbol) {
            ended += restartChanged(number, at: time)
        }
        changes.isWhole = true
        return ended.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.occurrence)
    }

    /// Makes those alerts of a symbol anew whose limit is another one now.
    private mutating func restartChanged(
        _ number: Int, at time: Instant
    ) -> [(rule: Int, occurrence: Occurrence)] {
        let symbolState = symbolStates[number]
        var kept = keptAlerts(of: symbolState, Set(symbolState.alerts.map { rules[$0.rule].name }))
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for alert in symbolState.alerts {
            let rule = rules[alert.rule]
            let tests = overrideTable.condition(of: rule, on: symbolState.symbol).tests
            guard tests.first(where: { $0.bound == alert.test.bound })?.limit != alert.test.limit else { continue }
            kept[AlertKey(rule: rule.name, bound: alert.test.bound)] = nil
            if alert.machine.isFiring { ended.append((alert.rule, ending(alert, symbolState, at: time))) }
        }
        equip(&symbolStates[number], keeping: kept)
        return ended
    }

    private func ending(_ alert: Alert, _ symbolState: SymbolState, at time: Instant) -> Occurrence {
        let rule = rules[alert.rule]
        let isNotified = alert.machine.isNotifiedFiring
        let silence = isNotified ? silence(of: symbolState.symbol, rule: rule.name, rule.severity, at: time) : nil
        let action = AlertAction(
            kind: .resolved, notified: isNotified && silence == nil, reason: .ruleChanged, silence: silence)
        var occurrence = Occurrence(
            ending: snapshot(of: alert, in: symbolState), action, symbolState, at: time, isLimitChange: true)
        occurrence.details.clear = alert.test.clear
        return occurrence
    }
}
