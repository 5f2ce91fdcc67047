internal import Control
internal import Engine
internal import Events
internal import Market
internal import Rules

/// A summary of the alerts of one rule for a list of rules. Alerts are added one at a time, all alerts of a symbol one
/// after another.
struct RuleSummary {
    /// The number of symbols that have an alert.
    private(set) var symbols = 0
    private(set) var firing = 0
    private(set) var overrides: [LimitOverride] = []
    private var last: Symbol?
    private var byCondition: [AlertCondition: (symbols: Int, last: Symbol)] = [:]
    private var limits: [Bound: RuleLimit?] = [:]
    private var currencies: Set<Currency?> = []

    /// The conditions in which an alert does not work.
    private static let problemConditions: [AlertCondition] = [
        .missing, .frozen, .unusable, .unconvertible, .staleRate, .expired, .disarmed,
    ]

    mutating func add(_ condition: AlertCondition, on symbol: Symbol) {
        if last != symbol { symbols += 1 }
        last = symbol
        if condition == .firing { firing += 1 }
        guard Self.problemConditions.contains(condition) else { return }
        let known = byCondition[condition]
        guard known?.last != symbol else { return }
        byCondition[condition] = ((known?.symbols ?? 0) + 1, symbol)
    }

    mutating func add(_ alert: AlertSummary, on symbol: Symbol) {
        add(alert.condition, on: symbol)
        if let override = alert.override { overrides.append(override) }
        currencies.insert(alert.currency)
        let limit = alert.limit.flatMap { limit in
            alert.currency.map { RuleLimit(bound: .init(alert.bound), limit: "\(limit)", currency: "\($0)") }
        }
        // `.some(nil)` marks a bound whose alerts have different limits.
        if let known = limits[alert.bound] {
            if known != limit { limits[alert.bound] = .some(nil) }
        } else {
            limits[alert.bound] = .some(limit)
        }
    }

    /// The currency of all alerts; nil if they have different currencies, or if it is unknown.
    var sharedCurrency: Currency? { currencies.count == 1 ? currencies.first.flatMap(\.self) : nil }

    /// The limit of each bound whose alerts all have the same limit, in the order of the bounds.
    var sharedLimits: [RuleLimit] {
        Bound.allCases.compactMap { limits[$0] ?? nil }
    }

    /// The conditions in which alerts do not work, each with the number of symbols affected.
    var problems: [SymbolProblem] {
        Self.problemConditions.compactMap { condition in
            byCondition[condition].map {
                SymbolProblem(state: .init(rawValue: condition.rawValue), symbols: $0.symbols)
            }
        }
    }
}
