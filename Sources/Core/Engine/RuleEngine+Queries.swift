package import Events
package import ExchangeRates
package import Market
package import Rules
package import Time

extension RuleEngine {
    /// The current rules, in file order.
    package var rules: [Rule] { ruleSet.rules }

    /// All alerts in the order of the rules, and of a rule in the order in which symbols were first seen. Symbols that
    /// a rule names but that were never seen have an alert too: it is `missing`, or `waiting` before the first poll.
    package func alerts(of symbol: Symbol? = nil) -> [AlertView] { AlertViews(engine: self).alerts(of: symbol) }

    /// Why the alerts of a rule are as they are.
    ///
    /// - Parameters:
    ///   - rule: The name of the rule.
    ///   - symbol: Only the alerts of this one.
    ///   - now: The present, which silences and cooldowns are compared with.
    /// - Returns: One per alert, in the order in which symbols were first seen; none for an unknown rule.
    package func explain(rule: String, symbol: Symbol? = nil, at now: Instant) -> [AlertExplanation] {
        var walk = AlertWalk()
        var explanations: [AlertExplanation] = []
        _ = advance(&walk, budget: .max / 2) { place in
            guard rules[place.rule].name == rule, symbol == nil || place.symbol == symbol else { return }
            if let explanation = explain(place, at: now) { explanations.append(explanation) }
        }
        return explanations
    }

    /// The limits that rules have for a symbol, in the order of the rules. Those that move with the price are left out,
    /// and those that cannot be converted.
    package func limits(for symbol: Symbol) -> [SymbolLimit] {
        AlertViews(engine: self).limits(for: symbol)
    }

    /// The condition of the symbol now; nil when it was never seen.
    package func condition(of symbol: Symbol) -> SymbolCondition? {
        symbols[symbol].map(AlertViews(engine: self).condition)
    }

    /// How many alerts a symbol has.
    package func alertCount(of symbol: Symbol) -> Int {
        symbols.number(of: symbol).map { symbols[$0].alerts.count } ?? 0
    }

    /// How many alerts there are of the symbols that were seen.
    package var alertCount: Int { symbols.alertCount }

    /// How many alerts fire.
    package var firingCount: Int { symbols.firingCount }

    /// How many alerts of the symbol fire.
    package func firingCount(of symbol: Symbol) -> Int { symbols[symbol]?.firingCount ?? 0 }

    /// Whether there was no usable response for too long.
    package var isFeedStale: Bool { feed.isStale }

    /// Whether a rule names the symbol exactly.
    package func isNamed(_ symbol: Symbol) -> Bool { watches.place(of: symbol) != nil }

    /// The quote asset of the symbol; nil while it is not known.
    package func quote(of symbol: Symbol) -> Asset? { symbols[symbol]?.quote }

    /// What one unit of a coin costs in the last response: `last` of its market in rupees, or else in USDT; nil when
    /// neither can be used.
    package func market(of coin: Currency) -> ExchangeRate? { symbols.market(of: coin, inPoll: pollCount) }

    /// The price of the last response that a rule's alerts on a symbol decided on, in the rule's currency; rounded
    /// where it is converted. Nil when no price was usable.
    package func decidingPrice(ofRule number: Int, on symbol: Symbol) -> Price? {
        guard let symbolState = symbols[symbol], let alert = symbolState.alerts.first(where: { $0.rule == number })
        else { return nil }
        return symbolState.inputs[alert.input].now.flatMap { $0.shown($0.price) }
    }

    /// What a rule's alert on a symbol compares prices with; nil when there is no such alert.
    package func test(ofRule number: Int, on symbol: Symbol, _ bound: Bound) -> AlertTest? {
        symbols[symbol]?.alerts.first { $0.rule == number && $0.test.bound == bound }?.test
    }

    /// The number of the first silence that matches events of a rule on a symbol; nil when none does.
    package func silence(of symbol: Symbol, rule: String?, _ severity: Severity, at time: Instant) -> Int64? {
        silences.first(of: symbol, rule: rule, severity, at: time)
    }

    /// The limits that were changed at run time, in the order in which that was done, also those not in effect.
    package var overrides: [LimitOverride] { ruleSet.overrides.all }

    /// Why an override is not in effect with the current rules; nil when it is.
    package func issue(of override: LimitOverride) -> OverrideIssue? {
        ruleSet.overrides.issue(of: override, among: rules)
    }

    /// The current limit of a rule for a symbol; nil when the rule has none of that bound.
    package func limit(of bound: Bound, in rule: Rule, on symbol: Symbol) -> Price? {
        let base = base(of: rule, on: symbol)
        return ruleSet.overrides.active(for: rule, on: symbol, bound, from: base)?.limit
            ?? rule.limit(of: bound, from: base)
    }

    /// What the relative limits of a rule refer to for a symbol, in the rule's currency; nil without, and while it is
    /// not known.
    package func base(of rule: Rule, on symbol: Symbol) -> Price? {
        guard rule.condition.base != nil, let state = symbols[symbol] else { return nil }
        return state.alerts.lazy.filter { rules[$0.rule].name == rule.name }.compactMap(\.base).first
    }
}

extension SymbolState {
    var firingCount: Int { alerts.count { $0.state.isFiring } }
}
