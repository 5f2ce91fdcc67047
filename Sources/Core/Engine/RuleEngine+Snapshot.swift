internal import Rules

/// What has become different since it was last asked for. Each symbol state and alert is listed once, so that it stays
/// small when nobody asks.
struct ChangeLog: Sendable {
    /// Whether other rules are in force.
    var isWhole = true
    var feed = false
    var symbolStates: [Int] = []
    var alerts: [(symbolState: Int, alert: Int)] = []
    /// Places in the watches, of symbols that have no symbol state.
    var unseen: [Int] = []
}

extension RuleEngine {
    /// All that has to be remembered over a restart.
    package func snapshot() -> EngineSnapshot {
        var alerts: [(rule: Int, snapshot: AlertSnapshot)] = []
        for symbolState in symbolStates {
            alerts += symbolState.alerts.map { ($0.rule, snapshot(of: $0, in: symbolState)) }
        }
        // Stable: of one rule, the order of the symbols and bounds stays.
        alerts = alerts.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element)
        let seen = symbolStates.indices.filter(isRemembered).map(symbolSnapshot)
        let unseen = watches.filter { $0.symbolState == nil }.map(Self.unseenSnapshot)
        return EngineSnapshot(
            rules: rules.map(\.identity), alerts: alerts.map(\.snapshot), symbols: seen + unseen,
            feed: feed.encodedState)
    }

    /// What has become different since the last call; the first call gives all.
    ///
    /// The cost is that of what changed: symbols without alerts cost nothing.
    package mutating func takeChanges() -> EngineChanges {
        let taken = changes
        changes = ChangeLog()
        changes.isWhole = false
        for number in taken.symbolStates { symbolStates[number].isChanged = false }
        for (symbolState, alert) in taken.alerts where !taken.isWhole {
            symbolStates[symbolState].alerts[alert].isChanged = false
        }
        if taken.isWhole {
            for symbolState in symbolStates.indices {
                for alert in symbolStates[symbolState].alerts.indices {
                    symbolStates[symbolState].alerts[alert].isChanged = false
                }
            }
            return .whole(snapshot())
        }
        return .part(
            alerts: taken.alerts.map {
                snapshot(of: symbolStates[$0.symbolState].alerts[$0.alert], in: symbolStates[$0.symbolState])
            },
            symbols: taken.symbolStates.map(symbolSnapshot) + taken.unseen.map { Self.unseenSnapshot(watches[$0]) },
            feed: taken.feed ? feed.encodedState : nil)
    }

    mutating func noteChange(ofSymbol number: Int) {
        guard !changes.isWhole, !symbolStates[number].isChanged, isRemembered(number) else { return }
        symbolStates[number].isChanged = true
        changes.symbolStates.append(number)
    }

    mutating func noteChange(of alert: inout Alert, _ index: Int, of number: Int) {
        guard !changes.isWhole, !alert.isChanged else { return }
        alert.isChanged = true
        changes.alerts.append((number, index))
    }

    private func isRemembered(_ number: Int) -> Bool {
        symbolStates[number].watch != nil || !symbolStates[number].alerts.isEmpty
    }

    func snapshot(of alert: Alert, in symbolState: SymbolState) -> AlertSnapshot {
        let rule = rules[alert.rule]
        let input = symbolState.inputs[alert.input]
        let encodedState = StoredAlertState(
            machine: alert.machine, record: alert.record,
            windowStart: alert.window.flatMap { input.windows[$0].start },
            input: alert.input == 0 ? nil : input.key)
        return AlertSnapshot(
            rule: rule.name, symbol: symbolState.symbol, bound: alert.test.bound, state: alert.machine.word,
            since: alert.machine.since, severity: rule.severity, limit: alert.test.limit,
            currency: rule.currency ?? symbolState.quoteCurrency, encodedState: encodedState.text)
    }

    private func symbolSnapshot(_ number: Int) -> SymbolSnapshot {
        let symbolState = symbolStates[number]
        var writer = StateTextWriter()
        symbolState.write(to: &writer)
        writer.field("watch", symbolState.watch.map { watches[$0].state.rawValue })
        return SymbolSnapshot(symbol: symbolState.symbol, encodedState: writer.text)
    }

    private static func unseenSnapshot(_ watch: SymbolWatch) -> SymbolSnapshot {
        SymbolSnapshot(symbol: watch.symbol, encodedState: "watch=\(watch.state.rawValue)")
    }
}
