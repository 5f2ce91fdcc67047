internal import Events
internal import Market
internal import Rules
internal import Time

/// An alert with everything that its evaluation depends on: its rule, the state of its symbol, and the limits changed
/// at run time.
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

    /// The current limit; nil while a limit that moves with the price is unknown.
    var limit: LimitValue? { alert.test.limit ?? alert.threshold(in: input).map(LimitValue.price) }

    var activeOverride: LimitOverride? { overrides.active(for: rule, on: symbolState.symbol, bound, from: alert.base) }

    /// End of the cooldown that began with the last notified firing; nil if no firing was notified.
    var cooldownEnd: WallTime? {
        alert.notification.lastFired.map {
            WallTime(milliseconds: $0.wall.milliseconds + rule.notification.cooldown.count)
        }
    }

    /// The value of a moving limit at the last usable price of a firing.
    private var lastThreshold: LimitValue? {
        alert.state.isFiring ? alert.threshold.map(LimitValue.price) : nil
    }

    /// The alert in the form in which it is stored.
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
