internal import Events
internal import Market
internal import Rules
internal import Time

/// What is kept of an alert when the alerts of a symbol are made again.
struct KeptAlert {
    var state: AlertState
    var notification: NotificationState
    var window: RollingWindow?
    var path: RulePath?
    var threshold: Price?
}

/// An alert among those of one symbol.
struct AlertKey: Hashable {
    var rule: String
    var bound: Bound
}

/// Reads what ``AlertContext/snapshot`` and ``SymbolState/snapshot(_:)`` wrote, and notes what it cannot read.
struct SnapshotReader {
    let clock: ClockTranslation
    private(set) var unreadable: [String] = []

    init(clock: ClockTranslation) {
        self.clock = clock
    }

    mutating func read(_ encoded: String, into feed: inout FeedWatch) {
        guard !encoded.isEmpty, !feed.restore(encodedState: encoded, clock: clock) else { return }
        unreadable.append("feed")
    }

    /// The states of the symbols that a response has had, and what was notified of those that rules name.
    mutating func symbolStates(
        _ symbols: [SymbolSnapshot], notedIn watches: inout SymbolWatches
    ) -> [SymbolState] {
        symbols.compactMap { symbol in
            guard var reader = StateTextReader(symbol.encodedState, clock: clock, isKnown: SymbolState.isStateKey)
            else {
                unreadable.append("symbol \(symbol.symbol)")
                return nil
            }
            let state = reader.value("watch", SymbolWatch.State.init)
            let symbolState = SymbolState(symbol.symbol, input: &reader, at: clock.now)
            guard !reader.isFaulty else {
                unreadable.append("symbol \(symbol.symbol)")
                return nil
            }
            if let state, let watch = watches.place(of: symbol.symbol) { watches.all[watch].state = state }
            return symbolState
        }
    }

    /// The alerts of the rules that mean the same as before.
    mutating func keptAlerts(
        _ alerts: [AlertSnapshot], of kept: Set<String>, among rules: [Rule]
    ) -> [Symbol: [AlertKey: KeptAlert]] {
        let windows = Dictionary(rules.map { ($0.name, $0.condition.tests.first?.move?.window) }) { first, _ in first }
        var found: [Symbol: [AlertKey: KeptAlert]] = [:]
        for alert in alerts where kept.contains(alert.rule) {
            guard let stored = StoredAlertState(alert.encodedState, clock: clock) else {
                unreadable.append("alert “\(alert.rule)” on \(alert.symbol) (\(alert.bound.rawValue))")
                continue
            }
            let length = windows[alert.rule] ?? nil
            let window = length.flatMap { length in
                stored.windowStart.map { RollingWindow(length: length, start: $0) }
            }
            found[alert.symbol, default: [:]][AlertKey(rule: alert.rule, bound: alert.bound)] = KeptAlert(
                state: stored.state, notification: stored.notification, window: window, path: stored.path,
                threshold: length == nil ? nil : alert.limit?.prices.first)
        }
        return found
    }
}
