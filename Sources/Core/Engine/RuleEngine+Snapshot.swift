internal import Events
package import Market
internal import Rules
package import Time

extension RuleEngine {
    /// Returns all state that must be kept across restarts.
    package func snapshot() -> EngineSnapshot { writer.whole() }

    /// Drains the changes since the last call; the first call returns everything.
    ///
    /// The cost is proportional to the changes: alerts that are the same as after the last poll cost nothing.
    ///
    /// - Parameter checkpoints: True to return a checkpoint of the symbols, so that earlier records are no longer
    ///   needed.
    /// - Returns: The changes.
    package mutating func takeChanges(checkpoints: Bool = false) -> EngineChanges {
        if checkpoints { changes.requireCheckpoint() }
        let taken = changes.drainAlerts(unmarking: &symbols)
        if !changes.isRecording { symbols.renumberSlots() }
        guard !changes.isWhole else {
            let whole = writer.whole()
            changes.didCheckpoint(byteCount: whole.checkpoint.reduce(0) { $0 + $1.count })
            return .whole(whole)
        }
        let alerts = taken.isEmpty ? [] : writer.alerts(taken)
        guard !changes.isRecording else {
            return .part(alerts: alerts, state: changes.drainRecord().map { .record($0) })
        }
        let checkpoint = writer.state.checkpoint()
        changes.didCheckpoint(byteCount: checkpoint.reduce(0) { $0 + $1.count })
        return .part(alerts: alerts, state: .checkpoint(checkpoint))
    }

    /// Returns everything, like the first call of ``takeChanges(checkpoints:)``.
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

    /// Restores a snapshot. Must be called before the first response, on an engine with the current rules.
    ///
    /// Rules that differ from those of the snapshot have the same effect as a reload. Unreadable state starts over.
    ///
    /// - Parameters:
    ///   - snapshot: A stored snapshot. An empty one means “no rules until now”, so do not call this without a
    ///     stored state.
    ///   - time: The current time.
    ///   - isSameBoot: True if the boot times of the snapshot are on the clock of the current boot.
    /// - Returns: The change of the rules, its events, and the unreadable parts.
    package mutating func restore(_ snapshot: EngineSnapshot, at time: Instant, isSameBoot: Bool) -> Restoration {
        var reader = SnapshotReader(snapshot, now: time, isSameBoot: isSameBoot)
        let identities = rules.identities
        let change = RuleSetChange(from: snapshot.rules, to: identities)
        var read = adopt(reader.state, isSameBoot: isSameBoot)
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
                symbols.table.count < SymbolStates.capacity || watches.index(of: symbolState.symbol) != nil,
                let number = symbols.table.number(of: symbolState.symbol, at: symbols.count)
            else { continue }
            insert(symbolState, as: number, keeping: kept[symbolState.symbol] ?? [:])
        }
        if !change.isEmpty { occurrences.append(Occurrence(change, at: time)) }
        markExpired(at: time)
        // Unchanged state need not be stored again, except that the symbols always get a checkpoint.
        changes.isWhole =
            !isSameBoot || !occurrences.isEmpty || !gone.isEmpty || !reader.unreadable.isEmpty
            || snapshot.checkpoint.isEmpty
            || snapshot.rules != identities || !hasSeverities(of: snapshot.alerts)
        return Restoration(change: change, occurrences: occurrences, unreadable: reader.unreadable)
    }

    /// True if the stored severities are those of the current rules. A rule's severity may change without changing
    /// its meaning.
    private func hasSeverities(of alerts: [AlertSnapshot]) -> Bool {
        guard !alerts.isEmpty else { return true }
        let severities = Dictionary(rules.map { ($0.name, $0.severity) }) { first, _ in first }
        return alerts.allSatisfy { severities[$0.rule] == $0.severity }
    }

    /// Adopts the state of the feed and of the watches.
    ///
    /// - Returns: the states of the symbols.
    private mutating func adopt(_ state: StateOfSymbols?, isSameBoot: Bool) -> [SymbolState] {
        guard let state else { return [] }
        feed.restore(state.header.feed)
        polls.last = state.header.lastPoll
        feed.resumed = isSameBoot ? state.header.resumed : nil
        for (symbol, notified) in state.watches {
            if let watch = watches.index(of: symbol) { watches.all[watch].state = notified }
        }
        return state.symbols
    }

    /// Returns the symbols with windows whose samples are lost, because the state of the symbols could not be read,
    /// or was stored by a version that did not store samples. Only windows of last prices can be filled again from
    /// the history; windows of bids and asks fill with the next responses.
    package func windowNeeds(at now: Instant) -> [WindowNeed] { symbols.windowNeeds(at: now) }

    /// Fills windows that lost their samples with last prices.
    ///
    /// - Parameters:
    ///   - symbol: The symbol.
    ///   - samples: Its last prices in the order of their times; those outside every window are ignored.
    package mutating func seedWindows(of symbol: Symbol, with samples: [(price: Price, time: WallTime)]) {
        guard let number = symbols.number(of: symbol) else { return }
        symbols[number].seedWindows(with: samples)
    }
}
