package import Market

/// What is kept of an alert when the alerts of a symbol are made anew.
struct KeptAlert {
    var machine: AlertMachine
    var record: TellingRecord
    var window: RollingWindow?
}

/// An alert of one symbol.
struct AlertKey: Hashable {
    var rule: String
    var bound: Bound
}

extension RuleEngine {
    /// Takes up a track that is given the table's next number.
    mutating func append(_ track: MarketTrack, keeping kept: [AlertKey: KeptAlert] = [:]) {
        var track = track
        equip(&track, keeping: kept)
        track.watch = watchPlaces[track.symbol]
        if let watch = track.watch { watches[watch].track = tracks.count }
        tracks.append(track)
    }

    /// Gives a track the alerts of all rules for its symbol, in file order, and the readings that they need.
    func equip(_ track: inout MarketTrack, keeping kept: [AlertKey: KeptAlert]) {
        let old = track.readings
        track.readings = []
        _ = track.place(of: .last, in: nil, from: old)
        track.alerts = []
        for number in index.rules(for: track.symbol, in: rules) {
            let reading = track.place(of: rules[number].price, in: rules[number].currency, from: old)
            for test in overrideTable.condition(of: rules[number], on: track.symbol).tests {
                var alert = Alert(rule: number, test: test, reading: reading)
                let before = kept[AlertKey(rule: rules[number].name, bound: test.bound)]
                alert.machine = before?.machine ?? .waiting
                alert.record = before?.record ?? TellingRecord()
                alert.isExpired = expiry.isExpired(number)
                alert.window = test.move.map {
                    track.readings[reading].place(ofWindow: $0.window, from: before?.window)
                }
                track.alerts.append(alert)
            }
        }
        track.openGates()
    }

    /// Lets the alerts of a symbol see its prices.
    mutating func evaluateAlerts(
        of number: Int, _ ticker: Ticker, at time: Instant, into occurrences: inout [Occurrence]
    ) {
        guard !tracks[number].alerts.isEmpty else { return }
        // Taken out while they are worked on: so they are changed in place.
        var alerts: [Alert] = []
        swap(&alerts, &tracks[number].alerts)
        var told = GroupedOccurrences()
        let mustEnd = tracks[number].mustEnd
        var reading: Int32 = -1
        var units: Int128?
        for index in alerts.indices {
            let gate = tracks[number].gates[index]
            if gate.reading != reading {
                reading = gate.reading
                units = tracks[number].readings[Int(reading)].units
            }
            guard units.map(gate.lets) ?? false || mustEnd else { continue }
            look(&alerts[index], index, of: number, ticker, at: time, into: &told)
        }
        swap(&alerts, &tracks[number].alerts)
        tracks[number].mustEnd = false
        told.finish(into: &occurrences)
    }

    private mutating func look(
        _ alert: inout Alert, _ index: Int, of number: Int, _ ticker: Ticker, at time: Instant,
        into told: inout GroupedOccurrences
    ) {
        let (machine, record) = (alert.machine, alert.record)
        let now = tracks[number].readings[alert.reading].now
        var action: AlertAction?
        if alert.isExpired {
            if alert.mustEnd { action = alert.machine.expire(step(alert, of: number, at: time, isAfterGap: false)) }
            alert.mustEnd = false
        } else if let now {
            let window = alert.window.flatMap { tracks[number].readings[alert.reading].windows[$0].extremes }
            var step = step(alert, of: number, at: time, isAfterGap: now.isAfterGap)
            if now.isAfterGap, let resumed, let previous = now.previous {
                step.wasSuspended = previous.time.boot < resumed
            }
            action = alert.see(now, window, step)
        } else {
            return
        }
        let route = tracks[number].readings[alert.reading].route
        tracks[number].gates[index] = Gate(alert, rules[alert.rule].telling, route)
        if machine != alert.machine || record != alert.record || alert.isNewWindow {
            noteChange(of: &alert, index, of: number)
        }
        guard let action else { return }
        told.append(occurrence(action, of: alert, before: machine, number, ticker, at: time), rule: alert.rule)
    }

    private func step(_ alert: Alert, of number: Int, at time: Instant, isAfterGap: Bool) -> AlertStep {
        let severity = rules[alert.rule].severity
        return AlertStep(
            time: time, isAfterGap: isAfterGap, hold: rules[alert.rule].hold, terms: rules[alert.rule].telling,
            silence: silences.isEmpty
                ? nil : silence(of: tracks[number].symbol, rule: rules[alert.rule].name, severity, at: time))
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

/// The occurrences of one symbol: of one rule, what is over is told before what begins.
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
