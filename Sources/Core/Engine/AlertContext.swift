internal import Events
internal import Market
internal import Rules
internal import Time

/// An alert with what decides about it: its rule, the state of its symbol, and the limits changed at run time.
struct AlertContext {
    let alert: Alert
    let rule: Rule
    let symbolState: SymbolState
    let overrides: OverrideTable

    var input: PriceInput { symbolState.inputs[alert.input] }
    var bound: Bound { alert.test.bound }
    var currency: Currency? { rule.currency ?? symbolState.quoteCurrency }

    /// See ``Alert/extremes(in:)``.
    var extremes: Extremes? { alert.extremes(in: input) }

    /// The limit as it is now; nil while one that moves with the price is not known.
    var limit: LimitValue? { alert.test.limit ?? alert.threshold(in: input).map(LimitValue.price) }

    /// The override in effect.
    var activeOverride: LimitOverride? { overrides.active(for: rule, on: symbolState.symbol, bound, from: alert.base) }

    /// When the cooldown ends that the last notified firing began; nil when none was notified.
    var cooldownEnd: WallTime? {
        alert.notification.lastFired.map {
            WallTime(milliseconds: $0.wall.milliseconds + rule.notification.cooldown.count)
        }
    }

    /// The limit at the last usable price of a firing, where it moves with the price.
    private var lastThreshold: LimitValue? {
        alert.state.isFiring ? alert.threshold.map(LimitValue.price) : nil
    }

    /// The alert as it is stored.
    var snapshot: AlertSnapshot {
        let stored = StoredAlertState(
            state: alert.state, notification: alert.notification,
            windowStart: alert.window.flatMap { input.windows[$0].start },
            path: alert.state.isFiring ? alert.path : nil, base: alert.base,
            input: alert.input == 0 ? nil : input.key)
        return AlertSnapshot(
            rule: rule.name, symbol: symbolState.symbol, bound: bound, state: alert.state.name,
            since: alert.state.since, severity: rule.severity, limit: alert.test.limit ?? lastThreshold,
            currency: currency,
            encodedState: stored.text)
    }
}
