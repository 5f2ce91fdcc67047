package import Market

/// A lowest and a highest price (one or both), and how far back a price must come before an alert is over.
package struct Band: Equatable, Sendable {
    package let min: Limit?
    package let max: Limit?
    package let hysteresis: Hysteresis?

    /// Makes a band whose levels are all exact and in order.
    ///
    /// - Throws: ``BandError``, the first thing that is wrong.
    package init(min: Price?, max: Price?, hysteresis: Hysteresis? = nil) throws(BandError) {
        guard min != nil || max != nil else { throw .noLimit }
        if let min, !min.isPositive { throw .notPositive(.min) }
        if let max, !max.isPositive { throw .notPositive(.max) }
        if let min, let max, min >= max { throw .minNotBelowMax }
        let hysteresis = hysteresis.flatMap { $0.isNone ? nil : $0 }
        if let hysteresis, hysteresis.value < .zero { throw .negativeHysteresis }
        self.hysteresis = hysteresis
        self.min = try min.map { price throws(BandError) in try Limit(min: price, hysteresis: hysteresis) }
        self.max = try max.map { price throws(BandError) in try Limit(max: price, hysteresis: hysteresis) }
        if let clear = self.max?.clear, !clear.isPositive { throw .hysteresisSwallows(.max) }
        if let clear = self.max?.clear, let min, clear <= min { throw .hysteresisSwallows(.max) }
        if let clear = self.min?.clear, let max, clear >= max { throw .hysteresisSwallows(.min) }
    }
}

/// A price that a rule watches for, and the level at which it is over.
package struct Limit: Equatable, Sendable {
    /// Reaching this price is a breach.
    package let price: Price
    /// The level at which a firing alert clears, or nil when leaving the limit itself is enough.
    package let clear: Price?

    fileprivate init(min price: Price, hysteresis: Hysteresis?) throws(BandError) {
        self.price = price
        clear = try hysteresis.map { (hysteresis) throws(BandError) in
            guard let level = hysteresis.amount(at: price).flatMap(price.adding)?.reduced else {
                throw .doesNotFit(.min)
            }
            return level
        }
    }

    fileprivate init(max price: Price, hysteresis: Hysteresis?) throws(BandError) {
        self.price = price
        clear = try hysteresis.map { (hysteresis) throws(BandError) in
            guard let level = hysteresis.amount(at: price).flatMap(price.subtracting)?.reduced else {
                throw .doesNotFit(.max)
            }
            return level
        }
    }
}

/// How far a price must come back from a limit before its alert clears.
package enum Hysteresis: Equatable, Sendable {
    /// So many per cent of the limit.
    case percent(Price)
    /// So much in the rule's currency.
    case amount(Price)

    var value: Price {
        switch self {
        case .percent(let value), .amount(let value): value
        }
    }

    var isNone: Bool { value.isZero }

    /// The distance at the given limit, or nil when it does not fit exactly.
    func amount(at limit: Price) -> Price? {
        switch self {
        case .percent(let percent): Price(mantissa: 1, scale: 2).flatMap(percent.multiplied)?.multiplied(by: limit)
        case .amount(let amount): amount
        }
    }
}

/// What is wrong with a band.
package enum BandError: Error, Equatable, Sendable {
    case noLimit
    case notPositive(Bound)
    case minNotBelowMax
    case negativeHysteresis
    /// The clear level of that bound is not positive, or at or beyond the other limit: the alert could not clear.
    case hysteresisSwallows(Bound)
    /// The clear level of that bound needs more digits than a price may have.
    case doesNotFit(Bound)
}
