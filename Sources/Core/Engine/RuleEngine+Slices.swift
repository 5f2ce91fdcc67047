package import Events
package import Market
package import Rules
package import Time

/// The location of one alert in an engine, valid as long as the rules and symbols stay the same.
package struct AlertPlace: Sendable {
    /// Index of the rule in file order.
    package let rule: Int
    package let symbol: Symbol
    fileprivate let kind: Kind

    fileprivate enum Kind: Sendable {
        case seen(symbolState: Int, alert: Int)
        case unseen(AlertTest)
    }
}

/// The progress of a walk over all alerts.
package struct AlertWalk: Sendable {
    /// Index of the next symbol: first the symbols that were seen, then the watches.
    fileprivate var symbol: Int
    fileprivate var alert = 0
    /// One past the last symbol; nil for no limit.
    fileprivate var end: Int?

    /// Starts a walk over the alerts of all symbols.
    package init() { symbol = 0 }

    fileprivate init(only symbol: Int) { (self.symbol, end) = (symbol, symbol + 1) }
}

/// An alert as a list of rules shows it.
package struct AlertSummary: Sendable {
    package let bound: Bound
    package let condition: AlertCondition
    /// Nil while a limit that moves with the price is unknown.
    package let limit: LimitValue?
    /// The currency of the limit; nil if it is the market's and that is unknown.
    package let currency: Currency?
    /// The override that replaces the configured limit; nil if there is none.
    package let override: LimitOverride?
}

/// An alert as the metrics show it.
package struct AlertGauge: Sendable {
    /// Index of the rule in file order.
    package let rule: Int
    package let symbol: Symbol
    package let bound: Bound
    /// Nil while a limit that moves with the price is unknown.
    package let limit: LimitValue?
    package let currency: Currency?
    /// True if the alert fires and its rule has not expired.
    package let isFiring: Bool
}

// There may be more than 100,000 alerts, so a walk over them is divided into slices. The engine may change between
// slices; an alert that is no longer at its place is skipped.
extension RuleEngine {
    /// Returns a walk over the alerts of one symbol; nil for an unknown symbol.
    package func walk(over symbol: Symbol) -> AlertWalk? {
        if let number = symbols.number(of: symbol) { return AlertWalk(only: number) }
        return watches.index(of: symbol).map { AlertWalk(only: symbols.count + $0) }
    }

    /// Calls the body with the next alerts; the alerts of a symbol are consecutive.
    ///
    /// - Parameters:
    ///   - walk: the walk, which is advanced.
    ///   - budget: the approximate number of alerts to visit.
    ///   - body: called with each alert.
    /// - Returns: true if there are more alerts.
    package func advance(_ walk: inout AlertWalk, budget: Int, _ body: (AlertPlace) -> Void) -> Bool {
        var left = budget
        let end = min(walk.end ?? .max, symbols.count + watches.all.count)
        while walk.symbol < end, left > 0 {
            if walk.symbol < symbols.count {
                visitSeen(&walk, &left, body)
            } else {
                left -= visitUnseen(walk.symbol - symbols.count, body)
                walk.symbol += 1
            }
        }
        return walk.symbol < end
    }

    private func visitSeen(_ walk: inout AlertWalk, _ left: inout Int, _ body: (AlertPlace) -> Void) {
        let number = walk.symbol
        let symbol = symbols[number].symbol
        let count = symbols[number].alerts.count
        let stop = min(count, walk.alert + left)
        for index in min(walk.alert, stop)..<stop {
            let rule = symbols[number].alerts[index].rule
            body(AlertPlace(rule: rule, symbol: symbol, kind: .seen(symbolState: number, alert: index)))
        }
        left -= stop - min(walk.alert, stop) + 1
        walk.alert = stop
        if stop == count { (walk.symbol, walk.alert) = (number + 1, 0) }
    }

    /// - Returns: the cost, in alerts.
    private func visitUnseen(_ index: Int, _ body: (AlertPlace) -> Void) -> Int {
        guard watches.all[index].symbolState == nil else { return 1 }
        let symbol = watches.all[index].symbol
        for (rule, test) in AlertViews(engine: self).unseenTests(of: symbol) {
            body(AlertPlace(rule: rule, symbol: symbol, kind: .unseen(test)))
        }
        return 1 + ruleSet.index.patternCount
    }

    /// Returns the current view of the alert; nil if it no longer exists.
    package func view(of place: AlertPlace) -> AlertView? {
        guard rules.indices.contains(place.rule) else { return nil }
        switch place.kind {
        case .seen: return context(of: place).map(AlertViews(engine: self).view)
        case .unseen(let test):
            return AlertViews(engine: self).view(ofUnseen: place.symbol, rules[place.rule], test)
        }
    }

    /// True if the alert fires and its rule has not expired.
    package func isFiring(_ place: AlertPlace) -> Bool {
        guard case .seen(let number, let index) = place.kind, symbols.indices.contains(number),
            symbols[number].alerts.indices.contains(index)
        else { return false }
        return symbols[number].alerts[index].state.isFiring && !symbols[number].alerts[index].isExpired
    }

    /// Returns the condition of the alert; nil if it no longer exists.
    package func condition(of place: AlertPlace) -> AlertCondition? {
        guard rules.indices.contains(place.rule) else { return nil }
        switch place.kind {
        case .seen: return context(of: place).map(AlertViews(engine: self).condition)
        case .unseen: return pollCount > 0 ? .missing : .waiting
        }
    }

    /// Returns the alert as a list of rules shows it; nil if it no longer exists.
    package func summary(of place: AlertPlace) -> AlertSummary? {
        guard rules.indices.contains(place.rule), let condition = condition(of: place) else { return nil }
        switch place.kind {
        case .seen:
            return context(of: place).map { context in
                AlertSummary(
                    bound: context.bound, condition: condition, limit: context.limit, currency: context.currency,
                    override: context.activeOverride)
            }
        case .unseen(let test):
            let rule = rules[place.rule]
            return AlertSummary(
                bound: test.bound, condition: condition, limit: test.limit, currency: rule.currency,
                override: ruleSet.overrides.active(for: rule, on: place.symbol, test.bound, from: nil))
        }
    }

    /// Returns the alert as the metrics show it; nil if it no longer exists.
    package func gauge(of place: AlertPlace) -> AlertGauge? {
        guard rules.indices.contains(place.rule) else { return nil }
        switch place.kind {
        case .seen(let number, let index):
            guard isThere(place) else { return nil }
            return AlertGauge(
                rule: place.rule, symbol: place.symbol, bound: symbols[number].alerts[index].test.bound,
                // A context copies the whole state of the symbol, so it is made only if necessary.
                limit: symbols[number].alerts[index].test.limit ?? context(of: place)?.limit,
                currency: rules[place.rule].currency ?? symbols[number].quoteCurrency,
                isFiring: symbols[number].alerts[index].state.isFiring
                    && !symbols[number].alerts[index].isExpired)
        case .unseen(let test):
            return AlertGauge(
                rule: place.rule, symbol: place.symbol, bound: test.bound, limit: test.limit,
                currency: rules[place.rule].currency, isFiring: false)
        }
    }

    /// Explains the current condition of the alert; nil if it no longer exists.
    package func explain(_ place: AlertPlace, at now: Instant) -> AlertExplanation? {
        switch place.kind {
        case .seen: context(of: place).map { AlertViews(engine: self).explanation(of: $0, at: now) }
        case .unseen: view(of: place).map { AlertViews(engine: self).explanation(ofUnseen: $0, at: now) }
        }
    }

    func context(of place: AlertPlace) -> AlertContext? {
        guard case .seen(let number, let index) = place.kind, isThere(place) else { return nil }
        return ruleSet.context(of: symbols[number].alerts[index], in: symbols[number])
    }

    /// True if the alert of a seen symbol is still at its place.
    private func isThere(_ place: AlertPlace) -> Bool {
        guard case .seen(let number, let index) = place.kind else { return false }
        return symbols.indices.contains(number) && symbols[number].symbol == place.symbol
            && symbols[number].alerts.indices.contains(index)
            && symbols[number].alerts[index].rule == place.rule
    }
}
