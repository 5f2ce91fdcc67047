package import Events
internal import Market
package import Rules
package import Time

/// The firings that end because a reload changes or removes their rules.
struct FiringEnds {
    let change: RuleSetChange
    /// The rules and alerts before the reload.
    let rules: [RuleIdentity]
    let alerts: [AlertSnapshot]
    let clock: ClockTranslation
    let silences: [Silence]

    /// Returns the events: by rule in the old order, then by symbol, then by bound.
    func occurrences(_ symbolState: (Symbol) -> SymbolState?) -> [Occurrence] {
        let reasons = Dictionary(
            change.removed.map { ($0, Reason.ruleRemoved) } + change.changed.map { ($0, Reason.ruleChanged) }
        ) { first, _ in first }
        guard !reasons.isEmpty, !alerts.isEmpty else { return [] }
        let places = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        return alerts.filter { $0.state == "firing" && reasons[$0.rule] != nil }.enumerated()
            .sorted { left, right in
                let (first, second) = (left.element, right.element)
                return (places[first.rule] ?? 0, first.symbol, left.offset)
                    < (places[second.rule] ?? 0, second.symbol, right.offset)
            }.map { _, alert in
                let stored = StoredAlertState(alert.encodedState, clock: clock)
                let isNotified = stored?.state.isNotifiedFiring ?? true
                let silence = silences.first(of: alert.symbol, rule: alert.rule, alert.severity, at: clock.now)
                let action = AlertAction(ending: isNotified, reasons[alert.rule], silence: silence)
                return Occurrence(ending: alert, action, symbolState(alert.symbol), stored?.path, at: clock.now)
            }
    }
}

extension [Silence] {
    /// Returns the number of the first silence that matches an event; nil if none does.
    func first(of symbol: Symbol, rule: String?, _ severity: Severity, at time: Instant) -> Int64? {
        isEmpty ? nil : first { $0.matches(symbol, rule: rule, severity, at: time) }?.number
    }
}

extension Occurrence {
    /// The event of a reload that changed the set of rules.
    package init(_ change: RuleSetChange, at time: Instant) {
        let parts = [
            ("added", change.added), ("removed", change.removed), ("changed", change.changed),
        ].filter { !$0.1.isEmpty }.map { "\($0.0) \(Self.list($0.1))" }
        self.init(
            time: time.wall, kind: .rulesChanged, severity: .info,
            text: "Rules changed: \(parts.joined(separator: "; ")); \(change.kept.count) unchanged")
    }

    /// Lists at most ten names, so that the text stays readable.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
        return names.count > 10 ? "\(shown) and \(names.count - 10) more" : shown
    }
}
