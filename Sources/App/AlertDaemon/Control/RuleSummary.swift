internal import Control
internal import Engine
internal import Events
internal import Market
internal import Rules

/// A summary of the alerts of one rule for a list of rules. It is collected alert by alert, all of a symbol in a row.
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
        // A limit that differed once is not shared.
        if let known = limits[alert.bound] {
            if known != limit { limits[alert.bound] = .some(nil) }
        } else {
            limits[alert.bound] = .some(limit)
        }
    }

    /// The currency that all alerts share; nil if they have several, or if it is not known.
    var sharedCurrency: Currency? { currencies.count == 1 ? currencies.first.flatMap(\.self) : nil }

    /// The limits that all alerts of a bound share, in the order of the bounds.
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
