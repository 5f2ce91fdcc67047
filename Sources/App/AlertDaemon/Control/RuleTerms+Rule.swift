internal import Control
internal import Events
internal import Market
internal import Rules
internal import Time

extension RuleTerms {
    /// Creates the terms of a rule: its condition and modifiers.
    init(_ rule: Rule) {
        let condition = rule.condition
        let (min, max, cross) = Self.limits(of: condition)
        self.init(
            kind: .init(rawValue: condition.kind.rawValue), bounds: condition.tests.map { .init($0.bound) },
            min: min?.description, max: max?.description, relative: RelativeLimits(condition),
            cross: cross?.description,
            distance: condition.distance.map { RuleDistance($0.distance) },
            windowMilliseconds: condition.window.map { Int($0.count) },
            hysteresis: condition.hysteresis.map { RuleDistance($0) }, currency: rule.currency?.description,
            price: .init(rawValue: rule.price.rawValue), forMilliseconds: Int(rule.hold.count),
            keepFiringForMilliseconds: Int(rule.keepFiring.count),
            repeatMilliseconds: rule.notification.repeatAfter.map { Int($0.count) },
            cooldownMilliseconds: Int(rule.notification.cooldown.count), onlyWhile: rule.notification.onlyWhile,
            once: rule.notification.once,
            expires: rule.expires?.description, notify: rule.receivers, message: rule.message?.source,
            messageRepeated: rule.messageRepeated?.source, messageResolved: rule.messageResolved?.source)
    }

    /// Returns the limits that are fixed prices; a limit is nil if the rule has none, or if it moves with the price.
    private static func limits(of condition: Condition) -> (min: Price?, max: Price?, cross: Price?) {
        if case .relative(let band) = condition { return (band.amount(of: .min), band.amount(of: .max), nil) }
        var limits: (min: Price?, max: Price?, cross: Price?)
        for test in condition.tests {
            switch test.limit {
            case .range(let low, let high): (limits.min, limits.max) = (low, high)
            case .price(let limit) where test.bound.isMomentary: limits.cross = limit
            case .price(let limit) where test.bound.approach == .fromAbove: limits.min = limit
            case .price(let limit): limits.max = limit
            case nil: break
            }
        }
        return limits
    }
}

extension RelativeLimits {
    /// Returns nil for conditions without relative limits.
    fileprivate init?(_ condition: Condition) {
        let band: RelativeBand? =
            switch condition {
            case .band(let band): band.origin
            case .relative(let band): band
            default: nil
            }
        guard let band else { return nil }
        self.init(
            min: band.percent(of: .min)?.description, max: band.percent(of: .max)?.description,
            from: band.base.text(\.description))
    }
}

extension RuleDistance {
    fileprivate init(_ distance: Distance) {
        let unit: ControlInterface.DistanceUnit = if case .percent = distance { .percent } else { .amount }
        self.init(value: distance.value.description, unit: unit)
    }
}
