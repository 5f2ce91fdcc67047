internal import Control
internal import Events
internal import Market
internal import Rules
internal import Time

extension RuleTerms {
    /// The condition of a rule and its modifiers.
    init(_ rule: Rule) {
        let condition = rule.condition
        let (min, max, cross) = Self.limits(of: condition)
        self.init(
            kind: .init(rawValue: condition.kind.name), bounds: condition.tests.map { .init($0.bound) },
            min: min?.description, max: max?.description, relative: RelativeLimits(condition),
            cross: cross?.description,
            distance: condition.distance.map { RuleDistance($0.distance) },
            windowMilliseconds: condition.window.map { Int($0.count) },
            hysteresis: condition.hysteresis.map { RuleDistance($0) }, currency: rule.currency?.description,
            price: .init(rawValue: rule.price.rawValue), forMilliseconds: Int(rule.hold.count),
            repeatMilliseconds: rule.notification.repeatAfter.map { Int($0.count) },
            cooldownMilliseconds: Int(rule.notification.cooldown.count), once: rule.notification.once,
            expires: rule.expires?.description, notify: rule.receivers, message: rule.message?.source)
    }

    private static func limits(of condition: Condition) -> (min: Price?, max: Price?, cross: Price?) {
        switch condition {
        case .band(let band): (band.min?.price, band.max?.price, nil)
        case .relative(let band): (band.amount(of: .min), band.amount(of: .max), nil)
        case .within(let zone): (zone.low.price, zone.high.price, nil)
        case .cross(let crossing): (nil, nil, crossing.limit)
        case .move: (nil, nil, nil)
        }
    }
}

extension RelativeLimits {
    /// Nil for conditions without relative limits.
    fileprivate init?(_ condition: Condition) {
        let band: RelativeBand? =
            switch condition {
            case .band(let band): band.origin
            case .relative(let band): band
            case .within, .move, .cross: nil
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

extension ConditionKind {
    /// The word of the interface.
    fileprivate var name: String {
        switch self {
        case .band: "band"
        case .within: "within"
        case .move: "move"
        case .cross: "cross"
        }
    }
}
