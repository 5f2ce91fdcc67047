package import Events
package import Market
package import Rules
package import Time

/// What can be said of an alert now.
package enum AlertCondition: String, CaseIterable, Sendable {
    case firing
    case pending
    case inactive
    /// No baseline yet: no usable sample, or fewer than two for a window.
    case waiting
    case frozen
    /// Not in the last response.
    case missing
    /// No price of the rule's kind in the last response that is greater than 0.
    case unusable
    /// The rule's currency is not the market's, and there is no way to convert.
    case unconvertible
    /// The reference rates are too old to decide on.
    case staleRate = "stale_rate"
    /// Its rule is over.
    case expired
    /// It has notified its once, and is not armed.
    case disarmed
}

/// An alert as it is now.
package struct AlertView: Sendable {
    package let rule: Rule
    package let symbol: Symbol
    package let bound: Bound
    package let condition: AlertCondition
    /// Why, or how long, in words; nil when there is nothing to add.
    package let note: String?
    /// Nil while a limit that moves with the price is not known.
    package let limit: LimitValue?
    /// Where it clears, when that is not the limit itself.
    package let clear: LimitValue?
    package let currency: Currency?
    /// The last usable price in that currency; rounded where it is converted.
    package let price: Price?
    package let since: Instant?
    /// Why a firing is not notified; nil when it was, and when nothing fires.
    package let suppressedBy: Reason?
    /// Who stopped the repeats of a firing; nil when nobody did.
    package let acknowledgement: Acknowledgement?
    /// Whether it has notified its once; it may fire all the same.
    package let isDisarmed: Bool
    /// Who changed the limit, when it is not the settings' own.
    package let override: LimitOverride?
}

/// What can be said of a symbol now.
package enum SymbolCondition: String, Sendable {
    case ok
    case frozen
    case missing
    case unusable
}

extension RuleEngine {
    /// Whether there was no usable response for too long.
    package var isFeedStale: Bool { feed.isStale }

    /// When the last usable response was received, also by a process before; nil when there was none.
    package var lastResponse: Instant? { feed.hadResponse ? feed.lastUsable : nil }

    /// How many alerts fire.
    package var firingCount: Int {
        symbolStates.reduce(0) { $0 + $1.alerts.count { $0.machine.isFiring } }
    }

    /// How many alerts of the symbol fire.
    package func firingCount(of symbol: Symbol) -> Int {
        symbolState(of: symbol)?.alerts.count { $0.machine.isFiring } ?? 0
    }

    /// What can be said of the symbol now; nil when it was never seen.
    package func condition(of symbol: Symbol) -> SymbolCondition? {
        symbolState(of: symbol).map(condition)
    }

    /// All alerts in the order of the rules, and of a rule in the order in which symbols were first seen. Symbols that
    /// a rule names but that were never seen have an alert too: it is `missing`, or `waiting` before the first poll.
    package func alerts(of symbol: Symbol? = nil) -> [AlertView] {
        var views: [(rule: Int, view: AlertView)] = []
        for symbolState in symbolStates where symbol == nil || symbolState.symbol == symbol {
            views += symbolState.alerts.map { ($0.rule, view(of: $0, in: symbolState)) }
        }
        for watch in watches where watch.symbolState == nil {
            guard symbol == nil || watch.symbol == symbol else { continue }
            views += unseen(watch.symbol)
        }
        return views.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.view)
    }

    /// The limits that rules have for a symbol in the market's own currency, in the order of the rules; those that move
    /// with the price are left out.
    package func limits(for symbol: Symbol) -> [(bound: Bound, price: Price)] {
        guard let symbolState = symbolState(of: symbol) else { return [] }
        let alerts = symbolState.alerts.filter { symbolState.inputs[$0.input].route.isNone && !$0.isExpired }
        return alerts.flatMap { alert -> [(bound: Bound, price: Price)] in
            switch alert.test.limit {
            case .price(let price): [(alert.test.bound, price)]
            case .range(let low, let high): [(alert.test.bound, low), (alert.test.bound, high)]
            case nil: []
            }
        }
    }

    func symbolState(of symbol: Symbol) -> SymbolState? {
        table.number(of: symbol).map { symbolStates[$0] }
    }

    private func condition(of symbolState: SymbolState) -> SymbolCondition {
        if symbolState.lastPoll != pollCount { return .missing }
        if symbolState.activity.frozenSince != nil { return .frozen }
        return symbolState.lastPrice != nil ? .ok : .unusable
    }

    func view(of alert: Alert, in symbolState: SymbolState) -> AlertView {
        let rule = rules[alert.rule]
        let input = symbolState.inputs[alert.input]
        let condition = condition(of: alert, in: symbolState)
        return AlertView(
            rule: rule, symbol: symbolState.symbol, bound: alert.test.bound, condition: condition,
            note: note(condition, alert, symbolState), limit: limit(of: alert, in: symbolState),
            clear: alert.test.clear,
            currency: rule.currency ?? symbolState.quoteCurrency,
            price: input.previous.flatMap { input.route.shown($0.price) }, since: alert.machine.since,
            suppressedBy: alert.machine.suppressedBy, acknowledgement: alert.machine.acknowledgement,
            isDisarmed: alert.record.isDisarmed,
            override: activeOverride(of: rule, on: symbolState.symbol, alert.test.bound))
    }

    private func unseen(_ symbol: Symbol) -> [(rule: Int, view: AlertView)] {
        let naming = index.rules(for: symbol, in: rules).filter { number in
            rules[number].symbols.contains { $0.exactSymbol == symbol }
        }
        return naming.flatMap { number in
            overrideTable.condition(of: rules[number], on: symbol).tests.map { test in
                let view = AlertView(
                    rule: rules[number], symbol: symbol, bound: test.bound,
                    condition: pollCount == 0 ? .waiting : .missing, note: pollCount == 0 ? nil : "never in a response",
                    limit: test.limit, clear: test.clear, currency: rules[number].currency, price: nil, since: nil,
                    suppressedBy: nil, acknowledgement: nil, isDisarmed: false,
                    override: activeOverride(of: rules[number], on: symbol, test.bound))
                return (number, view)
            }
        }
    }

    private func condition(of alert: Alert, in symbolState: SymbolState) -> AlertCondition {
        if alert.isExpired { return .expired }
        if alert.machine.isFiring { return .firing }
        if alert.record.isDisarmed { return .disarmed }
        if let blocker = blocker(of: symbolState.inputs[alert.input], in: symbolState) { return blocker }
        switch alert.machine {
        case .waiting: return .waiting
        case .pending: return .pending
        case .inactive, .armed, .firing: return .inactive
        }
    }

    /// What keeps alerts that look at the input from evaluating; nil also before its first response.
    func blocker(of input: PriceInput, in symbolState: SymbolState) -> AlertCondition? {
        switch (condition(of: symbolState), input.route) {
        case (.missing, _): .missing
        case (.frozen, _): .frozen
        case (_, .unconvertible): input.wasRead ? .unconvertible : nil
        case (_, .stale): .staleRate
        case (.unusable, _) where input.kind == .last: .unusable
        // Whether there is a last price the case before has asked: after a reload it may just not be converted yet.
        default: input.kind != .last && input.wasRead && input.now == nil ? .unusable : nil
        }
    }
}

extension AlertView {
    /// How far the price is from the limit, in per cent of the price; positive while the limit is not reached.
    package var distancePercent: Price? {
        guard let price else { return nil }
        switch (limit, bound) {
        case (nil, _): return nil
        case (.price(let limit), .max), (.price(let limit), .rise), (.price(let limit), .crossUp):
            return limit.percentChange(from: price)
        case (.price(let limit), _): return limit.percentChange(from: price).flatMap(Price.zero.subtracting)
        case (.range(let low, let high), _):
            let toLow = low.percentChange(from: price)
            let toHigh = high.percentChange(from: price).flatMap(Price.zero.subtracting)
            return toLow.flatMap { low in toHigh.map { max(low, $0) } }
        }
    }
}
