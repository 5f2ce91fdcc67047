internal import Events
package import Market
internal import Rules
package import Time

extension RuleEngine {
    /// Everything that has to be remembered across restarts.
    package func snapshot() -> EngineSnapshot { writer.whole() }

    /// What has changed since the last call; the first call gives everything.
    ///
    /// The cost is that of what changed: what is the same as after the last poll costs nothing.
    ///
    /// - Parameter checkpoints: Whether to give the state of the symbols as a whole, so that earlier records are no
    ///   longer needed.
    /// - Returns: What has changed.
    package mutating func takeChanges(checkpoints: Bool = false) -> EngineChanges {
        if checkpoints { changes.requireCheckpoint() }
        let taken = changes.takeAlerts(unmarking: &symbols)
        if !changes.isRecording { symbols.renumberSlots() }
        guard !changes.isWhole else {
            let whole = writer.whole()
            changes.didCheckpoint(byteCount: whole.checkpoint.reduce(0) { $0 + $1.count })
            return .whole(whole)
        }
        let alerts = taken.isEmpty ? [] : writer.alerts(taken)
        guard !changes.isRecording else {
            return .part(alerts: alerts, state: changes.takeRecord().map { .record($0) })
        }
        let checkpoint = writer.state.checkpoint()
        changes.didCheckpoint(byteCount: checkpoint.reduce(0) { $0 + $1.count })
        return .part(alerts: alerts, state: .checkpoint(checkpoint))
    }

    /// Everything, as the first call of ``takeChanges(checkpoints:)`` gives it.
    package mutating func takeEverything() -> EngineSnapshot {
        changes.isWhole = true
        guard case .whole(let snapshot) = takeChanges() else { return snapshot() }
        return snapshot
    }

    var writer: SnapshotWriter {
        SnapshotWriter(
            ruleSet: ruleSet, symbols: symbols, watches: watches,
            header: StateOfSymbols.Header(lastPoll: lastPoll, feed: feed.stored, resumed: feed.resumed))
    }

    /// Continues from a snapshot; to be called before the first response, on an engine with the current rules.
    ///
    /// Where the rules differ from the snapshot's it acts as a reload does. What cannot be read starts over.
    ///
    /// - Parameters:
    ///   - snapshot: What an engine gave; only for a state that was stored, as an empty one means “no rules until
    ///     now”.
    ///   - time: The present.
    ///   - isSameBoot: Whether boot times of the snapshot are of the clock of the current boot.
    /// - Returns: How the rules changed, what is to be notified of it, and what could not be read.
    package mutating func restore(_ snapshot: EngineSnapshot, at time: Instant, isSameBoot: Bool) -> Restoration {
        var reader = SnapshotReader(snapshot, now: time, isSameBoot: isSameBoot)
        let identities = rules.identities
        let change = RuleSetChange(from: snapshot.rules, to: identities)
        var read = take(reader.state, isSameBoot: isSameBoot)
        let gone = Set(read.filter { isForgettable($0, snapshot.alerts, clock: reader.clock) }.map(\.symbol))
            .subtracting(reader.state?.watches.keys.map(\.self) ?? [])
        read.removeAll { gone.contains($0.symbol) }
        let known = Dictionary(read.map { ($0.symbol, $0) }) { first, _ in first }
        let ends = FiringEnds(
            change: change, rules: snapshot.rules, alerts: snapshot.alerts, clock: reader.clock, silences: silences)
        var occurrences = ends.occurrences { known[$0] }
        let kept = reader.keptAlerts(snapshot.alerts, of: change.kept, among: rules, known)
        let unknown = Set(snapshot.alerts.map(\.symbol)).subtracting(known.keys).subtracting(gone).sorted()
        for symbolState in read + unknown.map({ SymbolState(symbol: $0) }) {
            guard symbols.number(of: symbolState.symbol) == nil,
                symbols.table.count < SymbolStates.capacity || watches.place(of: symbolState.symbol) != nil,
                let number = symbols.table.number(of: symbolState.symbol, at: symbols.count)
            else { continue }
            insert(symbolState, as: number, keeping: kept[symbolState.symbol] ?? [:])
        }
        if !change.isEmpty { occurrences.append(Occurrence(change, at: time)) }
        markExpired(at: time)
        // What is as it was stored need not be stored again; the symbols get a checkpoint in any case.
        changes.isWhole =
            !isSameBoot || !occurrences.isEmpty || !gone.isEmpty || !reader.unreadable.isEmpty
            || snapshot.checkpoint.isEmpty
            || snapshot.rules != identities || !hasSeverities(of: snapshot.alerts)
        return Restoration(change: change, occurrences: occurrences, unreadable: reader.unreadable)
    }

    /// Whether the alerts have the severities of the current rules, which may change while a rule means the same.
    private func hasSeverities(of alerts: [AlertSnapshot]) -> Bool {
        guard !alerts.isEmpty else { return true }
        let severities = Dictionary(rules.map { ($0.name, $0.severity) }) { first, _ in first }
        return alerts.allSatisfy { severities[$0.rule] == $0.severity }
    }

    /// Takes over the state of the feed and of the watches.
    ///
    /// - Returns: the states of the symbols.
    private mutating func take(_ state: StateOfSymbols?, isSameBoot: Bool) -> [SymbolState] {
        guard let state else { return [] }
        feed.restore(state.header.feed)
        polls.last = state.header.lastPoll
        feed.resumed = isSameBoot ? state.header.resumed : nil
        for (symbol, notified) in state.watches {
            if let watch = watches.place(of: symbol) { watches.all[watch].state = notified }
        }
        return state.symbols
    }

    /// The symbols with windows whose samples are lost, because the state of symbols could not be read, or was stored
    /// by
    /// a version that kept none. Only last prices can be given back; windows of bids and asks fill again from the next
    /// response on.
    package func windowNeeds(at now: Instant) -> [WindowNeed] { symbols.windowNeeds(at: now) }

    /// Gives windows whose samples are lost last prices instead.
    ///
    /// - Parameters:
    ///   - symbol: The symbol.
    ///   - samples: Its last prices in the order of their times; those outside every window are ignored.
    package mutating func seedWindows(of symbol: Symbol, with samples: [(price: Price, time: WallTime)]) {
        guard let number = symbols.number(of: symbol) else { return }
        symbols[number].seedWindows(with: samples)
    }
}
