internal import Events
internal import Market
internal import Rules

/// The limits that were changed at run time, by the alerts that they are for.
struct OverrideTable: Sendable {
    private struct Key: Hashable {
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

    private func overrides(of rule: Rule, on symbol: Symbol) -> [LimitOverride] {
        byKey.isEmpty ? [] : byKey[Key(rule: rule.name, symbol: symbol)] ?? []
    }

    /// The condition in effect for the symbol.
    func condition(of rule: Rule, on symbol: Symbol) -> Condition {
        let overrides = overrides(of: rule, on: symbol)
        guard !overrides.isEmpty, case .success(let band) = rule.band(overrides) else { return rule.condition }
        return .band(band)
    }

    /// The override in effect for an alert; nil when the limit is that of the settings.
    func active(for rule: Rule, on symbol: Symbol, _ bound: Bound) -> LimitOverride? {
        let overrides = overrides(of: rule, on: symbol)
        guard let found = overrides.last(where: { $0.bound == bound }), case .success = rule.band(overrides) else {
            return nil
        }
        return found
    }

    /// Why an override is not in effect with these rules; nil when it is.
    func issue(of override: LimitOverride, among rules: [Rule]) -> OverrideIssue? {
        guard let rule = rules.first(where: { $0.name == override.rule }) else { return .noRule }
        if let issue = rule.issue(override) { return issue }
        guard case .failure(let error) = rule.band(overrides(of: rule, on: override.symbol)) else { return nil }
        return .faulty(error)
    }
}
