package import Events
package import ExchangeRates
package import Market
package import Rules
package import Time

extension RuleEngine {
    /// The current rules, in file order.
    package var rules: [Rule] { ruleSet.rules }

    /// Returns all alerts in the order of the rules; for each rule, in the order in which symbols were first seen. A
    /// symbol that a rule names but that was never seen has an alert too: it is `missing`, or `waiting` before the
    /// first poll.
    package func alerts(of symbol: Symbol? = nil) -> [AlertView] { AlertViews(engine: self).alerts(of: symbol) }

    /// Explains the current condition of the alerts of a rule.
    ///
    /// - Parameters:
    ///   - rule: The name of the rule.
    ///   - symbol: Restricts the result to one symbol.
    ///   - now: The current time, for silences and cooldowns.
    /// - Returns: One explanation per alert, in the order in which symbols were first seen; empty for an unknown
    ///   rule.
    package func explain(rule: String, symbol: Symbol? = nil, at now: Instant) -> [AlertExplanation] {
        var walk = AlertWalk()
        var explanations: [AlertExplanation] = []
        _ = advance(&walk, budget: .max / 2) { place in
            guard rules[place.rule].name == rule, symbol == nil || place.symbol == symbol else { return }
            if let explanation = explain(place, at: now) { explanations.append(explanation) }
        }
        return explanations
    }

    /// Returns the limits of all rules for a symbol, in the order of the rules. Limits that are unknown, move with the
    /// price or cannot be converted, and limits of expired rules, are left out.
    package func limits(for symbol: Symbol) -> [SymbolLimit] {
        AlertViews(engine: self).limits(for: symbol)
    }

    /// Returns the current condition of the symbol; nil if it was never seen.
    package func condition(of symbol: Symbol) -> SymbolCondition? {
        symbols[symbol].map(AlertViews(engine: self).condition)
    }

    package func alertCount(of symbol: Symbol) -> Int {
        symbols.number(of: symbol).map { symbols[$0].alerts.count } ?? 0
    }

    /// Number of alerts of all symbols that were seen and not forgotten.
    package var alertCount: Int { symbols.alertCount }

    /// Number of firing alerts.
    package var firingCount: Int { symbols.firingCount }

    /// Returns the number of firing alerts of the symbol.
    package func firingCount(of symbol: Symbol) -> Int { symbols[symbol]?.firingCount ?? 0 }

    package var isFeedStale: Bool { feed.isStale }

    /// True if a rule names the symbol exactly.
    package func isNamed(_ symbol: Symbol) -> Bool { watches.index(of: symbol) != nil }

    /// Returns the quote asset of the symbol; nil while unknown.
    package func quote(of symbol: Symbol) -> Asset? { symbols[symbol]?.quote }

    /// Returns the price of one unit of a coin in the last response: `last` of its market in rupees, or else in USDT;
    /// nil if neither is usable.
    package func market(of coin: Currency) -> ExchangeRate? { symbols.market(of: coin, inPoll: pollCount) }

    /// Returns the price in the last response that a rule's alerts on a symbol were evaluated with, in the rule's
    /// currency, rounded if it was converted. Nil if there was no usable price.
    package func decidingPrice(ofRule number: Int, on symbol: Symbol) -> Price? {
        guard let symbolState = symbols[symbol], let alert = symbolState.alerts.first(where: { $0.rule == number })
        else { return nil }
        return symbolState.inputs[alert.input].now.flatMap { $0.shown($0.price) }
    }

    /// Returns the test of a rule's alert on a symbol; nil if there is no such alert.
    package func test(ofRule number: Int, on symbol: Symbol, _ bound: Bound) -> AlertTest? {
        symbols[symbol]?.alerts.first { $0.rule == number && $0.test.bound == bound }?.test
    }

    /// Returns the number of the first silence that matches events of a rule on a symbol; nil if none does.
    package func silence(of symbol: Symbol, rule: String?, _ severity: Severity, at time: Instant) -> Int64? {
        silences.first(of: symbol, rule: rule, severity, at: time)
    }

    /// The limits changed at run time, in the order of creation, including those not in effect.
    package var overrides: [LimitOverride] { ruleSet.overrides.all }

    /// Returns why an override is not in effect with the current rules; nil if it is.
    package func issue(of override: LimitOverride) -> OverrideIssue? {
        ruleSet.overrides.issue(of: override, among: rules)
    }

    /// Returns the current limit of a rule for a symbol; nil if the rule has no limit of that bound.
    package func limit(of bound: Bound, in rule: Rule, on symbol: Symbol) -> Price? {
        let base = base(of: rule, on: symbol)
        return ruleSet.overrides.active(for: rule, on: symbol, bound, from: base)?.limit
            ?? rule.limit(of: bound, from: base)
    }

    /// Returns the base of a rule's relative limits on a symbol, in the rule's currency. Nil if the rule has none,
    /// and while it is unknown.
    package func base(of rule: Rule, on symbol: Symbol) -> Price? {
        guard rule.condition.base != nil, let state = symbols[symbol] else { return nil }
        return state.alerts.lazy.filter { rules[$0.rule].name == rule.name }.compactMap(\.base).first
    }
}

extension SymbolState {
    var firingCount: Int { alerts.count { $0.state.isFiring } }
}
