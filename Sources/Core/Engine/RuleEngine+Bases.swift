internal import Events
package import Market
internal import Rules
package import Time

// Relative limits: the price that they refer to is found once for each rule and symbol.
extension RuleEngine {
    /// Gives an alert the limit that this price, or the one before it, makes of a relative one.
    ///
    /// - Returns: Whether that succeeded.
    func determine(_ alert: inout Alert, of number: Int, by now: ReadPrice) -> Bool {
        guard let base = ruleSet.rules[alert.rule].condition.base?.price(at: now) else { return false }
        return ruleSet.determine(&alert, on: symbols[number].symbol, from: base)
    }

    /// The prices before a day that alerts need for their limits, if alerts may have come to need any, or rates to
    /// convert them by have come to be known, since the last call. Only last prices are kept.
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

    /// Past prices have come to be known: those that alerts need may be among them.
    package mutating func noteNewHistory() { due.bases = ruleSet.hasDays }

    private func need(of alert: Alert, in state: SymbolState) -> CivilDate? {
        guard alert.needsBase, case .day(let day)? = ruleSet.rules[alert.rule].condition.base,
            state.inputs[alert.input].kind == .last
        else { return nil }
        return day
    }

    /// Gives the alerts that need it the last price before a day.
    ///
    /// - Parameters:
    ///   - price: the price, in the market's currency.
    ///   - need: one of ``takeBaseNeeds()``.
    ///   - rates: the reference rates that applied when it was received; nil if they are not known.
    ///   - market: the last price of another symbol of the source at that time; nil if it is not known.
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
            changes.note(&symbols[number].alerts[index], index, of: number)
            symbols[number].wake.set(.open(symbols[number].alerts[index].input), ofAlert: index)
        }
    }
}

/// A price from which relative limits are to be computed: the last one before a day.
package struct BaseNeed: Hashable, Sendable {
    package let symbol: Symbol
    package let day: CivilDate

    /// The instant before which the price was received.
    package var end: WallTime { day.begin }
}

extension RuleSet {
    /// Gives an alert the limit that a base makes of a relative one.
    ///
    /// - Returns: Whether the limits can be made of it.
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
    /// The base in the rule's currency, if the current price makes it known.
    fileprivate func price(at now: ReadPrice) -> Price? {
        switch self {
        case .price: now.shown(now.price)
        case .day(let day):
            // The first usable price of the day, so the one before it was the last before that.
            now.previous.flatMap { previous in
                previous.time.wall < day.begin && now.time.wall >= day.begin ? now.shown(previous.price) : nil
            }
        case .amount(let amount): amount
        }
    }
}

extension AlertContext {
    /// Why the limit is not known, if the alert waits for what it is relative to.
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
