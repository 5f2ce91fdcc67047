internal import Events
internal import Market
internal import Rules
internal import Time

/// Writes the state of an engine as values that can be stored; ``SnapshotReader`` reads them.
struct SnapshotWriter {
    let ruleSet: RuleSet
    let symbols: SymbolStates
    let watches: SymbolWatches
    let feed: FeedWatch

    /// Everything that has to be remembered across restarts.
    func whole() -> EngineSnapshot {
        var alerts: [(rule: Int, snapshot: AlertSnapshot)] = []
        for symbolState in symbols.all {
            alerts += symbolState.alerts.map { ($0.rule, ruleSet.context(of: $0, in: symbolState).snapshot) }
        }
        // Stable: of one rule, the order of the symbols and bounds stays.
        alerts = alerts.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element)
        let seen = symbols.all.filter(\.isRemembered).map(snapshot)
        let unseen = watches.all.filter { $0.symbolState == nil }.map(\.unseenSnapshot)
        return EngineSnapshot(
            rules: ruleSet.rules.map(\.identity), alerts: alerts.map(\.snapshot), symbols: seen + unseen,
            feed: feed.encodedState)
    }

    func part(_ changes: ChangeLog) -> EngineChanges {
        .part(
            alerts: changes.alerts.map {
                let symbolState = symbols.all[$0.symbolState]
                return ruleSet.context(of: symbolState.alerts[$0.alert], in: symbolState).snapshot
            },
            symbols: changes.symbolStates.map { snapshot(of: symbols.all[$0]) }
                + changes.unseen.map { watches.all[$0].unseenSnapshot },
            feed: changes.feed ? feed.encodedState : nil)
    }

    private func snapshot(of symbolState: SymbolState) -> SymbolSnapshot {
        symbolState.snapshot(symbolState.watch.map { watches.all[$0] })
    }
}
