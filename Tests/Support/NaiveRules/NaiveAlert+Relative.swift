internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

// Limits that are relative to a price.
extension NaiveAlert {
    /// The condition with what is known of its limits.
    var condition: Condition {
        guard case .relative(let band) = rule.condition else { return rule.condition }
        if let made = Self.made(of: band, origin) { return made }
        guard origin != nil, case .relative(let plain)? = settings else { return rule.condition }
        return Self.made(of: plain, origin) ?? rule.condition
    }

    /// The band as far as its limits are known; nil if none is, or if they do not fit together.
    private static func made(of band: RelativeBand, _ origin: Price?) -> Condition? {
        let limits = [band.min, band.max].map { limit -> Price? in
            switch limit {
            case nil: nil
            case .amount(let amount): amount
            case .percent(let percent):
                origin.flatMap { (Fraction($0) * (Fraction(100) + Fraction(percent)) / Fraction(100)).exact }
            }
        }
        if origin != nil, (band.min != nil && limits[0] == nil) || (band.max != nil && limits[1] == nil) { return nil }
        return (try? Band(min: limits[0], max: limits[1], hysteresis: band.hysteresis)).map(Condition.band)
    }

    /// Finds what the limits are relative to: this price, or the one before it when a day has begun between them.
    mutating func findOrigin(_ price: Fraction, _ rate: Fraction, before: NaiveMarket.Sample?, _ now: Instant) {
        guard origin == nil, case .relative(let band) = rule.condition, case .relative(let plain)? = settings else {
            return
        }
        let found: Fraction? =
            switch band.base {
            case .price: price
            case .amount(let amount): Fraction(amount)
            case .day(let day):
                before.flatMap { $0.time.wall < day.begin && day.begin <= now.wall ? $0.price : nil }
            }
        let isConverted = rate != Fraction(1)
        guard let found, let value = isConverted ? try? Price((found * rate).shown) : found.exact,
            Self.made(of: plain, value) != nil
        else { return }
        if band != plain, Self.made(of: band, value) == nil { return }
        origin = value
    }

    /// The limit of the settings.
    var settingsLimit: String? {
        switch settings {
        case .band(let band): (bound == .min ? band.min : band.max).map { "\($0.price.reduced)" }
        case .relative(let band):
            if case .band(let made)? = Self.made(of: band, origin) {
                (bound == .min ? made.min : made.max).map { "\($0.price.reduced)" }
            } else {
                nil
            }
        default: nil
        }
    }
}

extension Fraction {
    /// The same number as a price; nil when it does not fit.
    var exact: Price? {
        var power: Int128 = 1
        for scale in 0...18 {
            let (top, isTooLarge) = top.multipliedReportingOverflow(by: power)
            if isTooLarge { return nil }
            if top % bottom == 0 {
                return Int64(exactly: top / bottom).flatMap { Price(mantissa: $0, scale: UInt8(scale)) }
            }
            power *= 10
        }
        return nil
    }
}
