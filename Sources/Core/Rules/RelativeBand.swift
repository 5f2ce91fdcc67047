package import Events
package import Market
package import Time

/// A limit as declared in the settings.
package enum DeclaredLimit: Equatable, Sendable {
    /// In the rule's currency.
    case amount(Price)
    /// A change of the base in per cent: 10 for a limit 10% above it, −5 for a limit 5% below it.
    case percent(Price)
}

/// The base that relative limits are measured from.
package enum LimitBase: Equatable, Sendable {
    /// The first usable price after the rule took effect.
    case price
    /// The last usable price before this day began, in UTC.
    case day(CivilDate)
    /// An amount in the rule's currency.
    case amount(Price)
}

/// A band with at least one limit relative to a base price. The base is found once for each symbol; relative limits
/// are exact multiples of it.
package struct RelativeBand: Equatable, Sendable {
    /// Nil without a lower limit.
    package let min: DeclaredLimit?
    /// Nil without an upper limit.
    package let max: DeclaredLimit?
    /// Nil or 0 for none.
    package let hysteresis: Distance?
    package let base: LimitBase

    /// Creates a band and checks its limits as far as possible without the base.
    ///
    /// - Throws: ``ConditionError``, the first problem found.
    package init(
        min: DeclaredLimit?, max: DeclaredLimit?, hysteresis: Distance? = nil, base: LimitBase
    ) throws(ConditionError) {
        self.init(unchecked: min, max, hysteresis, base)
        guard let one = Price(mantissa: 1, scale: 0) else { return }
        if case .percent(let change)? = min, try one.changed(by: change, .min) >= one, base == .price {
            throw .reachedAtOnce(.min)
        }
        if case .percent(let change)? = max, try one.changed(by: change, .max) <= one, base == .price {
            throw .reachedAtOnce(.max)
        }
        // Without amounts, the check gives the same result for every base.
        if min?.isAmount != true, max?.isAmount != true, !(hysteresis?.isAmount ?? false) { _ = try band(from: one) }
        if case .amount(let amount) = base { _ = try band(from: amount) }
    }

    private init(unchecked min: DeclaredLimit?, _ max: DeclaredLimit?, _ hysteresis: Distance?, _ base: LimitBase) {
        (self.min, self.max, self.hysteresis, self.base) = (min, max, hysteresis, base)
    }

    /// Returns the band for a base.
    ///
    /// - Throws: ``ConditionError`` if a limit cannot be represented exactly, or the limits contradict each other.
    package func band(from base: Price) throws(ConditionError) -> Band {
        guard base.isPositive else { throw .notPositive(min == nil ? .max : .min) }
        return try Band(
            min: min.map { (limit) throws(ConditionError) in try limit.price(from: base, .min) },
            max: max.map { (limit) throws(ConditionError) in try limit.price(from: base, .max) },
            hysteresis: hysteresis, origin: self)
    }

    /// Returns the limit of a bound if it is an amount.
    package func amount(of bound: Bound) -> Price? {
        if case .amount(let amount)? = self[bound] { amount } else { nil }
    }

    /// Returns the difference between the limit of a bound and the base in per cent; nil if the limit is an amount.
    package func percent(of bound: Bound) -> Price? {
        if case .percent(let percent)? = self[bound] { percent } else { nil }
    }

    private subscript(bound: Bound) -> DeclaredLimit? {
        switch bound {
        case .min: min
        case .max: max
        default: nil
        }
    }

    /// Returns a copy with another limit.
    func replacing(_ bound: Bound, with limit: Price) -> RelativeBand {
        RelativeBand(
            unchecked: bound == .min ? .amount(limit) : min, bound == .max ? .amount(limit) : max, hysteresis, base)
    }

    /// Returns the tests of the band's alerts. Without a base, tests with a relative limit are undetermined.
    func tests(from base: Price?) throws(ConditionError) -> [AlertTest] {
        if let base { return Condition.band(try band(from: base)).tests }
        let amounts = (amount(of: .min), amount(of: .max))
        guard amounts.0 != nil || amounts.1 != nil else {
            return [min.map { _ in .undetermined(.min) }, max.map { _ in .undetermined(.max) }].compactMap(\.self)
        }
        let known = Condition.band(try Band(min: amounts.0, max: amounts.1, hysteresis: hysteresis)).tests
        return [Bound.min, .max].compactMap { bound in
            self[bound].map { _ in known.first { $0.bound == bound } ?? .undetermined(bound) }
        }
    }
}

extension DeclaredLimit {
    fileprivate var isAmount: Bool {
        if case .amount = self { true } else { false }
    }

    fileprivate func price(from base: Price, _ bound: Bound) throws(ConditionError) -> Price {
        switch self {
        case .amount(let amount): amount
        case .percent(let percent): try base.changed(by: percent, bound)
        }
    }
}

extension Distance {
    fileprivate var isAmount: Bool {
        if case .amount = self { true } else { false }
    }
}

extension Price {
    /// Returns the price plus a percentage of it, exactly and without trailing zeros.
    fileprivate func changed(by percent: Price, _ bound: Bound) throws(ConditionError) -> Price {
        guard let factor = Price.hundred.adding(percent)?.reduced else { throw .doesNotFit(bound) }
        guard factor.isPositive else { throw .notPositive(bound) }
        guard let changed = factor.multiplied(by: reduced)?.reduced.multiplied(by: .hundredth) else {
            throw .doesNotFit(bound)
        }
        return changed.reduced
    }
}

extension RelativeBand {
    /// Formats the limits as declared: `min -5% max +10% from price`.
    func text(_ price: (Price) -> String, _ distance: (Distance) -> String) -> String {
        let parts = [
            min.map { "min \($0.text(price))" }, max.map { "max \($0.text(price))" }, "from \(base.text(price))",
            hysteresis.map { "hysteresis \(distance($0))" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension DeclaredLimit {
    /// Formats as `+10%`, `-5%` or an amount.
    package func text(_ price: (Price) -> String) -> String {
        switch self {
        case .amount(let amount): price(amount)
        case .percent(let percent): "\(percent.mantissa < 0 ? "" : "+")\(percent.reduced)%"
        }
    }
}

extension LimitBase {
    /// Formats as `price`, `2026-11-01` or an amount.
    package func text(_ price: (Price) -> String) -> String {
        switch self {
        case .price: "price"
        case .day(let day): "\(day)"
        case .amount(let amount): price(amount)
        }
    }
}
