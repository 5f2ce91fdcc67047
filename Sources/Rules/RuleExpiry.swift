internal import Market

/// Which rules are over.
struct RuleExpiry: Sendable {
    /// Rules that end some time, and whether they have.
    private var entries: [(rule: Int, end: WallTime, isOver: Bool)]

    init(_ rules: [Rule]) {
        entries = rules.enumerated().compactMap { number, rule in rule.expires.map { (number, $0, false) } }
    }

    func isExpired(_ rule: Int) -> Bool {
        entries.contains { $0.rule == rule && $0.isOver }
    }

    /// Takes the time.
    ///
    /// - Returns: the rules that are over now and were not, or the other way round.
    mutating func update(at time: WallTime) -> [Int: Bool] {
        var changed: [Int: Bool] = [:]
        for index in entries.indices where entries[index].isOver != (time >= entries[index].end) {
            entries[index].isOver.toggle()
            changed[entries[index].rule] = entries[index].isOver
        }
        return changed
    }
}

extension RuleEngine {
    /// Marks the alerts of rules that are over.
    ///
    /// - Returns: whether an alert is to take the end of its rule.
    mutating func markExpired(at time: Instant) -> Bool {
        let changed = expiry.update(at: time.wall)
        guard !changed.isEmpty else { return false }
        for number in tracks.indices {
            for index in tracks[number].alerts.indices {
                guard let isOver = changed[tracks[number].alerts[index].rule] else { continue }
                tracks[number].alerts[index].isExpired = isOver
                tracks[number].alerts[index].mustEnd = isOver
                tracks[number].mustEnd = true
            }
            if tracks[number].mustEnd { tracks[number].openGates() }
        }
        return true
    }

    /// Ends the firings of symbols that are not in the response: by rule, then by symbol.
    mutating func endExpired(at time: Instant) -> [Occurrence] {
        let places = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var ended: [Occurrence] = []
        for number in tracks.indices.sorted(by: { tracks[$0].symbol < tracks[$1].symbol }) where tracks[number].mustEnd
        {
            for index in tracks[number].readings.indices { tracks[number].readings[index].forgetNow() }
            evaluateAlerts(of: number, Ticker(symbol: tracks[number].symbol), at: time, into: &ended)
        }
        return ended.enumerated().map { (places[$1.rule ?? ""] ?? 0, $0, $1) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}
