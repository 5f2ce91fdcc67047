internal import Events
internal import Market
internal import Rules
internal import Time

/// The state that an alert keeps when the alerts of its symbol are created again.
struct KeptAlert {
    var state: AlertState
    var notification: NotificationState
    var window: RollingWindow?
    var path: RulePath?
    var threshold: Price?
    var base: Price?
}

/// Identifies an alert among those of one symbol.
struct AlertKey: Hashable {
    var rule: String
    var bound: Bound
}

/// Reader of snapshots that ``SnapshotWriter`` made; it lists the parts that it cannot read.
struct SnapshotReader {
    let clock: ClockTranslation
    /// The state of the feed and of the symbols, on the clock of the current boot; nil if it cannot be read at all.
    let state: StateOfSymbols?
    private(set) var unreadable: [String] = []

    init(_ snapshot: EngineSnapshot, now: Instant, isSameBoot: Bool) {
        var unreadable: [String] = []
        var state = snapshot.state(&unreadable)
        clock = ClockTranslation(now: now, isSameBoot: isSameBoot, anchor: state?.header.latest ?? now)
        state?.translate(by: clock)
        self.state = state
        self.unreadable = unreadable
    }

    /// Returns the states of the alerts whose rules have the same meaning as before.
    mutating func keptAlerts(
        _ alerts: [AlertSnapshot], of names: [String], among rules: [Rule], _ symbols: [Symbol: SymbolState]
    ) -> [Symbol: [AlertKey: KeptAlert]] {
        guard !alerts.isEmpty else { return [:] }
        let kept = Set(names)
        var windows: [String: Milliseconds] = [:]
        for number in rules.indices {
            if let window = rules[number].condition.window { windows[rules[number].name] = window }
        }
        var found: [Symbol: [AlertKey: KeptAlert]] = [:]
        for alert in alerts where kept.contains(alert.rule) {
            guard let stored = StoredAlertState(alert.encodedState, clock: clock) else {
                unreadable.append("alert '\(alert.rule)' on \(alert.symbol) (\(alert.bound.rawValue))")
                continue
            }
            let length = windows[alert.rule]
            let window = length.flatMap { stored.window($0, among: symbols[alert.symbol]) }
            found[alert.symbol, default: [:]][AlertKey(rule: alert.rule, bound: alert.bound)] = KeptAlert(
                state: stored.state, notification: stored.notification, window: window, path: stored.path,
                threshold: length == nil ? nil : alert.limit?.prices.first, base: stored.base)
        }
        return found
    }
}

extension StoredAlertState {
    /// Returns the alert's window with its samples, or without them if they were not stored.
    fileprivate func window(_ length: Milliseconds, among symbolState: SymbolState?) -> RollingWindow? {
        guard let start = windowStart else { return nil }
        let key = input ?? "last"
        return symbolState?.inputs.first { $0.key == key }?.windows.first { $0.length == length && $0.start == start }
            ?? RollingWindow(length: length, start: start)
    }
}

extension EngineSnapshot {
    /// Returns the checkpoint with the records after it applied; nil if there is no checkpoint, or it cannot be read.
    func state(_ unreadable: inout [String]) -> StateOfSymbols? {
        guard !checkpoint.isEmpty, let begin = try? StateOfSymbols(checkpoint: checkpoint) else {
            unreadable.append("the state of all symbols")
            return nil
        }
        var replay = StateReplay(begin)
        for (number, record) in records.enumerated() {
            do {
                try replay.apply(record)
            } catch {
                unreadable.append("the last \(records.count - number) polls of all symbols")
                break
            }
        }
        return replay.finish()
    }
}
