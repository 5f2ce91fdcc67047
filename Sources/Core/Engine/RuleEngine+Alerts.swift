package import Events
package import Market
internal import Rules
package import Time

/// What is kept of an alert when the alerts of a symbol are made anew.
struct KeptAlert {
    var machine: AlertState
    var record: NotificationState
    var window: RollingWindow?
}

/// An alert of one symbol.
struct AlertKey: Hashable {
    var rule: String
    var bound: Bound
}

extension RuleEngine {
    /// Takes up a symbol state that is given the table's next number.
    mutating func append(_ symbolState: SymbolState, keeping kept: [AlertKey: KeptAlert] = [:]) {
        var symbolState = symbolState
        equip(&symbolState, keeping: kept)
        symbolState.watch = watchPlaces[symbolState.symbol]
        if let watch = symbolState.watch { watches[watch].symbolState = symbolStates.count }
        symbolStates.append(symbolState)
    }

    /// Gives a symbol state the alerts of all rules for its symbol, in file order, and the inputs that they need.
    func equip(_ symbolState: inout SymbolState, keeping kept: [AlertKey: KeptAlert]) {
        let old = symbolState.inputs
        symbolState.inputs = []
        _ = symbolState.place(of: .last, in: nil, from: old)
        symbolState.alerts = []
        for number in index.rules(for: symbolState.symbol, in: rules) {
            let input = symbolState.place(of: rules[number].price, in: rules[number].currency, from: old)
            for test in overrideTable.condition(of: rules[number], on: symbolState.symbol).tests {
                var alert = Alert(rule: number, test: test, input: input)
                let before = kept[AlertKey(rule: rules[number].name, bound: test.bound)]
                alert.machine = before?.machine ?? .waiting
                alert.record = before?.record ?? NotificationState()
                alert.isExpired = expiry.isExpired(number)
                alert.window = test.move.map {
                    symbolState.inputs[input].place(ofWindow: $0.window, from: before?.window)
                }
                symbolState.alerts.append(alert)
            }
        }
        symbolState.openWakeThresholds()
    }

    /// Lets the alerts of a symbol see its prices.
    mutating func evaluateAlerts(
        of number: Int, _ ticker: Ticker, at time: Instant, into occurrences: inout [Occurrence]
    ) {
        guard !symbolStates[number].alerts.isEmpty else { return }
        // Taken out while they are worked on: so they are changed in place.
        var alerts: [Alert] = []
        swap(&alerts, &symbolStates[number].alerts)
        var notified = GroupedOccurrences()
        let mustEnd = symbolStates[number].mustEnd
        var input: Int32 = -1
        var units: Int128?
        for index in alerts.indices {
            let wakeThreshold = symbolStates[number].wakeThresholds[index]
            if wakeThreshold.input != input {
                input = wakeThreshold.input
                units = symbolStates[number].inputs[Int(input)].units
            }
            guard units.map(wakeThreshold.lets) ?? false || mustEnd else { continue }
            check(&alerts[index], index, of: number, ticker, at: time, into: &notified)
        }
        swap(&alerts, &symbolStates[number].alerts)
        symbolStates[number].mustEnd = false
        notified.finish(into: &occurrences)
    }

    private mutating func check(
        _ alert: inout Alert, _ index: Int, of number: Int, _ ticker: Ticker, at time: Instant,
        into notified: inout GroupedOccurrences
    ) {
        let (machine, record) = (alert.machine, alert.record)
        let now = symbolStates[number].inputs[alert.input].now
        var action: AlertAction?
        if alert.isExpired {
            if alert.mustEnd { action = alert.machine.expire(step(alert, of: number, at: time, isAfterGap: false)) }
            alert.mustEnd = false
        } else if let now {
            let window = alert.window.flatMap { symbolStates[number].inputs[alert.input].windows[$0].extremes }
            var step = step(alert, of: number, at: time, isAfterGap: now.isAfterGap)
            if now.isAfterGap, let resumed, let previous = now.previous {
                step.wasSuspended = previous.time.boot < resumed
            }
            action = alert.observe(now, window, step)
        } else {
            return
        }
        let route = symbolStates[number].inputs[alert.input].route
        symbolStates[number].wakeThresholds[index] = WakeThreshold(alert, rules[alert.rule].notification, route)
        if machine != alert.machine || record != alert.record || alert.isNewWindow {
            noteChange(of: &alert, index, of: number)
        }
        guard let action else { return }
        notified.append(occurrence(action, of: alert, before: machine, number, ticker, at: time), rule: alert.rule)
    }

    private func step(_ alert: Alert, of number: Int, at time: Instant, isAfterGap: Bool) -> AlertStep {
        let severity = rules[alert.rule].severity
        return AlertStep(
            time: time, isAfterGap: isAfterGap, hold: rules[alert.rule].hold, terms: rules[alert.rule].notification,
            silence: silences.isEmpty
                ? nil : silence(of: symbolStates[number].symbol, rule: rules[alert.rule].name, severity, at: time))
    }

    /// The number of the first silence that holds back what a rule tells of a symbol; nil when none does.
    package func silence(of symbol: Symbol, rule: String?, _ severity: Severity, at time: Instant) -> Int64? {
        silences.first { $0.matches(symbol, rule: rule, severity, at: time) }?.number
    }
}

extension Alert {
    /// Whether the start of its window may just have become known.
    fileprivate var isNewWindow: Bool { window != nil && machine == .waiting }
}

/// The occurrences of one symbol: of one rule, what is over is notified before what begins.
struct GroupedOccurrences {
    private var ended: [Occurrence] = []
    private var others: [Occurrence] = []
    private var rule = -1

    mutating func append(_ occurrence: Occurrence, rule: Int) {
        if rule != self.rule {
            ended += others
            others = []
            self.rule = rule
        }
        if occurrence.kind == .resolved { ended.append(occurrence) } else { others.append(occurrence) }
    }

    func finish(into occurrences: inout [Occurrence]) {
        guard rule >= 0 else { return }
        occurrences += ended
        occurrences += others
    }
}
