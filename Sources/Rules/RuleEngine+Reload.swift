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
        let change = RuleSetChange(from: rules.map(\.identity), to: newRules.map(\.identity))
        var occurrences = endings(change, of: snapshot().alerts, order: rules.map(\.name), at: time)
        replaceAlerts(rules: newRules, kept: Set(change.kept))
        settings = newSettings
        changes.isWhole = true
        if !change.isEmpty { occurrences.append(Occurrence(change, at: time)) }
        return (change, occurrences)
    }

    /// The ends of the firings whose rules go or change: by rule in the old order, by symbol, by bound.
    func endings(
        _ change: RuleSetChange, of alerts: [AlertSnapshot], order: [String], at time: Instant
    ) -> [Occurrence] {
        let reasons = Dictionary(
            change.removed.map { ($0, Reason.ruleRemoved) } + change.changed.map { ($0, Reason.ruleChanged) }
        ) { first, _ in first }
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        return alerts.filter { $0.state == "firing" && reasons[$0.rule] != nil }.enumerated()
            .sorted { left, right in
                let (first, second) = (left.element, right.element)
                return (places[first.rule] ?? 0, first.symbol, left.offset)
                    < (places[second.rule] ?? 0, second.symbol, right.offset)
            }.map { _, alert in
                let previous = table.number(of: alert.symbol).flatMap { tracks[$0].previous }
                return Occurrence(ending: alert, previous: previous, at: time, reason: reasons[alert.rule])
            }
    }

    private mutating func replaceAlerts(rules newRules: [Rule], kept: Set<String>) {
        let oldRules = rules
        let oldStates = Dictionary(watches.map { ($0.symbol, $0.state) }) { first, _ in first }
        rules = newRules
        index = RuleIndex(newRules)
        watches = SymbolWatch.all(for: newRules)
        watchPlaces = SymbolWatch.places(of: watches)
        for number in tracks.indices { tracks[number].watch = nil }
        for index in watches.indices {
            watches[index].state = oldStates[watches[index].symbol] ?? .normal
            watches[index].track = table.number(of: watches[index].symbol)
            if let track = watches[index].track { tracks[track].watch = index }
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
    init(_ change: RuleSetChange, at time: Instant) {
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
