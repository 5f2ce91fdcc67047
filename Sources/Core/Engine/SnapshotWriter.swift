internal import Events
internal import Market
internal import Rules
internal import Time

/// Writer of an engine's state as values that can be stored; ``SnapshotReader`` reads them.
struct SnapshotWriter {
    let ruleSet: RuleSet
    let symbols: SymbolStates
    let watches: SymbolWatches
    let header: StateOfSymbols.Header

    /// Returns all state that must be kept across restarts.
    func whole() -> EngineSnapshot {
        EngineSnapshot(rules: ruleSet.rules.identities, alerts: alerts(), checkpoint: state.checkpoint())
    }

    /// The state of the feed and of all symbols that must be stored.
    var state: StateOfSymbols {
        StateOfSymbols(
            header: header,
            watches: Dictionary(watches.all.map { ($0.symbol, $0.state) }) { first, _ in first },
            symbols: symbols.all.filter(\.isRemembered))
    }

    /// Returns all alerts, in the order of the rules, then of the symbols and bounds.
    func alerts() -> [AlertSnapshot] {
        var alerts: [(rule: Int, snapshot: AlertSnapshot)] = []
        for symbolState in symbols.all {
            alerts += symbolState.alerts.map { ($0.rule, ruleSet.context(of: $0, in: symbolState).snapshot) }
        }
        return alerts.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.snapshot)
    }

    /// Returns some alerts, given by the numbers of their symbols and their indices there.
    func alerts(_ places: [(symbolState: Int, alert: Int)]) -> [AlertSnapshot] {
        places.map {
            let symbolState = symbols[$0.symbolState]
            return ruleSet.context(of: symbolState.alerts[$0.alert], in: symbolState).snapshot
        }
    }
}
