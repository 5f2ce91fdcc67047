internal import Events
internal import Rules
internal import Time

extension RuleEngine {
    /// What an action was decided on, beside its price and limit.
    ///
    /// - Parameters:
    ///   - action: what the alert does.
    ///   - alert: as it is after that.
    ///   - before: its state before.
    ///   - symbolState: of its symbol.
    ///   - time: the present.
    /// - Returns: the details; empty fields where they do not apply.
    func details(
        _ action: AlertAction, of alert: Alert, before: AlertState, in symbolState: SymbolState, at time: Instant
    ) -> DecisionDetails {
        let rule = rules[alert.rule]
        let input = symbolState.inputs[alert.input]
        var details = DecisionDetails()
        details.clear = alert.test.clear
        if input.route.path != nil { details.marketPrice = input.now?.price }
        details.firingSince = (alert.machine.firingSince ?? before.firingSince)?.wall
        if action.kind == .fired, case .pending(let since, _, _) = before {
            details.pendingFor = time.boot.since(since.boot)
        }
        if let move = alert.test.move, let held = alert.window.flatMap({ input.windows[$0].extremes }) {
            details.window = move.window
            details.extreme = input.route.shown(alert.test.bound == .rise ? held.lowest : held.highest)
        }
        if action.kind == .fired, action.reason == .cooldown, !action.notified, let last = alert.record.lastFired {
            details.cooldownEnd = WallTime(milliseconds: last.wall.milliseconds + rule.notification.cooldown.count)
        }
        if let override = activeOverride(of: rule, on: symbolState.symbol, alert.test.bound) {
            details.settingsLimit = rule.limit(of: alert.test.bound)
            (details.limitAuthor, details.limitSince) = (override.author, override.since)
        }
        return details
    }
}

extension AlertState {
    var firingSince: Instant? {
        if case .firing(let since, _) = self { since } else { nil }
    }
}
