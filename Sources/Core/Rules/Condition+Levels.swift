package import Events
package import Market
package import Time

/// A fixed limit of a condition, and the settings key that declares it.
package struct ConditionLimit: Equatable, Sendable {
    package let key: ConditionKey
    /// In the rule's currency.
    package let price: Price
    /// The side from which a price reaches the limit; nil if it can be reached from either side or is only crossed.
    package let approach: Bound.Approach?
}

extension Condition {
    /// The limits, in the order in which alerts are evaluated; empty if they move with the price.
    package var limits: [ConditionLimit] {
        let keys = keys
        var limits: [ConditionLimit] = []
        for test in tests {
            guard let limit = test.limit, let key = keys.first(where: { $0.bounds.contains(test.bound) }) else {
                continue
            }
            for price in limit.prices where !limits.contains(where: { $0.key == key && $0.price == price }) {
                let approach = test.bound.isMomentary ? nil : test.bound.approach
                limits.append(ConditionLimit(key: key, price: price, approach: approach))
            }
        }
        return limits
    }

    /// The hysteresis; nil for none, and for kinds without one.
    package var hysteresis: Distance? {
        switch self {
        case .band(let band): band.hysteresis
        case .relative(let band): band.hysteresis
        case .within(let zone): zone.hysteresis
        default: nil
        }
    }

    /// The distance that the price must move, and the settings key that declares it; nil for other kinds.
    package var distance: (key: ConditionKey, distance: Distance)? {
        keys.first.flatMap { key in tests.first?.distance.map { (key, $0) } }
    }

    /// The base of relative limits; nil if the limits are absolute.
    package var base: LimitBase? {
        if case .relative(let band) = self { band.base } else { nil }
    }

    /// The length of the window; nil for conditions without one.
    package var window: Milliseconds? {
        if case .move(let move) = self { move.window } else { nil }
    }

    /// Returns the same limits with another hysteresis; nil for kinds without one, or if an alert could then never
    /// clear.
    package func with(hysteresis: Distance?) -> Condition? {
        switch self {
        case .band(let band):
            (try? Band(min: band.min?.price, max: band.max?.price, hysteresis: hysteresis)).map(Condition.band)
        case .relative(let band):
            (try? RelativeBand(min: band.min, max: band.max, hysteresis: hysteresis, base: band.base))
                .map(Condition.relative)
        case .within(let zone):
            (try? Zone(low: zone.low.price, high: zone.high.price, hysteresis: hysteresis)).map(Condition.within)
        default: nil
        }
    }
}

extension AlertTest {
    /// Returns how far a price has returned from the limit. 0 or negative while it breaches; nil without a fixed
    /// limit, or if it does not fit.
    package func wayBack(to price: Price) -> Price? {
        guard !bound.isMomentary else { return nil }
        return limit.flatMap { bound.distance(to: $0) { $0.subtracting(price) } }
    }
}
