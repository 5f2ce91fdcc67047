package import Market

extension RuleEngine {
    /// Goes on from a snapshot; to be called before the first response, on an engine with the rules that are to hold.
    ///
    /// Where the rules differ from the snapshot's it acts as a reload does. A memory that cannot be read makes only
    /// what it is the memory of start afresh.
    ///
    /// - Parameters:
    ///   - snapshot: what an engine gave; only for a state that was stored, as an empty one means “no rules until now”.
    ///   - time: the present.
    ///   - isSameBoot: whether boot times of the snapshot are of the clock that runs now.
    /// - Returns: how the rules changed, what is to be told of it, and what could not be read.
    package mutating func restore(_ snapshot: EngineSnapshot, at time: Instant, isSameBoot: Bool) -> Restoration {
        let clock = ClockTranslation(now: time, isSameBoot: isSameBoot)
        let change = RuleSetChange(from: snapshot.rules, to: rules.map(\.identity))
        var restoration = Restoration(change: change, occurrences: [], unreadable: [])
        if !snapshot.feed.isEmpty, !feed.restore(memory: snapshot.feed, clock: clock) {
            restoration.unreadable.append("feed")
        }
        for symbol in snapshot.symbols { restore(symbol, clock, &restoration) }
        for alert in snapshot.alerts where table.number(of: alert.symbol) == nil { appendTrack(alert.symbol, at: time) }
        restoration.occurrences = endings(change, of: snapshot.alerts, order: snapshot.rules.map(\.name), at: time)
        restore(snapshot.alerts, kept: Set(change.kept), clock, &restoration)
        if !change.isEmpty { restoration.occurrences.append(Occurrence(change, at: time)) }
        changes.isWhole = true
        return restoration
    }

    private mutating func restore(
        _ symbol: SymbolSnapshot, _ clock: ClockTranslation, _ restoration: inout Restoration
    ) {
        guard var reader = MemoryReader(symbol.memory, known: MarketTrack.memoryKeys.union(["watch"]), clock: clock)
        else {
            restoration.unreadable.append("symbol \(symbol.symbol)")
            return
        }
        let state = reader.value("watch", SymbolWatch.State.init)
        let track = MarketTrack(symbol.symbol, reading: &reader, at: clock.now)
        guard !reader.isFaulty else {
            restoration.unreadable.append("symbol \(symbol.symbol)")
            return
        }
        let isNew = table.number(of: symbol.symbol) == nil
        if let track, isNew, table.number(of: symbol.symbol, at: tracks.count) == tracks.count { append(track) }
        if let state, let watch = watchPlaces[symbol.symbol] { watches[watch].state = state }
    }

    private mutating func appendTrack(_ symbol: Symbol, at time: Instant) {
        guard table.number(of: symbol, at: tracks.count) == tracks.count else { return }
        append(MarketTrack(symbol: symbol, at: time))
    }

    private mutating func restore(
        _ alerts: [AlertSnapshot], kept: Set<String>, _ clock: ClockTranslation, _ restoration: inout Restoration
    ) {
        let ruleNumbers = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let places = alertPlaces()
        for snapshot in alerts where kept.contains(snapshot.rule) {
            guard let rule = ruleNumbers[snapshot.rule], let track = table.number(of: snapshot.symbol),
                let index = places[AlertPlace(track: track, rule: rule, bound: snapshot.bound)]
            else { continue }
            guard let machine = AlertMachine(memory: snapshot.memory, clock: clock) else {
                restoration.unreadable.append(
                    "alert “\(snapshot.rule)” on \(snapshot.symbol) (\(snapshot.bound.rawValue))")
                continue
            }
            tracks[track].alerts[index].machine = machine
        }
    }

    private struct AlertPlace: Hashable {
        var track: Int
        var rule: Int
        var bound: Bound
    }

    /// Where each alert stands in its track.
    private func alertPlaces() -> [AlertPlace: Int] {
        var places: [AlertPlace: Int] = [:]
        for track in tracks.indices {
            for (index, alert) in tracks[track].alerts.enumerated() {
                places[AlertPlace(track: track, rule: alert.rule, bound: alert.bound)] = index
            }
        }
        return places
    }
}
