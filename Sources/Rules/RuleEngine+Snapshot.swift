internal import Market

/// What has become different since it was last asked for. Each track and alert is listed once, so that it stays small
/// when nobody asks.
struct ChangeLog: Sendable {
    /// Whether other rules are in force.
    var isWhole = true
    var feed = false
    var tracks: [Int] = []
    var alerts: [(track: Int, alert: Int)] = []
    /// Places in the watches, of symbols that have no track.
    var unseen: [Int] = []
}

extension RuleEngine {
    /// All that has to be remembered over a restart.
    package func snapshot() -> EngineSnapshot {
        var alerts: [(rule: Int, snapshot: AlertSnapshot)] = []
        for track in tracks {
            alerts += track.alerts.map { ($0.rule, snapshot(of: $0, in: track)) }
        }
        // Stable: of one rule, the order of the symbols and bounds stays.
        alerts = alerts.enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }
            .map(\.element)
        let seen = tracks.indices.filter(isRemembered).map(symbolSnapshot)
        let unseen = watches.filter { $0.track == nil }.map(Self.unseenSnapshot)
        return EngineSnapshot(
            rules: rules.map(\.identity), alerts: alerts.map(\.snapshot), symbols: seen + unseen, feed: feed.memory)
    }

    /// What has become different since the last call; the first call gives all.
    ///
    /// The cost is that of what changed: symbols without alerts cost nothing.
    package mutating func takeChanges() -> EngineChanges {
        let taken = changes
        changes = ChangeLog()
        changes.isWhole = false
        for number in taken.tracks { tracks[number].isChanged = false }
        for (track, alert) in taken.alerts where !taken.isWhole { tracks[track].alerts[alert].isChanged = false }
        if taken.isWhole {
            for track in tracks.indices {
                for alert in tracks[track].alerts.indices { tracks[track].alerts[alert].isChanged = false }
            }
            return .whole(snapshot())
        }
        return .part(
            alerts: taken.alerts.map { snapshot(of: tracks[$0.track].alerts[$0.alert], in: tracks[$0.track]) },
            symbols: taken.tracks.map(symbolSnapshot) + taken.unseen.map { Self.unseenSnapshot(watches[$0]) },
            feed: taken.feed ? feed.memory : nil)
    }

    mutating func noteChange(ofTrack number: Int) {
        guard !changes.isWhole, !tracks[number].isChanged, isRemembered(number) else { return }
        tracks[number].isChanged = true
        changes.tracks.append(number)
    }

    mutating func noteChange(of alert: inout Alert, _ index: Int, of number: Int) {
        guard !changes.isWhole, !alert.isChanged else { return }
        alert.isChanged = true
        changes.alerts.append((number, index))
    }

    private func isRemembered(_ number: Int) -> Bool {
        tracks[number].watch != nil || !tracks[number].alerts.isEmpty
    }

    func snapshot(of alert: Alert, in track: MarketTrack) -> AlertSnapshot {
        let rule = rules[alert.rule]
        let reading = track.readings[alert.reading]
        let memory = AlertMemory(
            machine: alert.machine, record: alert.record,
            windowStart: alert.window.flatMap { reading.windows[$0].start },
            reading: alert.reading == 0 ? nil : reading.key)
        return AlertSnapshot(
            rule: rule.name, symbol: track.symbol, bound: alert.test.bound, state: alert.machine.word,
            since: alert.machine.since, severity: rule.severity, limit: alert.test.limit,
            currency: rule.currency ?? track.quoteCurrency, memory: memory.text)
    }

    private func symbolSnapshot(_ number: Int) -> SymbolSnapshot {
        let track = tracks[number]
        var writer = MemoryWriter()
        track.write(to: &writer)
        writer.field("watch", track.watch.map { watches[$0].state.rawValue })
        return SymbolSnapshot(symbol: track.symbol, memory: writer.text)
    }

    private static func unseenSnapshot(_ watch: SymbolWatch) -> SymbolSnapshot {
        SymbolSnapshot(symbol: watch.symbol, memory: "watch=\(watch.state.rawValue)")
    }
}
