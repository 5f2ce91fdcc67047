package import Events
internal import Rules
package import Time

extension RuleEngine {
    /// Returns a reminder of an alert whose firing was notified, for receivers that may have restarted; nil for any
    /// other alert. The alert and the time of its next repeat notification do not change.
    package func reminder(of place: AlertPlace, at time: Instant) -> Occurrence? {
        guard let context = context(of: place), context.alert.state.isNotifiedFiring, !context.alert.isExpired else {
            return nil
        }
        return context.reminder(at: time)
    }
}

extension AlertContext {
    /// Makes a `repeated` event with the last usable price.
    fileprivate func reminder(at time: Instant) -> Occurrence {
        var occurrence = Occurrence(
            time: time.wall, kind: .repeated, rule: rule.name, symbol: symbolState.symbol, bound: bound,
            severity: rule.severity, price: input.previous.flatMap { input.route.shown($0.price) }, limit: limit,
            currency: currency, received: input.previous?.time.wall, text: "")
        occurrence.details.firingSince = alert.state.firingSince?.wall
        occurrence.details.clearFor = alert.state.clearFor(at: time)
        occurrence.text =
            rule.ownText(for: occurrence) ?? alert.test.text(for: occurrence, market: symbolState.marketName)
        return occurrence
    }
}
