internal import Events
internal import Market
internal import Rules
internal import Time

/// Read-only views of the current alerts and symbols of an engine. Made for a single query, so that the engine never
/// has to copy its state.
struct AlertViews {
    let engine: RuleEngine

    /// See ``RuleEngine/alerts(of:)``.
    func alerts(of symbol: Symbol?) -> [AlertView] {
        places(of: symbol).map(view)
    }

    /// Location of an alert, which is much cheaper than its view.
    private struct Place {
        enum Kind {
            case seen(symbolState: Int, alert: Int)
            case unseen(Symbol, AlertTest)
        }

        var rule: Int
        var kind: Kind
    }

    /// In the order of the rules.
    private func places(of symbol: Symbol?) -> [Place] {
        var places: [Place] = []
        for (number, symbolState) in engine.symbols.all.enumerated()
        where symbol == nil || symbolState.symbol == symbol {
            places += symbolState.alerts.enumerated().map { index, alert in
                Place(rule: alert.rule, kind: .seen(symbolState: number, alert: index))
            }
        }
        for watch in engine.watches.all where watch.symbolState == nil {
            guard symbol == nil || watch.symbol == symbol else { continue }
            places += unseen(watch.symbol)
        }
        return places.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element)
    }

    private func view(_ place: Place) -> AlertView {
        switch place.kind {
        case .seen(let number, let index):
            let symbolState = engine.symbols[number]
            return view(of: engine.ruleSet.context(of: symbolState.alerts[index], in: symbolState))
        case .unseen(let symbol, let test): return view(ofUnseen: symbol, engine.rules[place.rule], test)
        }
    }

    /// See ``RuleEngine/limits(for:)``.
    func limits(for symbol: Symbol) -> [SymbolLimit] {
        guard let symbolState = engine.symbols[symbol] else { return [] }
        return symbolState.alerts.filter { !$0.isExpired }.flatMap { alert -> [SymbolLimit] in
            let route = symbolState.inputs[alert.input].route
            return (alert.test.limit?.prices ?? []).compactMap { price in
                route.marketPrice(of: price).map { market in
                    SymbolLimit(
                        bound: alert.test.bound, price: price,
                        currency: route.isNone ? nil : engine.rules[alert.rule].currency, marketPrice: market)
                }
            }
        }
    }

    func condition(of symbolState: SymbolState) -> SymbolCondition {
        if symbolState.presence.lastPoll != engine.pollCount { return .missing }
        if symbolState.activity.frozenSince != nil { return .frozen }
        return symbolState.presence.lastPrice != nil ? .ok : .unusable
    }

    func view(of context: AlertContext) -> AlertView {
        let (alert, input) = (context.alert, context.input)
        let condition = condition(of: context)
        return AlertView(
            rule: context.rule, symbol: context.symbolState.symbol, bound: context.bound, condition: condition,
            note: hint(condition, context), limit: context.limit, clear: alert.test.clear, currency: context.currency,
            price: input.previous.flatMap { input.route.shown($0.price) }, since: alert.state.since,
            suppressedBy: alert.state.suppressedBy, acknowledgement: alert.state.acknowledgement,
            isDisarmed: alert.notification.isDisarmed, override: context.activeOverride)
    }

    private func unseen(_ symbol: Symbol) -> [Place] {
        unseenTests(of: symbol).map { Place(rule: $0.rule, kind: .unseen(symbol, $0.test)) }
    }

    /// Returns the alerts of a symbol that rules name exactly but that no response has had yet.
    func unseenTests(of symbol: Symbol) -> [(rule: Int, test: AlertTest)] {
        let rules = engine.rules
        let naming = engine.ruleSet.index.rules(for: symbol, in: rules).filter { number in
            rules[number].symbols.contains { $0.exactSymbol == symbol }
        }
        return naming.flatMap { number in
            engine.ruleSet.overrides.tests(of: rules[number], on: symbol, from: nil).map { (number, $0) }
        }
    }

    func view(ofUnseen symbol: Symbol, _ rule: Rule, _ test: AlertTest) -> AlertView {
        let hasPolled = engine.pollCount > 0
        return AlertView(
            rule: rule, symbol: symbol, bound: test.bound, condition: hasPolled ? .missing : .waiting,
            note: hasPolled ? "never in a response" : nil, limit: test.limit, clear: test.clear,
            currency: rule.currency, price: nil, since: nil, suppressedBy: nil, acknowledgement: nil,
            isDisarmed: false, override: engine.ruleSet.overrides.active(for: rule, on: symbol, test.bound, from: nil))
    }

    func condition(of context: AlertContext) -> AlertCondition {
        let alert = context.alert
        if alert.isExpired { return .expired }
        if alert.state.isFiring { return .firing }
        if alert.notification.isDisarmed { return .disarmed }
        if let blocker = blocker(of: context) { return blocker }
        switch alert.state {
        case .waiting: return .waiting
        case .pending: return .pending
        case .inactive, .armed, .firing: return .inactive
        }
    }

    /// Returns what blocks the evaluation; nil if nothing does, or if it is unknown because the input has not been
    /// read yet.
    func blocker(of context: AlertContext) -> AlertCondition? {
        let input = context.input
        return switch (condition(of: context.symbolState), input.route) {
        case (.missing, _): .missing
        case (.frozen, _): .frozen
        case (_, .unconvertible): input.wasRead ? .unconvertible : nil
        case (_, .stale): .staleRate
        case (.unusable, _) where input.kind == .last: .unusable
        // A last price is usable here, or the previous case would have matched. After a reload it may not be
        // converted yet.
        default: input.kind != .last && input.wasRead && input.now == nil ? .unusable : nil
        }
    }

    /// Returns how long a breach or clear time had lasted at the last response. The time after it counts only once
    /// the next response confirms it.
    func lasting(since: Instant) -> Milliseconds {
        engine.lastPoll.map { max(.zero, $0.boot.since(since.boot)) } ?? .zero
    }

    /// Returns the reason for the condition, as text for people.
    private func hint(_ condition: AlertCondition, _ context: AlertContext) -> String? {
        let (alert, rule, symbolState) = (context.alert, context.rule, context.symbolState)
        switch condition {
        case .firing: return firingNote(context)
        case .pending:
            guard case .pending(let since, _, _) = alert.state else { return nil }
            return "\(lasting(since: since).approximate) of \(rule.hold)"
        case .inactive: return nil
        case .waiting:
            guard alert.window == nil else { return "fewer than two prices in the window" }
            if let missing = context.missingBase { return missing }
            // An alert whose limit was just changed gets its first price with the next response.
            return context.input.previous == nil ? "no usable price yet" : "evaluated from the next price on"
        case .frozen: return symbolState.activity.frozenSince.map { "since \($0.wall)" }
        case .missing: return "not in the last response"
        case .unusable: return "no \(rule.price.rawValue) price in the last response"
        case .unconvertible:
            let quote = symbolState.quoteCurrency.map { "\($0)" } ?? "an unknown currency"
            return "no conversion path \(quote) → \(rule.currency.map { "\($0)" } ?? "?")"
        case .staleRate: return "the reference rates are too old"
        case .expired: return rule.expires.map { "since \($0)" }
        case .disarmed: return "notified once; re-arm it to be notified again"
        }
    }

    private func firingNote(_ context: AlertContext) -> String? {
        switch context.alert.state {
        case .firing(_, .notified(_, let acknowledgement?), _): "acknowledged by \(acknowledgement.user)"
        case .firing(_, .notified, let clearSince?):
            "clear for \(lasting(since: clearSince).approximate) of \(context.rule.keepFiring)"
        case .firing(_, .suppressed(.onlyWhile, _), _):
            "not notified: " + (context.rule.notification.onlyWhile.map { "'\($0)' is not firing" } ?? "only_while")
        case .firing(_, .suppressed(.cooldown, _), _):
            "not notified: cooldown" + (context.cooldownEnd.map { " until \($0)" } ?? "")
        case .firing(_, .suppressed(let reason, _), _): "not notified: \(reason.rawValue)"
        default: nil
        }
    }
}
