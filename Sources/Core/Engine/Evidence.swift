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
        occurrence.text =
            rule.message?.text(for: occurrence) ?? alert.test.text(for: occurrence, market: symbolState.marketName)
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

extension Occurrence {
    /// The end of a firing that no sample caused: its rule has expired, or the rule or its limit was changed or removed.
    init(
        ending alert: AlertSnapshot, _ action: AlertAction, _ symbolState: SymbolState?, at time: Instant,
        isLimitChange: Bool = false
    ) {
        let input = symbolState?.input(of: alert)
        let previous = input?.previous
        let price = previous.flatMap { previous in input?.route.shown(previous.price) }
        let cause =
            switch action.reason {
            case .ruleRemoved: "rule removed"
            case .ruleExpired: "rule expired"
            default: isLimitChange ? "limit changed" : "rule changed"
            }
        let conversion = input?.route.path?.evidence
        let amounts = EventAmounts(limit: alert.limit, currency: alert.currency, conversion: conversion)
        let market = symbolState?.marketName ?? "\(alert.symbol)"
        var details = DecisionDetails()
        details.firingSince = alert.since?.wall
        self.init(
            time: time.wall, kind: .resolved, rule: alert.rule, symbol: alert.symbol, bound: alert.bound,
            severity: alert.severity, price: price, limit: alert.limit, currency: alert.currency,
            previous: previous.flatMap { previous in price.map { PreviousPrice(price: $0, time: previous.time.wall) } },
            received: previous?.time.wall, conversion: conversion, notified: action.notified,
            reason: action.reason, silence: action.silence,
            details: details, text: "\(market): \(alert.bound.title(amounts.limits)) no longer applies (\(cause))")
    }
}
