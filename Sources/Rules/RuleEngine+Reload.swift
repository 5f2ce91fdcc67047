package import Market

extension RuleEngine {
    /// Puts another set of rules in force, at once and whole.
    ///
    /// Alerts of rules that mean the same go on as they are; those of changed and new rules start afresh.
    ///
    /// - Returns: what changed, and what is to be told: firings that end, in the old order, then the change itself.
    package mutating func reload(
        rules newRules: [Rule], settings newSettings: EngineSettings, at time: Instant
    ) -> (change: RuleSetChange, occurrences: [Occurrence]) {
        let change = RuleSetChange(from: rules, to: newRules)
        var occurrences = endings(change, at: time)
        replaceAlerts(rules: newRules, kept: Set(change.kept))
        settings = newSettings
        if !change.isEmpty { occurrences.append(Occurrence(change, at: time)) }
        return (change, occurrences)
    }

    private func endings(_ change: RuleSetChange, at time: Instant) -> [Occurrence] {
        let removed = Set(change.removed)
        let changed = Set(change.changed)
        var ended: [(rule: Int, occurrence: Occurrence)] = []
        for track in tracks {
            for alert in track.alerts where alert.machine.isFiring {
                let rule = rules[alert.rule]
                let reason: Reason? =
                    removed.contains(rule.name) ? .ruleRemoved : changed.contains(rule.name) ? .ruleChanged : nil
                guard let reason else { continue }
                ended.append((alert.rule, Occurrence(ending: alert, rule, of: track, at: time, reason: reason)))
            }
        }
        // Stable: of one rule, the order of the symbols and bounds stays.
        return ended.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.occurrence)
    }

    private mutating func replaceAlerts(rules newRules: [Rule], kept: Set<String>) {
        let oldRules = rules
        let oldStates = Dictionary(watches.map { ($0.symbol, $0.state) }) { first, _ in first }
        rules = newRules
        index = RuleIndex(newRules)
        watches = SymbolWatch.all(for: newRules).map {
            SymbolWatch(symbol: $0.symbol, state: oldStates[$0.symbol] ?? .normal)
        }
        for number in tracks.indices {
            let old = tracks[number].alerts.filter { kept.contains(oldRules[$0.rule].name) }
            var alerts = makeAlerts(for: tracks[number])
            for position in alerts.indices {
                let name = newRules[alerts[position].rule].name
                let before = old.first { $0.bound == alerts[position].bound && oldRules[$0.rule].name == name }
                if let before { alerts[position].machine = before.machine }
            }
            tracks[number].alerts = alerts
        }
    }
}

extension Occurrence {
    fileprivate init(_ change: RuleSetChange, at time: Instant) {
        let parts = [
            ("added", change.added), ("removed", change.removed), ("changed", change.changed),
        ].filter { !$0.1.isEmpty }.map { "\($0.0) \(Self.list($0.1))" }
        self.init(
            time: time.wall, kind: .rulesChanged, severity: .info,
            text: "rules \(parts.joined(separator: "; ")); \(change.kept.count) kept")
    }

    /// At most ten names, so that the line stays one that a person reads.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(10).map { "“\($0)”" }.joined(separator: ", ")
        return names.count > 10 ? "\(shown) and \(names.count - 10) more" : shown
    }
}
