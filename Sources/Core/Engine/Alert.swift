internal import Events
internal import ExchangeRates
internal import Market
internal import Rules

/// One rule on one symbol and bound.
struct Alert: Sendable {
    /// The rule's place in the set.
    var rule: Int
    /// Replaced once, when what a relative limit refers to becomes known.
    var test: AlertTest
    /// What the relative limits of its rule refer to, in the rule's currency; nil without, and while it is not known.
    var base: Price?
    /// Whether ``base`` is yet to be found.
    var needsBase = false
    /// Why the last price that could have been its base was not.
    var baseFault: ConditionError?
    /// Which of its symbol state's inputs decides.
    var input: Int
    /// Which of the input's windows; only for moves.
    var window: Int?
    var state = AlertState.waiting
    var notification = NotificationState()
    /// While it fires: how its last usable price was converted; nil when that was not necessary.
    var path: RulePath?
    /// While it fires: the current limit where that moves with the price; nil when it was not known.
    var threshold: Price?
    /// Whether its rule has expired.
    var isExpired = false
    /// Whether it has yet to process the expiry of its rule.
    var mustEnd = false
    /// Whether it is in the change log.
    var isChanged = false
}

extension Alert {
    /// Processes a usable price.
    ///
    /// - Returns: what the alert does, in order.
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

    /// The lowest and highest price that a limit which moves with the price is measured from; nil for other limits, and
    /// with fewer than two prices.
    func extremes(in input: PriceInput) -> Extremes? {
        window.flatMap { input.windows[$0].extremes }
    }

    /// The limit as it is now where it moves with the price; nil for other limits, and while it is not known.
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
    /// A limit that is touched has been reached. Without hysteresis the limit itself does not clear, with hysteresis
    /// the clear level does.
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

    /// Whether the two prices of the market are so far apart in the rule's currency.
    private func isAtLeast(_ amount: Price, from lower: Price, to upper: Price) -> Bool {
        (path?.ratio ?? .one).compare(from: lower, to: upper, with: amount) != .less
    }
}

extension Move {
    /// The price that a rise or fall is measured from.
    func base(_ bound: Bound, _ window: Extremes) -> Price {
        bound.approach == .fromBelow ? window.lowest : window.highest
    }

    /// The current threshold: from the lowest price upward, from the highest downward; in the rules' currency, rounded
    /// only where it does not fit or is converted.
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
    /// The converted price plus `other`, rounded for display; nil when it does not fit.
    fileprivate func shown(_ price: Price, adding other: Price = .zero) -> Price? {
        try? convert(price, adding: other, digits: ConversionPath.significantDigits).0
    }
}
