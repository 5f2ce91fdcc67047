package import Events
package import Market
package import Time

/// A limit, set at run time, that replaces the rule's limit for one symbol and bound until it is reset.
package struct LimitOverride: Equatable, Sendable {
    /// The name of the rule.
    package var rule: String
    /// The source of the symbol.
    package var source: SourceName
    package var symbol: Symbol
    /// `min` or `max`.
    package var bound: Bound
    /// In ``currency``.
    package var limit: Price
    /// The rule's currency when the override was set; nil for the market's currency. The override has no effect if
    /// the rule's currency changes.
    package var currency: Currency?
    package var author: UserIdentity
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
    /// True if both are for the same alert, so that only one of them can be in effect. The source is not compared,
    /// because a rule has one source at a time.
    package func isFor(theSameAs other: LimitOverride) -> Bool {
        rule == other.rule && symbol == other.symbol && bound == other.bound
    }

    /// True if both set the same limit for the same source. Otherwise, one of them may not be in effect.
    package func means(theSameAs other: LimitOverride) -> Bool {
        source == other.source && limit == other.limit && currency == other.currency
    }
}

/// The reason why an override is not in effect.
package enum OverrideIssue: Equatable, Sendable {
    /// No rule has this name.
    case noRule
    /// The rule does not match the symbol.
    case otherSymbols
    /// The rule has no limit of this bound.
    case noLimit
    /// The rule now has another currency.
    case otherCurrency
    /// The limits contradict each other.
    case faulty(ConditionError)
}

extension Rule {
    /// Returns the configured limit of a bound. Nil if the rule has none, or has a relative one and `base` is nil.
    package func limit(of bound: Bound, from base: Price? = nil) -> Price? {
        switch condition {
        case .band(let band): band.limit(of: bound)
        case .relative(let band):
            band.amount(of: bound) ?? base.flatMap { try? band.band(from: $0) }?.limit(of: bound)
        default: nil
        }
    }

    /// True if the settings have a limit of this bound, even if its value is unknown.
    package func hasLimit(of bound: Bound) -> Bool {
        condition.kind == .band && condition.tests.contains { $0.bound == bound }
    }

    /// Returns the tests of the rule's alerts with overrides applied. The overrides of a rule and symbol are in
    /// effect either all together or not at all: a `min` that was changed to suit a changed `max` makes no sense
    /// without it.
    ///
    /// - Parameters:
    ///   - overrides: The overrides of the rule and symbol.
    ///   - base: The base of relative limits; nil while unknown.
    /// - Returns: The tests, or why the limits are invalid.
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

    /// Returns why the override does not fit the rule, regardless of other overrides; nil if it fits.
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
