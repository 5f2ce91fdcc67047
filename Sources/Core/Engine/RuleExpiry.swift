internal import Events
internal import Market
internal import Rules
internal import Time

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
        for number in symbolStates.indices {
            for index in symbolStates[number].alerts.indices {
                guard let isOver = changed[symbolStates[number].alerts[index].rule] else { continue }
                symbolStates[number].alerts[index].isExpired = isOver
                symbolStates[number].alerts[index].mustEnd = isOver
                symbolStates[number].mustEnd = true
            }
            if symbolStates[number].mustEnd { symbolStates[number].openWakeThresholds() }
        }
        return true
    }

    /// Ends the firings of symbols that are not in the response: by rule, then by symbol.
    mutating func endExpired(at time: Instant) -> [Occurrence] {
        let places = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var ended: [Occurrence] = []
        for number in symbolStates.indices.sorted(by: { symbolStates[$0].symbol < symbolStates[$1].symbol })
        where symbolStates[number].mustEnd {
            for index in symbolStates[number].inputs.indices { symbolStates[number].inputs[index].forgetNow() }
            evaluateAlerts(of: number, Ticker(symbol: symbolStates[number].symbol), at: time, into: &ended)
        }
        return ended.enumerated().map { (places[$1.rule ?? ""] ?? 0, $0, $1) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}
