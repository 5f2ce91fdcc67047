internal import Events
internal import Market
internal import Rules
internal import Time

extension RuleEngine {
    /// The occurrence of what an alert does, with all that it was decided on.
    func occurrence(
        _ action: AlertAction, of alert: Alert, before: AlertState, _ number: Int, _ ticker: Ticker, at time: Instant
    ) -> Occurrence {
        let rule = rules[alert.rule]
        let symbolState = symbolStates[number]
        let input = symbolState.inputs[alert.input]
        if action.reason == .ruleExpired {
            var ended = snapshot(of: alert, in: symbolState)
            ended.limit = limit(of: alert, in: symbolState)
            var occurrence = Occurrence(ending: ended, action, symbolState, at: time)
            occurrence.details = details(action, of: alert, before: before, in: symbolState, at: time)
            return occurrence
        }
        let now = input.now
        let exchangeTime = ticker.exchangeTime
        var occurrence = Occurrence(
            time: time.wall, kind: action.kind, rule: rule.name, symbol: symbolState.symbol, bound: alert.test.bound,
            severity: rule.severity, price: now.flatMap { $0.shown($0.price) },
            limit: limit(of: alert, in: symbolState),
            currency: rule.currency ?? symbolState.quoteCurrency,
            previous: now.flatMap { now in
                now.previous.flatMap { previous in
                    now.shown(previous.price).map { PreviousPrice(price: $0, time: previous.time.wall) }
                }
            },
            exchangeTime: exchangeTime, received: time.wall,
            sampleAge: exchangeTime.map { max(.zero, time.wall.since($0)) }, conversion: now?.path?.evidence,
            notified: action.notified, reason: action.reason, silence: action.silence, text: "")
        occurrence.details = details(action, of: alert, before: before, in: symbolState, at: time)
        occurrence.text = rule.message?.text(for: occurrence) ?? alert.test.text(for: occurrence)
        return occurrence
    }

    /// The limit of an alert as it is now.
    func limit(of alert: Alert, in symbolState: SymbolState) -> LimitValue? {
        if let limit = alert.test.limit { return limit }
        let input = symbolState.inputs[alert.input]
        let isConvertible = input.route.isNone || input.route.path != nil
        guard isConvertible, let move = alert.test.move,
            let window = alert.window.flatMap({ input.windows[$0].extremes })
        else {
            return nil
        }
        return move.threshold(alert.test.bound, window, input.route.path).map(LimitValue.price)
    }
}

extension AlertTest {
    /// A text for people.
    fileprivate func text(for event: Occurrence) -> String {
        let price = event.price.map { " at \($0)" } ?? ""
        let unit = event.currency.map { " \($0)" } ?? ""
        let limit = event.limit.map { " \($0)" } ?? ""
        let still = event.kind == .repeated ? "is still" : "is"
        let isOver = event.kind == .resolved
        let what =
            switch self {
            case .min: isOver ? "is back above min\(limit)" : "\(still) at or below min\(limit)"
            case .max: isOver ? "is back below max\(limit)" : "\(still) at or above max\(limit)"
            case .within: isOver ? "has left\(limit)" : "\(still) within\(limit)"
            case .rise(let move): Self.text(move, "risen", "at or above", limit, isOver, still)
            case .fall(let move): Self.text(move, "fallen", "at or below", limit, isOver, still)
            case .crossUp: "has crossed\(limit) upward"
            case .crossDown: "has crossed\(limit) downward"
            }
        return "\(event.symbol.map { "\($0)" } ?? "")\(price)\(unit) \(what)\(Self.why(event))"
    }

    private static func text(
        _ move: Move, _ verb: String, _ place: String, _ limit: String, _ isOver: Bool, _ still: String
    ) -> String {
        let much = "\(move.distance) or more within \(move.window)"
        return isOver ? "has no longer \(verb) by \(much)" : "has \(verb) by \(much): \(still) \(place)\(limit)"
    }

    private static func why(_ event: Occurrence) -> String {
        switch (event.reason, event.notified) {
        case (.alreadyBreached, _): ", as it was when first seen"
        case (.afterGap, _): ", seen after a gap"
        case (.afterSuspend, _): ", seen after the machine was suspended"
        case (.cooldown, true): ", notified now that the cooldown is over"
        case (.silenced, true): ", notified now that the silence is over"
        case (.disarmed, true): ", notified now that the rule is armed again"
        default: ""
        }
    }
}

extension Occurrence {
    /// The end of a firing that no sample gave rise to: its rule is over, was changed or removed.
    init(ending alert: AlertSnapshot, _ action: AlertAction, _ symbolState: SymbolState?, at time: Instant) {
        let input = symbolState?.input(of: alert)
        let previous = input?.previous
        let price = previous.flatMap { previous in input?.route.shown(previous.price) }
        let what =
            switch action.reason {
            case .ruleRemoved: "the rule was removed"
            case .ruleExpired: "the rule has expired"
            default: "the rule was changed"
            }
        let limit = alert.limit.map { " \($0)" } ?? ""
        var details = DecisionDetails()
        details.firingSince = alert.since?.wall
        self.init(
            time: time.wall, kind: .resolved, rule: alert.rule, symbol: alert.symbol, bound: alert.bound,
            severity: alert.severity, price: price, limit: alert.limit, currency: alert.currency,
            previous: previous.flatMap { previous in price.map { PreviousPrice(price: $0, time: previous.time.wall) } },
            received: previous?.time.wall, conversion: input?.route.path?.evidence, notified: action.notified,
            reason: action.reason, silence: action.silence,
            details: details, text: "\(alert.symbol) \(alert.bound.rawValue)\(limit): \(what)")
    }
}
