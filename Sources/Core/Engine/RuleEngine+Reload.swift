package import Events
internal import Market
package import Rules
package import Time

extension RuleEngine {
    /// Applies another set of rules, immediately and as a whole.
    ///
    /// Alerts of rules with the same meaning keep their state. Alerts of changed and new rules start over.
    ///
    /// - Returns: the change, and its events: firings that end, in the old order, then the change itself.
    package mutating func reload(
        rules newRules: [Rule], settings newSettings: EngineSettings, at time: Instant
    ) -> (change: RuleSetChange, occurrences: [Occurrence]) {
        forgetGone(at: time)
        let change = RuleSetChange(from: rules.identities, to: newRules.identities)
        let ends = FiringEnds(
            change: change, rules: rules.identities, alerts: writer.alerts(),
            clock: ClockTranslation(now: time, isSameBoot: true, anchor: time), silences: silences)
        var occurrences = ends.occurrences { symbols[$0] }
        replaceAlerts(rules: newRules, kept: Set(change.kept), at: time)
        // The feed is polled immediately at its new interval, so its staleness deadline restarts as well.
        if newSettings.staleAfter != settings.staleAfter { feed.restartDeadline(at: time.boot) }
        settings = newSettings
        routes.update(routes.rates, pegs: settings.pegs)
        symbols.findRoutes(by: routes, inPoll: pollCount)
        changes.isWhole = true
        dropObsoleteGaps()
        if !change.isEmpty { occurrences.append(Occurrence(change, at: time)) }
        return (change, occurrences)
    }

    private mutating func replaceAlerts(rules newRules: [Rule], kept: Set<String>, at time: Instant) {
        let keeping = symbols.all.map { ruleSet.keptAlerts(of: $0, kept) }
        let oldWatches = watches
        ruleSet = RuleSet(newRules, overrides: ruleSet.overrides)
        watches = SymbolWatches(newRules)
        for number in symbols.indices { symbols.discount(number) }
        for number in symbols.indices where !symbols[number].presence.isVacant {
            var symbolState = symbols[number]
            equip(&symbolState, keeping: keeping[number])
            symbols[number] = symbolState
            symbols[number].watch = watches.index(of: symbols[number].symbol)
        }
        watches.takeOver(from: oldWatches, symbols)
        markExpired(at: time)
        due.bases = ruleSet.hasDays
    }

    /// Restores the overrides of an earlier run. Must be called before the alerts are restored.
    package mutating func restore(overrides: [LimitOverride]) {
        ruleSet.overrides = OverrideTable(overrides)
    }

    /// Replaces all overrides.
    ///
    /// An alert whose limit changes starts over, as with a changed rule; all others keep their state.
    ///
    /// - Returns: the ends of firings, in the order of the rules, then of the symbols.
    package mutating func setOverrides(_ new: [LimitOverride], at time: Instant) -> [Occurrence] {
        let touched = Set((ruleSet.overrides.all + new).map(\.symbol))
        ruleSet.overrides = OverrideTable(new)
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for number in touched.sorted().compactMap(symbols.number) {
            symbols.discount(number)
            ended += ruleSet.restartChanged(&symbols[number], silences: silences, at: time)
            symbols.count(symbols[number])
        }
        dropObsoleteGaps()
        changes.isWhole = true
        return ended.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.occurrence)
    }
}
