package import Market

/// What else an event of an alert was decided on: with its evidence, enough to say later why it happened and why it was
/// told or not. What is nil played no part.
package struct Grounds: Equatable, Sendable {
    /// Where a firing is over, in the event's currency, when that is not the limit itself.
    package var clear: LimitValue?
    /// The price in the market's own currency, when it was converted.
    package var marketPrice: Price?
    /// How long the limit was reached before the alert fired.
    package var pendingFor: Milliseconds?
    /// When the firing began that the event is about.
    package var firingSince: WallTime?
    /// The window of a rise or fall, and the price of it that it was measured from, in the event's currency.
    package var window: Milliseconds?
    package var extreme: Price?
    /// The end of the cooldown that held it back.
    package var cooldownEnd: WallTime?
    /// The limit of the settings, when another one was in its place, and who put it there.
    package var settingsLimit: Price?
    package var limitAuthor: UserIdentity?
    package var limitSince: WallTime?

    package init() {}

    package var isEmpty: Bool { self == Grounds() }
}

extension RuleEngine {
    /// What an action was decided on, beside its price and limit.
    ///
    /// - Parameters:
    ///   - action: what the alert does.
    ///   - alert: as it is after that.
    ///   - before: its state before.
    ///   - track: of its symbol.
    ///   - time: the present.
    /// - Returns: the grounds; empty fields where they do not apply.
    func grounds(
        _ action: AlertAction, of alert: Alert, before: AlertMachine, in track: MarketTrack, at time: Instant
    ) -> Grounds {
        let rule = rules[alert.rule]
        let reading = track.readings[alert.reading]
        var grounds = Grounds()
        grounds.clear = alert.test.clear
        if reading.route.path != nil { grounds.marketPrice = reading.now?.price }
        grounds.firingSince = (alert.machine.firingSince ?? before.firingSince)?.wall
        if action.kind == .fired, case .pending(let since, _, _) = before {
            grounds.pendingFor = time.boot.since(since.boot)
        }
        if let move = alert.test.move, let held = alert.window.flatMap({ reading.windows[$0].extremes }) {
            grounds.window = move.window
            grounds.extreme = reading.route.shown(alert.test.bound == .rise ? held.lowest : held.highest)
        }
        if action.kind == .fired, action.reason == .cooldown, !action.told, let last = alert.record.lastFired {
            grounds.cooldownEnd = WallTime(milliseconds: last.wall.milliseconds + rule.telling.cooldown.count)
        }
        if let override = activeOverride(of: rule, on: track.symbol, alert.test.bound) {
            grounds.settingsLimit = rule.limit(of: alert.test.bound)
            (grounds.limitAuthor, grounds.limitSince) = (override.author, override.since)
        }
        return grounds
    }
}

extension AlertMachine {
    var firingSince: Instant? {
        if case .firing(let since, _) = self { since } else { nil }
    }
}
