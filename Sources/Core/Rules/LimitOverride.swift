package import Events
package import Market
package import Time

/// A limit that replaces the rule's for one symbol and bound: set at run time, in effect until it is reset.
package struct LimitOverride: Equatable, Sendable {
    /// The name of the rule.
    package var rule: String
    /// The source of the symbol.
    package var source: SourceName
    package var symbol: Symbol
    /// `min` or `max`.
    package var bound: Bound
    /// The new limit, in ``currency``.
    package var limit: Price
    /// The rule's currency when it was set; the market's own when nil. In another currency the limit would mean
    /// something else.
    package var currency: Currency?
    /// Who set it.
    package var author: UserIdentity
    /// When it was set.
    package var since: WallTime

    package init(
        rule: String, source: SourceName, symbol: Symbol, bound: Bound, limit: Price, currency: Currency?,
        author: UserIdentity, since: WallTime
    ) {
        self.rule = rule
        self.source = source
        self.symbol = symbol
        self.bound = bound
        self.limit = limit
        self.currency = currency
        self.author = author
        self.since = since
    }
}

extension LimitOverride {
    /// Whether both are for the same alert, so that only one of them can be in effect. A rule has one source at a time.
    package func isFor(theSameAs other: LimitOverride) -> Bool {
        rule == other.rule && symbol == other.symbol && bound == other.bound
    }

    /// Whether both are the same limit, of the same source; else one of them may be without effect.
    package func means(theSameAs other: LimitOverride) -> Bool {
        source == other.source && limit == other.limit && currency == other.currency
    }
}

/// Why an override is not in effect.
package enum OverrideIssue: Equatable, Sendable {
    /// No rule has its name.
    case noRule
    /// The rule is not for the symbol.
    case otherSymbols
    /// The rule has no such limit.
    case noLimit
    /// The rule's currency is another one now.
    case otherCurrency
    /// The limits contradict each other.
    case faulty(ConditionError)
}

extension Rule {
    /// The limit of that bound in the settings; nil when the rule has none, or a relative one whose base is nil.
    package func limit(of bound: Bound, from base: Price? = nil) -> Price? {
        switch condition {
        case .band(let band): band.limit(of: bound)
        case .relative(let band):
            band.amount(of: bound) ?? base.flatMap { try? band.band(from: $0) }?.limit(of: bound)
        default: nil
        }
    }

    /// Whether the settings have a limit of that bound, known or not.
    package func hasLimit(of bound: Bound) -> Bool {
        condition.kind == .band && condition.tests.contains { $0.bound == bound }
    }

    /// The tests of the rule's alerts with overrides applied. Either all overrides of a rule and symbol are in effect
    /// or none: a `min` that was moved because of the `max` makes no sense without it.
    ///
    /// - Parameters:
    ///   - overrides: Those of the rule and symbol.
    ///   - base: What relative limits refer to; nil while it is not known.
    /// - Returns: The tests, or why the limits are not valid.
    package func tests(_ overrides: [LimitOverride], from base: Price?) -> Result<[AlertTest], ConditionError> {
        guard !overrides.contains(where: { issue($0) != nil }) else { return .failure(.noLimit) }
        return Result { () throws(ConditionError) in
            switch condition {
            case .band(let band):
                let limit = { (bound: Bound) in
                    overrides.last { $0.bound == bound }?.limit ?? band.limit(of: bound)
                }
                return Condition.band(
                    try Band(min: limit(.min), max: limit(.max), hysteresis: band.hysteresis)
                ).tests
            case .relative(let band):
                return try overrides.reduce(band) { $0.replacing($1.bound, with: $1.limit) }.tests(from: base)
            default: throw .noLimit
            }
        }
    }

    /// Why the override does not fit the rule, without regard to other overrides; nil when it does.
    package func issue(_ override: LimitOverride) -> OverrideIssue? {
        if !matches(override.symbol) { return .otherSymbols }
        if !hasLimit(of: override.bound) { return .noLimit }
        return override.currency == currency ? nil : .otherCurrency
    }
}

extension Band {
    fileprivate func limit(of bound: Bound) -> Price? {
        switch bound {
        case .min: min?.price
        case .max: max?.price
        default: nil
        }
    }
}
