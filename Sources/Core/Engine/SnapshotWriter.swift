internal import Events
internal import Market
internal import Rules
internal import Time

/// Writes the state of an engine as values that can be stored; ``SnapshotReader`` reads them.
struct SnapshotWriter {
    let ruleSet: RuleSet
    let symbols: SymbolStates
    let watches: SymbolWatches
    let header: StateOfSymbols.Header

    /// Everything that has to be remembered across restarts.
    func whole() -> EngineSnapshot {
        EngineSnapshot(rules: ruleSet.rules.identities, alerts: alerts(), checkpoint: state.checkpoint())
    }

    /// The state of the feed and of the symbols that are stored.
    var state: StateOfSymbols {
        StateOfSymbols(
            header: header,
            watches: Dictionary(watches.all.map { ($0.symbol, $0.state) }) { first, _ in first },
            symbols: symbols.all.filter(\.isRemembered))
    }

    /// All alerts, in the order of the rules, and of a rule in that of the symbols and bounds.
    func alerts() -> [AlertSnapshot] {
        var alerts: [(rule: Int, snapshot: AlertSnapshot)] = []
        for symbolState in symbols.all {
            alerts += symbolState.alerts.map { ($0.rule, ruleSet.context(of: $0, in: symbolState).snapshot) }
        }
        return alerts.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element.snapshot)
    }

    /// Some alerts, by the numbers of their symbols and their places there.
    func alerts(_ places: [(symbolState: Int, alert: Int)]) -> [AlertSnapshot] {
        places.map {
            let symbolState = symbols[$0.symbolState]
            return ruleSet.context(of: symbolState.alerts[$0.alert], in: symbolState).snapshot
        }
    }
}
