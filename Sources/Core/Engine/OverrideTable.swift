internal import Market
internal import Rules

/// The overrides, by the alerts that they are for.
struct OverrideTable: Sendable {
    struct Key: Hashable {
        var rule: String
        var symbol: Symbol
    }

    /// In the order in which they were set.
    let all: [LimitOverride]
    private let byKey: [Key: [LimitOverride]]

    init(_ overrides: [LimitOverride] = []) {
        all = overrides
        byKey = Dictionary(grouping: overrides) { Key(rule: $0.rule, symbol: $0.symbol) }
    }

    func overrides(of rule: Rule, on symbol: Symbol) -> [LimitOverride] {
        byKey.isEmpty ? [] : byKey[Key(rule: rule.name, symbol: symbol)] ?? []
    }

    /// The condition that holds for the symbol.
    func condition(of rule: Rule, on symbol: Symbol) -> Condition {
        let overrides = overrides(of: rule, on: symbol)
        guard !overrides.isEmpty, case .success(let band) = rule.band(overrides) else { return rule.condition }
        return .band(band)
    }
}
