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
        let read = snapshot.symbols.compactMap { track($0, clock, &restoration.unreadable) }
        let known = Dictionary(read.map { ($0.symbol, $0) }) { first, _ in first }
        restoration.occurrences = endings(change, of: snapshot, clock) { known[$0] }
        let kept = keptAlerts(snapshot.alerts, Set(change.kept), clock, &restoration.unreadable)
        let unknown = Set(snapshot.alerts.map(\.symbol)).subtracting(known.keys).sorted()
        for track in read + unknown.map({ MarketTrack(symbol: $0, at: time) }) {
            guard table.number(of: track.symbol) == nil, table.number(of: track.symbol, at: tracks.count) != nil else {
                continue
            }
            append(track, keeping: kept[track.symbol] ?? [:])
        }
        if !change.isEmpty { restoration.occurrences.append(Occurrence(change, at: time)) }
        _ = markExpired(at: time)
        changes.isWhole = true
        return restoration
    }

    /// The symbol as it was; nil when it cannot be read, and when no response had it.
    private mutating func track(
        _ symbol: SymbolSnapshot, _ clock: ClockTranslation, _ unreadable: inout [String]
    ) -> MarketTrack? {
        guard var reader = MemoryReader(symbol.memory, clock: clock, isKnown: MarketTrack.isMemoryKey) else {
            unreadable.append("symbol \(symbol.symbol)")
            return nil
        }
        let state = reader.value("watch", SymbolWatch.State.init)
        let track = MarketTrack(symbol.symbol, reading: &reader, at: clock.now)
        guard !reader.isFaulty else {
            unreadable.append("symbol \(symbol.symbol)")
            return nil
        }
        if let state, let watch = watchPlaces[symbol.symbol] { watches[watch].state = state }
        return track
    }

    private func keptAlerts(
        _ alerts: [AlertSnapshot], _ kept: Set<String>, _ clock: ClockTranslation, _ unreadable: inout [String]
    ) -> [Symbol: [AlertKey: KeptAlert]] {
        let windows = Dictionary(rules.map { ($0.name, $0.condition.tests.first?.move?.window) }) { first, _ in first }
        var found: [Symbol: [AlertKey: KeptAlert]] = [:]
        for alert in alerts where kept.contains(alert.rule) {
            guard let memory = AlertMemory(alert.memory, clock: clock) else {
                unreadable.append("alert “\(alert.rule)” on \(alert.symbol) (\(alert.bound.rawValue))")
                continue
            }
            let length = windows[alert.rule] ?? nil
            let window = length.flatMap { length in
                memory.windowStart.map { RollingWindow(length: length, start: $0) }
            }
            found[alert.symbol, default: [:]][AlertKey(rule: alert.rule, bound: alert.bound)] = KeptAlert(
                machine: memory.machine, record: memory.record, window: window)
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
        tracks.compactMap { track in
            let lengths = track.readings.filter { $0.kind == .last }.flatMap(\.windows).filter { $0.start != nil }
                .map(\.length)
            return lengths.max().map {
                WindowNeed(symbol: track.symbol, since: WallTime(milliseconds: now.wall.milliseconds - $0.count))
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
        let frozen = tracks[number].activity.frozenSince
        for index in tracks[number].readings.indices where tracks[number].readings[index].kind == .last {
            guard let last = tracks[number].readings[index].previous?.time else { continue }
            for sample in samples where sample.price.isPositive {
                let time = Instant(boot: now.boot, wall: sample.time).translated(toBootOf: now)
                guard time.boot <= last.boot, frozen.map({ time.boot < $0.boot }) ?? true else { continue }
                tracks[number].readings[index].seedWindows(sample.price, at: time)
            }
        }
    }
}

extension Reading {
    fileprivate mutating func seedWindows(_ price: Price, at time: Instant) {
        for index in windows.indices {
            guard let start = windows[index].start, time.boot >= start.boot else { continue }
            windows[index].append(price, at: time)
        }
    }
}
