package import Engine
package import Events
internal import Market
package import Rules
package import Time

/// Runs two sets of rules over the same prices and reports the events of only one of them.
package struct RuleComparison: Sendable {
    private var old: RecordedEngine
    private var new: RecordedEngine
    /// How many events both have.
    package private(set) var commonCount = 0

    /// The events of only one of the two.
    package struct Difference: Equatable, Sendable {
        /// Whether only the new rules have it; otherwise only the old ones.
        package var isNew: Bool
        package var occurrence: Occurrence
    }

    /// - Parameters:
    ///   - old: the current rules and times.
    ///   - new: the rules and times to compare with.
    package init(
        old: (rules: [Rule], settings: EngineSettings), new: (rules: [Rule], settings: EngineSettings)
    ) {
        self.old = RecordedEngine(rules: old.rules, settings: old.settings)
        self.new = RecordedEngine(rules: new.rules, settings: new.settings)
    }

    /// The names of the rules of either set whose last prices could not be converted into their currency.
    package func unconverted() -> Set<String> {
        let all = old.finished.alerts() + new.finished.alerts()
        return Set(all.filter { [.unconvertible, .staleRate].contains($0.condition) }.map(\.rule.name))
    }

    /// Evaluates the prices of one moment, as ``Backtest/take(_:at:rates:)`` does.
    ///
    /// - Parameters:
    ///   - prices: at most one per symbol.
    ///   - time: when they were received.
    ///   - rates: the reference rates of that time.
    /// - Returns: the events of only the old rules, then those of only the new ones. Events are the same when time,
    ///   kind,
    ///   rule, symbol and bound are.
    package mutating func take(
        _ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates? = nil
    ) -> [Difference] {
        let before = old.evaluate(prices, at: time, rates: rates).filter(\.notified)
        let after = new.evaluate(prices, at: time, rates: rates).filter(\.notified)
        guard !before.isEmpty || !after.isEmpty else { return [] }
        let (oldKeys, newKeys) = (Set(before.map(EventKey.init)), Set(after.map(EventKey.init)))
        commonCount += oldKeys.intersection(newKeys).count
        return before.filter { !newKeys.contains(EventKey($0)) }.map { Difference(isNew: false, occurrence: $0) }
            + after.filter { !oldKeys.contains(EventKey($0)) }.map { Difference(isNew: true, occurrence: $0) }
    }
}

private struct EventKey: Hashable {
    let kind: EventKind
    let rule: String?
    let symbol: Symbol?
    let bound: Bound?

    init(_ occurrence: Occurrence) {
        kind = occurrence.kind
        rule = occurrence.rule
        symbol = occurrence.symbol
        bound = occurrence.bound
    }
}
