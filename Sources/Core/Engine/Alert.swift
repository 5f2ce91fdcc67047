internal import Events
internal import ExchangeRates
internal import Market
internal import Rules

/// One rule applied to one symbol and one bound.
struct Alert: Sendable {
    /// Index of its rule in the rule set.
    var rule: Int
    /// The test that a price is checked against. It is replaced once, when the base of a relative limit becomes
    /// known.
    var test: AlertTest
    /// The price that the relative limits of its rule are relative to, in the rule's currency. Nil if the rule has no
    /// relative limits, or while the base is unknown.
    var base: Price?
    /// True while ``base`` has yet to be found.
    var needsBase = false
    /// The reason why the last candidate for ``base`` was rejected.
    var baseFault: ConditionError?
    /// Index, in the symbol state, of the price input that the alert evaluates.
    var input: Int
    /// Index of the window in the input; only for moves.
    var window: Int?
    var state = AlertState.waiting
    var notification = NotificationState()
    /// While the alert fires: the conversion of its last usable price; nil if none was needed.
    var path: RulePath?
    /// While the alert fires: the current value of a limit that moves with the price; nil if unknown.
    var threshold: Price?
    var isExpired = false
    /// True from the expiry of the alert's rule until the alert has processed it.
    var mustEnd = false
    /// True while the alert is in the change log.
    var isChanged = false
}

extension Alert {
    /// Processes a usable price.
    ///
    /// - Returns: the alert's actions, in order.
    mutating func observe(_ price: ReadPrice, _ extremes: Extremes?, _ step: AlertStep) -> [AlertAction] {
        switch test {
        case .crossUp(let limit): cross(to: price.side(of: limit), from: .below, step)
        case .crossDown(let limit): cross(to: price.side(of: limit), from: .above, step)
        case .min, .max, .within: state.observe(price.level(test), baseline: .alreadyBreached, step, &notification)
        case .rise(let move): state.observe(price.level(of: move, above: extremes), baseline: nil, step, &notification)
        case .fall(let move): state.observe(price.level(of: move, below: extremes), baseline: nil, step, &notification)
        case .undetermined: []
        }
    }

    /// Returns the lowest and highest price that a moving limit is measured from. Nil for other limits, and with
    /// fewer than two prices.
    func extremes(in input: PriceInput) -> Extremes? {
        window.flatMap { input.windows[$0].extremes }
    }

    /// Returns the current value of a limit that moves with the price. Nil for other limits, and while it is unknown.
    func threshold(in input: PriceInput) -> Price? {
        guard input.route.isNone || input.route.path != nil, let move = test.move, let extremes = extremes(in: input)
        else { return nil }
        return move.threshold(test.bound, extremes, input.route.path)
    }

    private mutating func cross(to side: Side, from origin: Side, _ step: AlertStep) -> [AlertAction] {
        state.cross(to: side, from: origin, step, &notification).map { [$0] } ?? []
    }
}

extension ReadPrice {
    /// Touching a limit breaches it. The alert clears on the other side of the limit; with hysteresis, at the clear
    /// level.
    fileprivate func level(_ test: AlertTest) -> Level? {
        switch test {
        case .min(let limit):
            if isAtMost(limit.price) { return .breached }
            return limit.clear.map(isAtLeast) ?? true ? .cleared : .between
        case .max(let limit):
            if isAtLeast(limit.price) { return .breached }
            return limit.clear.map(isAtMost) ?? true ? .cleared : .between
        case .within(let zone):
            if isAtLeast(zone.low.price), isAtMost(zone.high.price) { return .breached }
            let isNear = isAtLeast(zone.low.clear ?? zone.low.price) && isAtMost(zone.high.clear ?? zone.high.price)
            return isNear ? .between : .cleared
        default: return nil
        }
    }

    /// Nil with fewer than two samples.
    fileprivate func level(of move: Move, above window: Extremes?) -> Level? {
        guard let lowest = window?.lowest else { return nil }
        let isBreached =
            if let ratios = move.ratios { ratios.up.compare(lowest, to: price) != .greater } else {
                isAtLeast(move.distance.value, from: lowest, to: price)
            }
        return isBreached ? .breached : .cleared
    }

    fileprivate func level(of move: Move, below window: Extremes?) -> Level? {
        guard let highest = window?.highest else { return nil }
        let isBreached =
            if let ratios = move.ratios { ratios.down.compare(highest, to: price) != .less } else {
                isAtLeast(move.distance.value, from: price, to: highest)
            }
        return isBreached ? .breached : .cleared
    }

    /// True if two prices of the market differ by at least `amount` in the rule's currency.
    private func isAtLeast(_ amount: Price, from lower: Price, to upper: Price) -> Bool {
        (path?.ratio ?? .one).compare(from: lower, to: upper, with: amount) != .less
    }
}

extension Move {
    /// Returns the price that a rise or fall is measured from.
    func base(_ bound: Bound, _ window: Extremes) -> Price {
        bound.approach == .fromBelow ? window.lowest : window.highest
    }

    /// Returns the current threshold in the rule's currency, measured up from the lowest price or down from the
    /// highest. It is rounded only if it is converted or does not fit.
    func threshold(_ bound: Bound, _ window: Extremes, _ path: RulePath?) -> Price? {
        let base = base(bound, window)
        guard let factors else {
            let signed = bound.approach == .fromBelow ? distance.value : Price.zero.subtracting(distance.value)
            guard let path else { return signed.flatMap(base.adding)?.reduced }
            return signed.flatMap { path.ratio.shown(base, adding: $0) }
        }
        let factor = bound.approach == .fromBelow ? factors.up : factors.down
        if path == nil, let exact = Price.hundredth.multiplied(by: factor)?.multiplied(by: base) {
            return exact.reduced
        }
        return (path?.ratio ?? .one).multiplied(by: factor).multiplied(by: .hundredth).shown(base)
    }
}

extension Ratio {
    /// Returns the converted price plus `other`, rounded for display; nil if it does not fit.
    fileprivate func shown(_ price: Price, adding other: Price = .zero) -> Price? {
        try? convert(price, adding: other, digits: ConversionPath.significantDigits).0
    }
}
