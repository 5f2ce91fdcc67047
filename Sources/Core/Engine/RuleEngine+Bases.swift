internal import Events
package import Market
internal import Rules
package import Time

// Relative limits: their base is found once for each rule and symbol.
extension RuleEngine {
    /// Computes the relative limit of an alert if this price, or the previous one, is its base.
    ///
    /// - Returns: True if that succeeded.
    func determine(_ alert: inout Alert, of number: Int, by now: ReadPrice) -> Bool {
        guard let base = ruleSet.rules[alert.rule].condition.base?.price(at: now) else { return false }
        return ruleSet.determine(&alert, on: symbols[number].symbol, from: base)
    }

    /// Drains the base prices that alerts still need, each the last price before a day. Empty unless new alerts,
    /// history or exchange rates arrived since the last call. Only last prices are stored, so other kinds of price
    /// are left out.
    package mutating func takeBaseNeeds() -> [BaseNeed] {
        guard due.bases else { return [] }
        due.bases = false
        let needs = symbols.all.flatMap { state in
            state.alerts.compactMap { alert in
                need(of: alert, in: state).map { BaseNeed(symbol: state.symbol, day: $0) }
            }
        }
        return Array(Set(needs))
    }

    /// Must be called after past prices were added, because they may include bases that alerts need.
    package mutating func didLoadHistory() { due.bases = ruleSet.hasDays }

    private func need(of alert: Alert, in state: SymbolState) -> CivilDate? {
        guard alert.needsBase, case .day(let day)? = ruleSet.rules[alert.rule].condition.base,
            state.inputs[alert.input].kind == .last
        else { return nil }
        return day
    }

    /// Sets the last price before a day as the base of the alerts that need it.
    ///
    /// - Parameters:
    ///   - price: the price, in the market's currency.
    ///   - need: one of ``takeBaseNeeds()``.
    ///   - rates: the reference rates in effect when the price was received; nil if unknown.
    ///   - market: returns the last price of another symbol of the source at that time; nil if unknown.
    package mutating func setBase(
        _ price: Price, for need: BaseNeed, rates: ReferenceRates? = nil, market: (Symbol) -> Price? = { _ in nil }
    ) {
        guard price.isPositive, let number = symbols.number(of: need.symbol) else { return }
        var routes = CurrencyRoutes()
        routes.update(rates, pegs: settings.pegs)
        for index in symbols[number].alerts.indices {
            let alert = symbols[number].alerts[index]
            guard self.need(of: alert, in: symbols[number]) == need.day,
                let base = symbols[number].route(ofInput: alert.input, by: routes, market).shown(price),
                ruleSet.determine(&symbols[number].alerts[index], on: need.symbol, from: base)
            else { continue }
            changes.markChanged(&symbols[number].alerts[index], index, of: number)
            symbols[number].wake.set(.open(symbols[number].alerts[index].input), ofAlert: index)
        }
    }
}

/// A missing base of relative limits: the last price before a day.
package struct BaseNeed: Hashable, Sendable {
    package let symbol: Symbol
    package let day: CivilDate

    /// The price must have been received before this instant.
    package var end: WallTime { day.begin }
}

extension RuleSet {
    /// Computes the relative limit of an alert from a base.
    ///
    /// - Returns: True if the base gives valid limits.
    fileprivate func determine(_ alert: inout Alert, on symbol: Symbol, from base: Price) -> Bool {
        do throws(ConditionError) {
            let tests = try overrides.tests(of: rules[alert.rule], on: symbol, determinedBy: base)
            guard let test = tests.first(where: { $0.bound == alert.test.bound }) else { return false }
            (alert.test, alert.base, alert.needsBase, alert.baseFault) = (test, base, false, nil)
            return true
        } catch {
            alert.baseFault = error
            return false
        }
    }
}

extension LimitBase {
    /// Returns the base in the rule's currency if the current price determines it.
    fileprivate func price(at now: ReadPrice) -> Price? {
        switch self {
        case .price: now.shown(now.price)
        case .day(let day):
            // The current price must be the first usable one of the day; the previous price is then the last one
            // before the day.
            now.previous.flatMap { previous in
                previous.time.wall < day.begin && now.time.wall >= day.begin ? now.shown(previous.price) : nil
            }
        case .amount(let amount): amount
        }
    }
}

extension AlertContext {
    /// The reason why the base of the alert's limit is unknown, as text for people; nil if it is known or not needed.
    var missingBase: String? {
        guard case .undetermined = alert.test, let base = rule.condition.base else { return nil }
        if let fault = alert.baseFault { return "limits cannot be computed: \(fault.text)" }
        switch base {
        case .price, .amount: return "the first usable price sets its limits"
        case .day(let day):
            if let last = input.previous, last.time.wall < day.begin {
                return "its limits are set when \(day) begins, in UTC"
            }
            return "no price before \(day) is known" + (input.route.isNone ? "" : ", or no exchange rate of that time")
        }
    }
}
