internal import Events
internal import Market
internal import Rules

/// The limits changed at run time, by rule and symbol.
struct OverrideTable: Sendable {
    private struct Key: Hashable {
        var rule: String
        var symbol: Symbol
    }

    /// In the order of creation.
    let all: [LimitOverride]
    private let byKey: [Key: [LimitOverride]]

    init(_ overrides: [LimitOverride] = []) {
        all = overrides
        byKey = Dictionary(grouping: overrides) { Key(rule: $0.rule, symbol: $0.symbol) }
    }

    private func overrides(of rule: Rule, on symbol: Symbol) -> [LimitOverride] {
        byKey.isEmpty ? [] : byKey[Key(rule: rule.name, symbol: symbol)] ?? []
    }

    /// Returns the tests in effect for a symbol. Relative limits become absolute if their base is known.
    func tests(of rule: Rule, on symbol: Symbol, from base: Price?) -> [AlertTest] {
        let overrides = overrides(of: rule, on: symbol)
        if !overrides.isEmpty, case .success(let tests) = rule.tests(overrides, from: base) { return tests }
        guard base != nil, case .success(let tests) = rule.tests([], from: base) else { return rule.condition.tests }
        return tests
    }

    /// Returns the tests with relative limits computed from a base.
    ///
    /// - Throws: The reason why the price cannot be the base, with or without the limits changed at run time.
    func tests(of rule: Rule, on symbol: Symbol, determinedBy base: Price) throws(ConditionError) -> [AlertTest] {
        _ = try rule.tests([], from: base).get()
        let overrides = overrides(of: rule, on: symbol)
        guard case .success = rule.tests(overrides, from: nil) else { return try rule.tests([], from: base).get() }
        return try rule.tests(overrides, from: base).get()
    }

    /// Returns the override in effect for an alert; nil if the configured limit is.
    func active(for rule: Rule, on symbol: Symbol, _ bound: Bound, from base: Price?) -> LimitOverride? {
        let overrides = overrides(of: rule, on: symbol)
        guard let found = overrides.last(where: { $0.bound == bound }),
            case .success = rule.tests(overrides, from: base)
        else { return nil }
        return found
    }

    /// Returns why an override is not in effect with these rules; nil if it is.
    func issue(of override: LimitOverride, among rules: [Rule]) -> OverrideIssue? {
        guard let rule = rules.first(where: { $0.name == override.rule }) else { return .noRule }
        if let issue = rule.issue(override) { return issue }
        guard case .failure(let error) = rule.tests(overrides(of: rule, on: override.symbol), from: nil) else {
            return nil
        }
        return .faulty(error)
    }
}
