internal import Events
package import Market
internal import Rules
package import Time

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
    /// - Returns: how the rules changed, what is to be notified of it, and what could not be read.
    package mutating func restore(_ snapshot: EngineSnapshot, at time: Instant, isSameBoot: Bool) -> Restoration {
        let clock = ClockTranslation(now: time, isSameBoot: isSameBoot)
        let change = RuleSetChange(from: snapshot.rules, to: rules.map(\.identity))
        var restoration = Restoration(change: change, occurrences: [], unreadable: [])
        if !snapshot.feed.isEmpty, !feed.restore(encodedState: snapshot.feed, clock: clock) {
            restoration.unreadable.append("feed")
        }
        let read = snapshot.symbols.compactMap { symbolState($0, clock, &restoration.unreadable) }
        let known = Dictionary(read.map { ($0.symbol, $0) }) { first, _ in first }
        restoration.occurrences = endings(change, of: snapshot, clock) { known[$0] }
        let kept = keptAlerts(snapshot.alerts, Set(change.kept), clock, &restoration.unreadable)
        let unknown = Set(snapshot.alerts.map(\.symbol)).subtracting(known.keys).sorted()
        for symbolState in read + unknown.map({ SymbolState(symbol: $0, at: time) }) {
            guard table.number(of: symbolState.symbol) == nil,
                table.number(of: symbolState.symbol, at: symbolStates.count) != nil
            else {
                continue
            }
            append(symbolState, keeping: kept[symbolState.symbol] ?? [:])
        }
        if !change.isEmpty { restoration.occurrences.append(Occurrence(change, at: time)) }
        _ = markExpired(at: time)
        changes.isWhole = true
        return restoration
    }

    /// The symbol as it was; nil when it cannot be read, and when no response had it.
    private mutating func symbolState(
        _ symbol: SymbolSnapshot, _ clock: ClockTranslation, _ unreadable: inout [String]
    ) -> SymbolState? {
        guard var reader = StateTextReader(symbol.encodedState, clock: clock, isKnown: SymbolState.isStateKey) else {
            unreadable.append("symbol \(symbol.symbol)")
            return nil
        }
        let state = reader.value("watch", SymbolWatch.State.init)
        let symbolState = SymbolState(symbol.symbol, input: &reader, at: clock.now)
        guard !reader.isFaulty else {
            unreadable.append("symbol \(symbol.symbol)")
            return nil
        }
        if let state, let watch = watchPlaces[symbol.symbol] { watches[watch].state = state }
        return symbolState
    }

    private func keptAlerts(
        _ alerts: [AlertSnapshot], _ kept: Set<String>, _ clock: ClockTranslation, _ unreadable: inout [String]
    ) -> [Symbol: [AlertKey: KeptAlert]] {
        let windows = Dictionary(rules.map { ($0.name, $0.condition.tests.first?.move?.window) }) { first, _ in first }
        var found: [Symbol: [AlertKey: KeptAlert]] = [:]
        for alert in alerts where kept.contains(alert.rule) {
            guard let encodedState = StoredAlertState(alert.encodedState, clock: clock) else {
                unreadable.append("alert “\(alert.rule)” on \(alert.symbol) (\(alert.bound.rawValue))")
                continue
            }
            let length = windows[alert.rule] ?? nil
            let window = length.flatMap { length in
                encodedState.windowStart.map { RollingWindow(length: length, start: $0) }
            }
            found[alert.symbol, default: [:]][AlertKey(rule: alert.rule, bound: alert.bound)] = KeptAlert(
                machine: encodedState.machine, record: encodedState.record, window: window)
        }
        return found
    }
}

/// Which prices an engine wants back after a restart.
package struct WindowNeed: Equatable, Sendable {
    package var symbol: Symbol
    package var since: WallTime
}

extension RuleEngine {
    /// The symbols whose windows lost their prices with the restart. Only last prices can be given back; windows of
    /// bids and asks fill again from the next response on.
    package func windowNeeds(at now: Instant) -> [WindowNeed] {
        symbolStates.compactMap { symbolState in
            let lengths = symbolState.inputs.filter { $0.kind == .last }.flatMap(\.windows).filter { $0.start != nil }
                .map(\.length)
            return lengths.max().map {
                WindowNeed(symbol: symbolState.symbol, since: WallTime(milliseconds: now.wall.milliseconds - $0.count))
            }
        }
    }

    /// Fills the windows of a symbol after a restart.
    ///
    /// - Parameters:
    ///   - symbol: the symbol.
    ///   - samples: its last prices in the order of their times; those that no window counts are passed over.
    ///   - now: the present.
    package mutating func seedWindows(
        of symbol: Symbol, with samples: [(price: Price, time: WallTime)], at now: Instant
    ) {
        guard let number = table.number(of: symbol) else { return }
        let frozen = symbolStates[number].activity.frozenSince
        for index in symbolStates[number].inputs.indices where symbolStates[number].inputs[index].kind == .last {
            guard let last = symbolStates[number].inputs[index].previous?.time else { continue }
            for sample in samples where sample.price.isPositive {
                let time = Instant(boot: now.boot, wall: sample.time).translated(toBootOf: now)
                guard time.boot <= last.boot, frozen.map({ time.boot < $0.boot }) ?? true else { continue }
                symbolStates[number].inputs[index].seedWindows(sample.price, at: time)
            }
        }
    }
}

extension PriceInput {
    fileprivate mutating func seedWindows(_ price: Price, at time: Instant) {
        for index in windows.indices {
            guard let start = windows[index].start, time.boot >= start.boot else { continue }
            windows[index].append(price, at: time)
        }
    }
}
