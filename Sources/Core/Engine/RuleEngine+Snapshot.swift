internal import Events
package import Market
internal import Rules
package import Time

extension RuleEngine {
    /// Everything that has to be remembered across restarts.
    package func snapshot() -> EngineSnapshot { writer.whole() }

    /// What has changed since the last call; the first call gives everything.
    ///
    /// The cost is that of what changed: symbols without alerts cost nothing.
    package mutating func takeChanges() -> EngineChanges {
        let taken = changes.take(unmarking: &symbols.all)
        return taken.isWhole ? .whole(writer.whole()) : writer.part(taken)
    }

    var writer: SnapshotWriter { SnapshotWriter(ruleSet: ruleSet, symbols: symbols, watches: watches, feed: feed) }

    /// Continues from a snapshot; to be called before the first response, on an engine with the current rules.
    ///
    /// Where the rules differ from the snapshot's it acts as a reload does. What cannot be read starts over.
    ///
    /// - Parameters:
    ///   - snapshot: What an engine gave; only for a state that was stored, as an empty one means “no rules until now”.
    ///   - time: The present.
    ///   - isSameBoot: Whether boot times of the snapshot are of the clock of the current boot.
    /// - Returns: How the rules changed, what is to be notified of it, and what could not be read.
    package mutating func restore(_ snapshot: EngineSnapshot, at time: Instant, isSameBoot: Bool) -> Restoration {
        let clock = ClockTranslation(now: time, isSameBoot: isSameBoot)
        let change = RuleSetChange(from: snapshot.rules, to: rules.map(\.identity))
        var reader = SnapshotReader(clock: clock)
        reader.read(snapshot.feed, into: &feed)
        let read = reader.symbolStates(snapshot.symbols, notedIn: &watches)
        let known = Dictionary(read.map { ($0.symbol, $0) }) { first, _ in first }
        let ends = FiringEnds(change: change, snapshot: snapshot, clock: clock, silences: silences)
        var occurrences = ends.occurrences { known[$0] }
        let kept = reader.keptAlerts(snapshot.alerts, of: Set(change.kept), among: rules)
        let unknown = Set(snapshot.alerts.map(\.symbol)).subtracting(known.keys).sorted()
        for symbolState in read + unknown.map({ SymbolState(symbol: $0, at: time) }) {
            guard symbols.number(of: symbolState.symbol) == nil,
                symbols.table.count < SymbolStates.capacity || watches.place(of: symbolState.symbol) != nil,
                let number = symbols.table.number(of: symbolState.symbol, at: symbols.all.count)
            else { continue }
            insert(symbolState, as: number, keeping: kept[symbolState.symbol] ?? [:])
        }
        if !change.isEmpty { occurrences.append(Occurrence(change, at: time)) }
        _ = markExpired(at: time)
        changes.isWhole = true
        return Restoration(change: change, occurrences: occurrences, unreadable: reader.unreadable)
    }

    /// The symbols whose windows lost their prices with the restart. Only last prices can be given back; windows of
    /// bids and asks fill again from the next response on.
    package func windowNeeds(at now: Instant) -> [WindowNeed] { symbols.windowNeeds(at: now) }

    /// Fills the windows of a symbol after a restart.
    ///
    /// - Parameters:
    ///   - symbol: The symbol.
    ///   - samples: Its last prices in the order of their times; those outside every window are ignored.
    ///   - now: The present.
    package mutating func seedWindows(
        of symbol: Symbol, with samples: [(price: Price, time: WallTime)], at now: Instant
    ) {
        guard let number = symbols.number(of: symbol) else { return }
        symbols.all[number].seedWindows(with: samples, at: now)
    }
}
