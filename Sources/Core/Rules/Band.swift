package import Events
package import Market

/// A minimum and a maximum price (one or both), and the hysteresis: how far a price must return before an alert
/// resolves.
package struct Band: Equatable, Sendable {
    /// Nil without a lower limit.
    package let min: Limit?
    /// Nil without an upper limit.
    package let max: Limit?
    /// The distance that the price must return; nil to clear at the limit itself.
    package let hysteresis: Distance?
    /// The declaration of the limits, if they were relative.
    package let origin: RelativeBand?

    /// Creates a band and checks that its levels are exact and in order.
    ///
    /// - Throws: ``ConditionError``, the first problem found.
    package init(
        min: Price?, max: Price?, hysteresis: Distance? = nil, origin: RelativeBand? = nil
    ) throws(ConditionError) {
        self.origin = origin
        guard min != nil || max != nil else { throw .noLimit }
        if let min, !min.isPositive { throw .notPositive(.min) }
        if let max, !max.isPositive { throw .notPositive(.max) }
        if let min, let max, min >= max { throw .minNotBelowMax }
        let hysteresis = try checked(hysteresis)
        self.hysteresis = hysteresis
        self.min = try min.map { price throws(ConditionError) in try Limit(price, above: hysteresis, .min) }
        self.max = try max.map { price throws(ConditionError) in try Limit(price, below: hysteresis, .max) }
        if let clear = self.max?.clear, !clear.isPositive { throw .hysteresisSwallows(.max) }
        if let clear = self.max?.clear, let min, clear <= min { throw .hysteresisSwallows(.max) }
        if let clear = self.min?.clear, let max, clear >= max { throw .hysteresisSwallows(.min) }
    }
}

/// A low and a high price. The rule fires while the price is between them or at one of them.
package struct Zone: Equatable, Sendable {
    /// The lower end. Its `clear` level is below it.
    package let low: Limit
    /// The upper end. Its `clear` level is above it.
    package let high: Limit
    /// The distance that the price must return; nil to clear at the limit itself.
    package let hysteresis: Distance?

    /// Creates a zone and checks that its levels are exact and in order.
    ///
    /// - Throws: ``ConditionError``, the first problem found.
    package init(low: Price, high: Price, hysteresis: Distance? = nil) throws(ConditionError) {
        guard low.isPositive, high.isPositive else { throw .notPositive(.within) }
        guard low < high else { throw .minNotBelowMax }
        let hysteresis = try checked(hysteresis)
        self.hysteresis = hysteresis
        self.low = try Limit(low, below: hysteresis, .within)
        self.high = try Limit(high, above: hysteresis, .within)
    }
}

/// A price that a rule watches for, and the level at which its alert clears.
package struct Limit: Equatable, Sendable {
    /// In the rule's currency; greater than 0.
    package let price: Price
    /// The level at which a firing alert clears; nil to clear at the limit itself.
    package let clear: Price?

    fileprivate init(_ price: Price, above distance: Distance?, _ bound: Bound) throws(ConditionError) {
        try self.init(price, distance, bound) { price.adding($0) }
    }

    fileprivate init(_ price: Price, below distance: Distance?, _ bound: Bound) throws(ConditionError) {
        try self.init(price, distance, bound) { price.subtracting($0) }
    }

    private init(
        _ price: Price, _ distance: Distance?, _ bound: Bound, _ level: (Price) -> Price?
    ) throws(ConditionError) {
        self.price = price
        clear = try distance.map { (distance) throws(ConditionError) in
            guard let level = distance.amount(at: price).flatMap(level)?.reduced else { throw .doesNotFit(bound) }
            return level
        }
    }
}

/// Validates a hysteresis. 0 is the same as none.
private func checked(_ hysteresis: Distance?) throws(ConditionError) -> Distance? {
    guard let hysteresis, !hysteresis.value.isZero else { return nil }
    guard hysteresis.value.isPositive else { throw .negativeHysteresis }
    return hysteresis
}

/// The reason why a condition is invalid.
package enum ConditionError: Error, Equatable, Sendable {
    case noLimit
    case notPositive(Bound)
    case minNotBelowMax
    case negativeHysteresis
    /// The clear level of this bound is not positive, or is at or beyond the other limit, so the alert could never
    /// clear.
    case hysteresisSwallows(Bound)
    /// A level of this bound needs more digits than a price may have.
    case doesNotFit(Bound)
    /// A fall of 100% or more, which no price can reach.
    case unreachable
    /// A limit relative to the price itself that the price has already reached.
    case reachedAtOnce(Bound)
}

extension ConditionError {
    /// The reason as text for people.
    package var text: String {
        switch self {
        case .notPositive(let bound): "\(bound.rawValue) would not be greater than 0"
        case .minNotBelowMax: "min would not be below max"
        case .hysteresisSwallows(let bound):
            "the hysteresis is so large that an alert on \(bound.rawValue) could never resolve"
        case .doesNotFit(let bound):
            "\(bound.rawValue) or its clear level cannot be represented exactly; use fewer digits"
        case .reachedAtOnce(let bound): "\(bound.rawValue) would be reached immediately"
        case .noLimit, .negativeHysteresis, .unreachable: "the limits are not valid"
        }
    }
}
