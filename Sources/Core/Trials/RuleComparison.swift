package import Engine
package import Events
internal import Market
package import Rules
package import Time

/// A comparison of two sets of rules on the same prices. It reports the notified events that only one of the sets
/// has.
package struct RuleComparison: Sendable {
    private var old: RecordedEngine
    private var new: RecordedEngine
    /// Number of notified events that both sets have.
    package private(set) var commonCount = 0

    /// An event of only one of the two sets.
    package struct Difference: Equatable, Sendable {
        /// True if only the new rules have the event, false if only the old ones have it.
        package var isNew: Bool
        package var occurrence: Occurrence
    }

    /// - Parameters:
    ///   - old: the current rules and settings.
    ///   - new: the rules and settings to compare with.
    package init(
        old: (rules: [Rule], settings: EngineSettings), new: (rules: [Rule], settings: EngineSettings)
    ) {
        self.old = RecordedEngine(rules: old.rules, settings: old.settings)
        self.new = RecordedEngine(rules: new.rules, settings: new.settings)
    }

    /// Returns the names of the rules in either set whose last prices could not be converted into the rule's
    /// currency.
    package func unconverted() -> Set<String> {
        let all = old.finished.alerts() + new.finished.alerts()
        return Set(all.filter { [.unconvertible, .staleRate].contains($0.condition) }.map(\.rule.name))
    }

    /// Evaluates the prices of one instant, like ``Backtest/evaluate(_:at:rates:)``.
    ///
    /// - Parameters:
    ///   - prices: at most one per symbol.
    ///   - time: when the prices were received.
    ///   - rates: the reference rates at that time.
    /// - Returns: the events of only the old rules, then those of only the new ones. Two events are the same if their
    ///   time, kind, rule, symbol and bound are equal.
    package mutating func evaluate(
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
