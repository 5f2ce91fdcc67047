internal import Events
internal import Market
internal import Rules
internal import Time

extension RuleEngine {
    /// Adds a symbol state under the number that the symbol table assigned to it.
    mutating func insert(_ symbolState: SymbolState, as number: Int, keeping kept: [AlertKey: KeptAlert] = [:]) {
        var symbolState = symbolState
        equip(&symbolState, keeping: kept)
        symbolState.watch = watches.index(of: symbolState.symbol)
        if let watch = symbolState.watch { watches.all[watch].symbolState = number }
        if ruleSet.hasDays { due.bases = true }
        if number < symbols.count { symbols[number] = symbolState } else { symbols.append(symbolState) }
    }

    /// Creates the alerts of a symbol state that has none yet. Beyond the alert limit, only rules that name the
    /// symbol exactly get alerts.
    mutating func equip(_ symbolState: inout SymbolState, keeping kept: [AlertKey: KeptAlert]) {
        symbolState.isBeyondLimit = false
        ruleSet.equip(&symbolState, keeping: kept)
        if symbols.alertCount + symbolState.alerts.count > settings.alertLimit {
            symbolState.isBeyondLimit = true
            ruleSet.equip(&symbolState, keeping: kept)
        }
        symbols.count(symbolState)
    }

    /// Number of symbols without alerts of pattern rules, because there are too many alerts.
    package var countBeyondLimit: Int { symbols.countBeyondLimit }

    /// Checks those alerts of a symbol whose wake thresholds the price has passed, or all of them if a rule has
    /// expired. Called only if ``SymbolState/mustCheckAlerts``.
    mutating func evaluateAlerts(
        of number: Int, _ ticker: Ticker, at time: Instant, into occurrences: inout [Occurrence]
    ) {
        let (mustEnd, order) = (symbols[number].mustEnd, symbols[number].order)
        // The alerts are moved out of the symbol state while they are checked, so that they change in place.
        var alerts: [Alert] = []
        swap(&alerts, &symbols[number].alerts)
        var notified = GroupedOccurrences()
        var input: Int32 = -1
        var units: Int128?
        // Each check below sets a new threshold, after which the symbol is no longer quiet.
        symbols[number].wake.markQuiet()
        for position in alerts.indices {
            let index = order.isEmpty ? position : order[position]
            let wakeThreshold = symbols[number].wake.thresholds[index]
            if wakeThreshold.input != input {
                input = wakeThreshold.input
                units = symbols[number].inputs[Int(input)].price?.units
            }
            guard units.map(wakeThreshold.lets) ?? false || mustEnd else { continue }
            let awaitsOther = ruleSet.awaitsOther(alerts[index].rule, among: alerts)
            check(&alerts[index], index, of: number, ticker, at: time, awaitsOther: awaitsOther, into: &notified)
        }
        swap(&alerts, &symbols[number].alerts)
        symbols[number].mustEnd = false
        notified.finish(into: &occurrences)
    }

    private mutating func check(
        _ alert: inout Alert, _ index: Int, of number: Int, _ ticker: Ticker, at time: Instant, awaitsOther: Bool,
        into notified: inout GroupedOccurrences
    ) {
        let (state, notification) = (alert.state, alert.notification)
        let now = symbols[number].inputs[alert.input].now
        var actions: [AlertAction] = []
        var hasNewEvidence = false
        if alert.isExpired {
            if alert.mustEnd, now != nil { hasNewEvidence = updateEvidence(&alert, of: number) }
            if alert.mustEnd, let end = alert.state.expire(step(alert, of: number, at: time, isAfterGap: false)) {
                actions = [end]
            }
            alert.mustEnd = false
        } else if let now {
            let extremes = alert.extremes(in: symbols[number].inputs[alert.input])
            var step = step(alert, of: number, at: time, isAfterGap: now.isAfterGap, awaitsOther: awaitsOther)
            if now.isAfterGap, let resumed = feed.resumed, let previous = now.previous {
                step.wasSuspended = previous.time.boot < resumed
            }
            let isDetermined = alert.needsBase && determine(&alert, of: number, by: now)
            actions = alert.observe(now, extremes, step)
            hasNewEvidence = updateEvidence(&alert, of: number) || isDetermined
        } else {
            return
        }
        let route = symbols[number].inputs[alert.input].route
        symbols[number].wake.set(
            WakeThreshold(alert, ruleSet.rules[alert.rule].notification, route), ofAlert: index)
        if state != alert.state || notification != alert.notification || alert.isNewWindow || hasNewEvidence {
            changes.markChanged(&alert, index, of: number)
        }
        guard !actions.isEmpty else { return }
        let context = ruleSet.context(of: alert, in: symbols[number])
        let shown = shownPrice(context)
        for action in actions {
            let occurrence = context.occurrence(action, before: state, ticker, at: time, shown: shown)
            notified.append(occurrence, rule: alert.rule)
        }
    }

    /// Formats the price in the display currency, for people. Nil if the rule has that currency or one pegged to it,
    /// and if the price cannot be converted.
    ///
    /// - Parameters:
    ///   - context: The alert.
    ///   - other: A price in the market's currency; nil for the price of the response.
    /// - Returns: The formatted price.
    func shownPrice(_ context: AlertContext, of other: Price? = nil) -> String? {
        guard let currency = settings.displayCurrency, context.currency != currency,
            let quote = context.symbolState.quoteCurrency, let price = other ?? context.input.now?.price
        else { return nil }
        // A closure that captures the engine would copy all of it.
        let (symbols, poll) = (symbols, pollCount)
        let route: CurrencyRoute =
            quote == currency
            ? .none : routes.route(from: quote, to: currency) { symbols.market(of: $0, inPoll: poll) }
        if let path = route.path, context.currency == quote, path.evidence?.isExact ?? false { return nil }
        return route.shown(price).map { moneyText($0, currency, isRounded: true, hasUnicode: true) }
    }

    /// Stores the conversion and the moving limit of the last usable price in a firing alert, for an end of the
    /// firing that no price causes.
    ///
    /// - Returns: true if that has changed.
    private func updateEvidence(_ alert: inout Alert, of number: Int) -> Bool {
        guard alert.state.isFiring else { return false }
        let before = (alert.path, alert.threshold)
        alert.path = symbols[number].inputs[alert.input].route.path
        if alert.test.limit == nil { alert.threshold = alert.threshold(in: symbols[number].inputs[alert.input]) }
        return before != (alert.path, alert.threshold)
    }

    func step(
        _ alert: Alert, of number: Int, at time: Instant, isAfterGap: Bool, awaitsOther: Bool = false
    ) -> AlertStep {
        let severity = ruleSet.rules[alert.rule].severity
        var step = AlertStep(
            time: time, isAfterGap: isAfterGap, hold: ruleSet.rules[alert.rule].hold,
            policy: ruleSet.rules[alert.rule].notification,
            silence: silences.isEmpty
                ? nil
                : silence(of: symbols[number].symbol, rule: ruleSet.rules[alert.rule].name, severity, at: time))
        step.keepFiring = ruleSet.rules[alert.rule].keepFiring
        step.awaitsOther = awaitsOther
        return step
    }
}

// MARK: Expiring rules

extension RuleEngine {
    /// Marks the alerts of rules that have expired. Their firings end with the response being evaluated, or between
    /// responses with the next one.
    mutating func markExpired(at time: Instant) {
        let changed = ruleSet.expiry.update(at: time.wall)
        guard !changed.isEmpty else { return }
        symbols.markExpired(changed)
        due.expiries = true
    }

    /// Ends the firings of expired rules on symbols that are not in the response. The events are ordered by
    /// rule, then by symbol.
    mutating func endExpired(at time: Instant) -> [Occurrence] {
        due.expiries = false
        let places = ruleSet.places
        var ended: [Occurrence] = []
        for number in symbols.indices.sorted(by: { symbols[$0].symbol < symbols[$1].symbol })
        where symbols[number].mustEnd {
            for index in symbols[number].inputs.indices { symbols[number].inputs[index].forgetNow() }
            evaluateAlerts(of: number, Ticker(symbol: symbols[number].symbol), at: time, into: &ended)
        }
        return ended.enumerated().map { (places[$1.rule ?? ""] ?? 0, $0, $1) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}

extension Alert {
    /// True if the window of the alert may have just got its start.
    fileprivate var isNewWindow: Bool { window != nil && state == .waiting }
}
