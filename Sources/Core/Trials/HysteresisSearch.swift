package import Engine
internal import Events
package import Market
package import Rules
package import Time

/// A search for the smallest hysteresis with which rules would not have flapped.
///
/// The start of a firing depends only on the limit and `for`. Between two such starts, the alert resolves as soon as
/// the price has moved back by the hysteresis. Two distances therefore bound the values that flap there: the farthest
/// move back, and the farthest move back that is early enough not to count as a flap. The smallest value that flaps
/// nowhere is at the edge of one of these ranges.
package struct HysteresisSearch: Sendable {
    private let rules: [Rule]
    private let flapLength: Milliseconds
    private var engine: RecordedEngine
    private var seekers: [Seeker] = []
    private var numbers: [AlertPlace: Int] = [:]
    private var bySymbol: [Symbol: [Int]] = [:]
    private var rates: ReferenceRates?

    /// - Parameters:
    ///   - rules: rules with unique names; rules without a hysteresis are left out.
    ///   - settings: the settings that evaluation depends on.
    ///   - flapLength: see ``AlertTally/flaps``.
    package init(rules: [Rule], settings: EngineSettings, flapLength: Milliseconds) {
        let seeking = rules.compactMap(\.withoutHysteresis)
        self.rules = seeking
        self.flapLength = flapLength
        engine = RecordedEngine(rules: seeking, settings: settings)
    }

    /// Evaluates the prices of one instant, like ``Backtest/evaluate(_:at:rates:)``.
    package mutating func evaluate(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates? = nil) {
        let occurrences = engine.evaluate(prices, at: time, rates: rates)
        for place in occurrences.compactMap(AlertPlace.init) where numbers[place] == nil { add(place) }
        if rates != self.rates {
            self.rates = rates
            for number in seekers.indices { seekers[number].forgetFarthest() }
        }
        for price in prices {
            for number in bySymbol[price.symbol] ?? [] where seekers[number].mayGoFarther(to: price.price) {
                follow(number, price, at: time)
            }
        }
        for occurrence in occurrences where occurrence.kind == .fired {
            guard let number = AlertPlace(occurrence).flatMap({ numbers[$0] }) else { continue }
            seekers[number].fire(at: time, flapLength)
        }
    }

    private mutating func add(_ place: AlertPlace) {
        guard let rule = rules.firstIndex(where: { $0.name == place.rule }) else { return }
        numbers[place] = seekers.count
        bySymbol[place.symbol, default: []].append(seekers.count)
        seekers.append(Seeker(rule: rule, bound: place.bound))
    }

    private mutating func follow(_ number: Int, _ recorded: RecordedPrice, at time: WallTime) {
        let (rule, bound) = (seekers[number].rule, seekers[number].bound)
        guard let price = engine.decidingPrice(ofRule: rule, on: recorded.symbol),
            let test = engine.test(ofRule: rule, on: recorded.symbol, bound),
            let distance = test.wayBack(to: price)
        else { return }
        seekers[number].recordMove(back: distance, to: recorded.price, at: time, scale: price.reduced.scale)
    }

    /// Returns for each rule the hysteresis in the rule's currency, and the next smaller value, which proves that the
    /// answer is the smallest. Nil if every value without flapping would keep the alert from ever clearing.
    package func answers() -> [String: HysteresisAnswer?] {
        var answers: [String: HysteresisAnswer?] = [:]
        for (number, rule) in rules.enumerated() {
            let stretches = seekers.filter { $0.rule == number }
            guard !stretches.isEmpty else { continue }
            answers[rule.name] = .some(answer(for: rule, stretches))
        }
        return answers
    }

    private func answer(for rule: Rule, _ seekers: [Seeker]) -> HysteresisAnswer? {
        let scale = max(seekers.map(\.scale).max() ?? 0, rule.condition.limits.map(\.price.reduced.scale).max() ?? 0)
        guard let tick = Price(mantissa: 1, scale: scale),
            let top = FlapStretch.smallestGood(outside: seekers.flatMap(\.stretches))
        else { return HysteresisAnswer(amount: .zero, less: nil) }
        // With a hysteresis of `top`, a limit clears exactly there and flaps. A zone clears only beyond it.
        let isZone = rule.condition.kind == .within
        guard let amount = isZone ? top : top.adding(tick), rule.condition.with(hysteresis: .amount(amount)) != nil
        else {
            return nil
        }
        return HysteresisAnswer(amount: amount.reduced, less: amount.subtracting(tick)?.reduced)
    }
}

/// The result of a search for a hysteresis.
package struct HysteresisAnswer: Equatable, Sendable {
    /// In the rule's currency; 0 if no hysteresis is needed.
    package var amount: Price
    /// The next smaller value with as many decimal places as the prices; nil if there is none.
    package var less: Price?

    package init(amount: Price, less: Price?) {
        self.amount = amount
        self.less = less
    }
}

/// The search state of an alert between its firings.
private struct Seeker {
    let rule: Int
    let bound: Bound
    /// The maximum number of decimal places of a price so far.
    private(set) var scale: UInt8 = 0
    private(set) var stretches: [FlapStretch] = []
    /// The distances that the price moved back since the last firing: each new maximum, and its time.
    private var ways: [(time: WallTime, distance: Price)] = []
    private var hasFired = false
    private var mergeLimit = 4_096
    /// The market price that is farthest back since the last firing, at the current rates.
    private var farthest: Price?

    init(rule: Int, bound: Bound) {
        self.rule = rule
        self.bound = bound
    }

    /// True if a market price may be farther back than all others since the last firing, or has more decimal places.
    func mayGoFarther(to price: Price) -> Bool {
        guard let farthest, price.scale <= scale else { return true }
        return switch bound {
        case .max: price < farthest
        case .min: price > farthest
        default: true
        }
    }

    mutating func forgetFarthest() { farthest = nil }

    mutating func recordMove(back distance: Price, to price: Price, at time: WallTime, scale: UInt8) {
        if mayGoFarther(to: price) { farthest = price }
        self.scale = max(self.scale, scale)
        guard hasFired, distance.isPositive, ways.last.map({ $0.distance < distance }) ?? true else { return }
        ways.append((time, distance))
    }

    mutating func fire(at time: WallTime, _ flapLength: Milliseconds) {
        defer {
            hasFired = true
            ways.removeAll(keepingCapacity: true)
            farthest = nil
        }
        guard let farthest = ways.last?.distance else { return }
        let before = ways.last { time.since($0.time) > flapLength }?.distance
        guard before != farthest else { return }
        stretches.append(FlapStretch(after: before, upTo: farthest))
        if stretches.count > mergeLimit {
            stretches = FlapStretch.merged(stretches)
            mergeLimit = max(mergeLimit, 2 * stretches.count)
        }
    }
}

/// A range of hysteresis values that flap: greater than `after` (from 0 if nil), up to and including `upTo`.
struct FlapStretch {
    var after: Price?
    var upTo: Price

    /// Returns the ranges merged where they touch, in ascending order.
    static func merged(_ stretches: [FlapStretch]) -> [FlapStretch] {
        let sorted = stretches.sorted { left, right in
            guard let other = right.after else { return false }
            return left.after.map { $0 < other } ?? true
        }
        var merged: [FlapStretch] = []
        for stretch in sorted {
            if let last = merged.last, stretch.after.map({ $0 <= last.upTo }) ?? true {
                merged[merged.count - 1].upTo = max(last.upTo, stretch.upTo)
            } else {
                merged.append(stretch)
            }
        }
        return merged
    }

    /// Returns the end of the range that starts at 0; nil if there is none, so that no hysteresis is needed.
    static func smallestGood(outside stretches: [FlapStretch]) -> Price? {
        merged(stretches).first.flatMap { $0.after == nil ? $0.upTo : nil }
    }
}

extension Rule {
    /// A copy without hysteresis and notification policy; nil for a condition that has no hysteresis, and for a rule
    /// with `keep_firing_for`.
    fileprivate var withoutHysteresis: Rule? {
        guard keepFiring == .zero else { return nil }
        return condition.with(hysteresis: nil).map {
            Rule(
                name: name, symbols: symbols, condition: $0, currency: currency, price: price, hold: hold,
                expires: expires)
        }
    }
}
