internal import Events
internal import Market
internal import Rules
internal import Time

extension AlertContext {
    /// Returns the occurrence of an alert's action, with the evidence for the decision.
    ///
    /// - Parameters:
    ///   - action: The alert's action. The alert of the context already has the state after it.
    ///   - before: The state before the action.
    ///   - ticker: The ticker of the response.
    ///   - time: The current time.
    ///   - shown: The price in the display currency, for the text; nil if that is the same currency or the price is
    ///     unknown.
    /// - Returns: The occurrence, with its text.
    func occurrence(
        _ action: AlertAction, before: AlertState, _ ticker: Ticker, at time: Instant, shown: String?
    ) -> Occurrence {
        if action.reason == .ruleExpired {
            var ended = snapshot
            ended.limit = alert.test.limit ?? alert.threshold.map(LimitValue.price)
            var occurrence = Occurrence(ending: ended, action, symbolState, alert.path, at: time)
            occurrence.details = details(action, before: before, at: time)
            return occurrence
        }
        let now = input.now
        let exchangeTime = ticker.exchangeTime
        var occurrence = Occurrence(
            time: time.wall, kind: action.kind, rule: rule.name, symbol: symbolState.symbol, bound: bound,
            severity: rule.severity, price: now.flatMap { $0.shown($0.price) }, limit: limit, currency: currency,
            previous: now.flatMap { now in
                now.previous.flatMap { previous in
                    now.shown(previous.price).map { PreviousPrice(price: $0, time: previous.time.wall) }
                }
            },
            exchangeTime: exchangeTime, received: time.wall,
            sampleAge: exchangeTime.map { max(.zero, time.wall.since($0)) }, conversion: now?.path?.evidence,
            notified: action.notified, reason: action.reason, silence: action.silence, text: "")
        occurrence.details = details(action, before: before, at: time)
        occurrence.text =
            rule.ownText(for: occurrence)
            ?? alert.test.text(for: occurrence, market: symbolState.marketName, shown: shown)
        return occurrence
    }

    /// Returns additional facts behind an action. Facts that do not apply are nil.
    private func details(_ action: AlertAction, before: AlertState, at time: Instant) -> DecisionDetails {
        var details = DecisionDetails()
        details.clear = alert.test.clear
        if input.route.path != nil { details.marketPrice = input.now?.price }
        details.firingSince = (alert.state.firingSince ?? before.firingSince)?.wall
        if action.kind == .fired, case .pending(let since, _, _) = before {
            details.pendingFor = time.boot.since(since.boot)
        }
        if action.reason != .ruleExpired {
            details.clearFor = (alert.state.isFiring ? alert.state : before).clearFor(at: time)
        }
        if let move = alert.test.move, let extremes {
            details.window = move.window
            details.extreme = input.route.shown(move.base(bound, extremes))
        }
        if action.kind == .fired, action.reason == .cooldown, !action.notified { details.cooldownEnd = cooldownEnd }
        if action.reason == .onlyWhile { details.onlyWhile = rule.notification.onlyWhile }
        addOverride(in: &details)
        return details
    }

    /// Adds the configured limit, and who changed it at run time and when. Adds nothing if no override is in effect.
    func addOverride(in details: inout DecisionDetails) {
        guard let override = activeOverride else { return }
        details.settingsLimit = rule.limit(of: bound, from: alert.base)
        (details.limitBy, details.limitSince) = (override.author.description, override.since)
    }

    /// Returns the occurrence of a firing that ends because its limit is changed at run time.
    func endingByLimitChange(silence: Int64?, at time: Instant) -> Occurrence {
        let action = AlertAction(ending: alert.state.isNotifiedFiring, .ruleChanged, silence: silence)
        var occurrence = Occurrence(ending: snapshot, action, symbolState, alert.path, at: time, isLimitChange: true)
        occurrence.details.clear = alert.test.clear
        return occurrence
    }
}

extension AlertState {
    /// Returns the time for which a firing alert has been clear; nil if it is not clear.
    func clearFor(at time: Instant) -> Milliseconds? {
        clearSince.map { max(.zero, time.boot.since($0.boot)) }
    }
}

extension AlertAction {
    /// The action that ends a firing for a reason other than a price. It is notified if the firing was notified and
    /// no silence matches.
    init(ending isNotified: Bool, _ reason: Reason?, silence: Int64?) {
        let silence = isNotified ? silence : nil
        self.init(kind: .resolved, notified: isNotified && silence == nil, reason: reason, silence: silence)
    }
}

extension Occurrence {
    /// The end of a firing for a reason other than a price: its rule expired, the rule or its limit was changed or
    /// removed, or its symbol was forgotten.
    ///
    /// The event has the last usable price at the conversion of that time, even if rates have changed since.
    init(
        ending alert: AlertSnapshot, _ action: AlertAction, _ symbolState: SymbolState?, _ path: RulePath?,
        at time: Instant, isLimitChange: Bool = false
    ) {
        let input = symbolState?.input(of: alert)
        let path = input?.route.isNone ?? true ? nil : path
        let previous = input?.previous
        let price = previous.flatMap { previous in
            input?.route.isNone ?? true ? previous.price : path?.shown(previous.price)
        }
        let cause =
            switch action.reason {
            case .ruleRemoved: "rule removed"
            case .ruleExpired: "rule expired"
            case .symbolGone: "symbol gone"
            default: isLimitChange ? "limit changed" : "rule changed"
            }
        let conversion = path?.evidence
        let amounts = EventAmounts(limit: alert.limit, currency: alert.currency)
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
