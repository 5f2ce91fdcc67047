package import Events
package import Market
package import Time

/// A limit of a condition that does not move with the price, and the key that it is written under.
package struct ConditionLimit: Equatable, Sendable {
    package let key: ConditionKey
    /// In the rule's currency.
    package let price: Price
    /// From which side a price reaches it; nil when from either side, and when it is only crossed.
    package let approach: Bound.Approach?
}

extension Condition {
    /// Its limits, in the order in which alerts are evaluated; none where they move with the price.
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

    /// The hysteresis; nil for none, and where the kind takes none.
    package var hysteresis: Distance? {
        switch self {
        case .band(let band): band.hysteresis
        case .relative(let band): band.hysteresis
        case .within(let zone): zone.hysteresis
        default: nil
        }
    }

    /// The distance that the price has to move, and the key that it is written under; nil for other kinds.
    package var distance: (key: ConditionKey, distance: Distance)? {
        keys.first.flatMap { key in tests.first?.distance.map { (key, $0) } }
    }

    /// What its limits are relative to; nil if they are known from the settings.
    package var base: LimitBase? {
        if case .relative(let band) = self { band.base } else { nil }
    }

    /// How far back it looks; nil for conditions without a window.
    package var window: Milliseconds? {
        if case .move(let move) = self { move.window } else { nil }
    }

    /// The same limits with another hysteresis; nil for a kind that takes none, or if an alert could then never clear.
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
    /// How far a price is back from the limit; not above 0 where it breaches, nil without a fixed limit or when it does
    /// not fit.
    package func wayBack(to price: Price) -> Price? {
        guard !bound.isMomentary else { return nil }
        return limit.flatMap { bound.distance(to: $0) { $0.subtracting(price) } }
    }
}
