internal import Events
internal import ExchangeRates
internal import Market
internal import Rules

/// One rule on one symbol and bound.
struct Alert: Sendable {
    /// The rule's place in the set.
    var rule: Int
    let test: AlertTest
    /// Which of its symbol state's inputs decides.
    var input: Int
    /// Which of the input's windows; only for moves.
    var window: Int?
    var machine = AlertState.waiting
    var record = NotificationState()
    /// Whether its rule is over.
    var isExpired = false
    /// Whether the end of its rule is still to be taken.
    var mustEnd = false
    /// Whether it stands in the change log.
    var isChanged = false
}

/// What an alert compares a price with.
enum AlertTest: Sendable {
    case min(Limit)
    case max(Limit)
    case within(Zone)
    case rise(Move)
    case fall(Move)
    case crossUp(Price)
    case crossDown(Price)

    var bound: Bound {
        switch self {
        case .min: .min
        case .max: .max
        case .within: .within
        case .rise: .rise
        case .fall: .fall
        case .crossUp: .crossUp
        case .crossDown: .crossDown
        }
    }

    var move: Move? {
        switch self {
        case .rise(let move), .fall(let move): move
        default: nil
        }
    }

    /// The limit where it does not move with the price.
    var limit: LimitValue? {
        switch self {
        case .min(let limit), .max(let limit): .price(limit.price)
        case .within(let zone): .range(low: zone.low.price, high: zone.high.price)
        case .rise, .fall: nil
        case .crossUp(let limit), .crossDown(let limit): .price(limit)
        }
    }
}

extension Condition {
    /// What its alerts compare with, in the order in which bounds are evaluated.
    var tests: [AlertTest] {
        switch self {
        case .band(let band): [band.min.map(AlertTest.min), band.max.map(AlertTest.max)].compactMap(\.self)
        case .within(let zone): [.within(zone)]
        case .move(let move): move.direction.choose(.rise(move), .fall(move))
        case .cross(let crossing): crossing.direction.choose(.crossUp(crossing.limit), .crossDown(crossing.limit))
        }
    }
}

extension Direction {
    fileprivate func choose(_ up: AlertTest, _ down: AlertTest) -> [AlertTest] {
        switch self {
        case .up: [up]
        case .down: [down]
        case .both: [up, down]
        }
    }
}

extension Alert {
    /// Takes a usable price.
    mutating func observe(_ price: ReadPrice, _ window: Extremes?, _ step: AlertStep) -> AlertAction? {
        switch test {
        case .crossUp(let limit): machine.cross(to: price.side(of: limit), from: .below, step, &record)
        case .crossDown(let limit): machine.cross(to: price.side(of: limit), from: .above, step, &record)
        case .min, .max, .within: machine.observe(price.level(test), baseline: .alreadyBreached, step, &record)
        case .rise(let move): machine.observe(price.level(of: move, above: window), baseline: nil, step, &record)
        case .fall(let move): machine.observe(price.level(of: move, below: window), baseline: nil, step, &record)
        }
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
    /// The threshold in force: from the lowest price upward, from the highest downward; in the rules' currency, rounded
    /// only where it does not fit or is converted.
    func threshold(_ bound: Bound, _ window: Extremes, _ path: RulePath?) -> Price? {
        let base = bound == .rise ? window.lowest : window.highest
        guard let factors else {
            let signed = bound == .rise ? distance.value : Price.zero.subtracting(distance.value)
            guard let path else { return signed.flatMap(base.adding)?.reduced }
            return signed.flatMap { path.ratio.shown(base, adding: $0) }
        }
        let factor = bound == .rise ? factors.up : factors.down
        if path == nil, let exact = Price.hundredth.multiplied(by: factor)?.multiplied(by: base) {
            return exact.reduced
        }
        return (path?.ratio ?? .one).multiplied(by: factor).multiplied(by: .hundredth).shown(base)
    }
}

extension Ratio {
    /// What a price becomes, and a number added to it, rounded for showing; nil when it does not fit.
    fileprivate func shown(_ price: Price, adding other: Price = .zero) -> Price? {
        try? convert(price, adding: other, digits: ConversionPath.significantDigits).0
    }
}
