package import Engine
internal import Events
package import Market
package import Rules
package import Time

/// Finds the smallest hysteresis with which rules would not have flapped.
///
/// When an alert would begin to fire, if it did not fire already, depends on its limit and its `for` only. Between two
/// such moments it is over as soon as the price has gone back by the hysteresis. So the farthest way back, and the
/// farthest one before the last moments in which an end makes a flap, tell which hystereses flap there; the smallest
/// one that flaps nowhere lies at the edge of one of those stretches.
package struct HysteresisSearch: Sendable {
    private let rules: [Rule]
    private let flapLength: Milliseconds
    private var engine: RuleEngine
    private var seekers: [AlertPlace: Seeker] = [:]
    private var bySymbol: [Symbol: [AlertPlace]] = [:]

    /// - Parameters:
    ///   - rules: those to find one for, with unique names; rules that take none are left out.
    ///   - settings: the times that evaluation depends on.
    ///   - flapLength: see ``AlertTally/flaps``.
    package init(rules: [Rule], settings: EngineSettings, flapLength: Milliseconds) {
        let seeking = rules.compactMap(\.withoutHysteresis)
        self.rules = seeking
        self.flapLength = flapLength
        engine = RuleEngine(rules: seeking, settings: settings, start: .beforeRecordings)
    }

    /// Takes the prices of one moment, as ``Backtest/take(_:at:rates:)`` does.
    package mutating func take(_ prices: [RecordedPrice], at time: WallTime, rates: ReferenceRates? = nil) {
        let occurrences = engine.evaluate(TickerBatch(recorded: prices, at: time), rates: rates)
        for place in occurrences.compactMap(AlertPlace.init) where seekers[place] == nil { add(place) }
        for price in prices {
            for place in bySymbol[price.symbol] ?? [] { follow(place, at: time) }
        }
        for occurrence in occurrences {
            guard let place = AlertPlace(occurrence) else { continue }
            if occurrence.kind == .fired { seekers[place]?.fire(at: time, flapLength) }
        }
    }

    private mutating func add(_ place: AlertPlace) {
        guard let number = rules.firstIndex(where: { $0.name == place.rule }) else { return }
        seekers[place] = Seeker(rule: number, bound: place.bound)
        bySymbol[place.symbol, default: []].append(place)
    }

    private mutating func follow(_ place: AlertPlace, at time: WallTime) {
        guard let rule = seekers[place]?.rule,
            let price = engine.decidingPrice(ofRule: rule, on: place.symbol),
            let distance = rules[rule].condition.wayBack(to: price, place.bound)
        else { return }
        seekers[place]?.go(back: distance, at: time, scale: price.reduced.scale)
    }

    /// For each rule the hysteresis in the rule's currency, and the next smaller one that is tried to show that it is
    /// the smallest. Nil where any that would do swallows the band.
    package func answers() -> [String: HysteresisAnswer?] {
        var answers: [String: HysteresisAnswer?] = [:]
        for (number, rule) in rules.enumerated() {
            let stretches = seekers.values.filter { $0.rule == number }
            guard !stretches.isEmpty else { continue }
            answers[rule.name] = .some(answer(for: rule, Array(stretches)))
        }
        return answers
    }

    private func answer(for rule: Rule, _ seekers: [Seeker]) -> HysteresisAnswer? {
        let scale = max(seekers.map(\.scale).max() ?? 0, rule.condition.limitScale)
        guard let tick = Price(mantissa: 1, scale: scale),
            let top = FlapStretch.smallestGood(outside: seekers.flatMap(\.stretches))
        else { return HysteresisAnswer(amount: .zero, less: nil) }
        // At `top` itself the price has gone back far enough for limits, and not for zones.
        let isZone = if case .within = rule.condition { true } else { false }
        guard let amount = isZone ? top : top.adding(tick), rule.condition.with(hysteresis: .amount(amount)) != nil
        else {
            return nil
        }
        return HysteresisAnswer(amount: amount.reduced, less: amount.subtracting(tick)?.reduced)
    }
}

/// A hysteresis that was found.
package struct HysteresisAnswer: Equatable, Sendable {
    /// In the rule's currency; 0 when none is needed.
    package var amount: Price
    /// The next smaller one in the digits of the prices; nil when there is none.
    package var less: Price?

    package init(amount: Price, less: Price?) {
        self.amount = amount
        self.less = less
    }
}

/// An alert between its firings.
private struct Seeker {
    let rule: Int
    let bound: Bound
    /// The most digits after the point that prices have had.
    private(set) var scale: UInt8 = 0
    private(set) var stretches: [FlapStretch] = []
    /// How far the price went back since the last firing: each way that was farther than all before it, and when.
    private var ways: [(time: WallTime, distance: Price)] = []
    private var hasFired = false
    private var mergeLimit = 4_096

    init(rule: Int, bound: Bound) {
        self.rule = rule
        self.bound = bound
    }

    mutating func go(back distance: Price, at time: WallTime, scale: UInt8) {
        self.scale = max(self.scale, scale)
        guard hasFired, distance.isPositive, ways.last.map({ $0.distance < distance }) ?? true else { return }
        ways.append((time, distance))
    }

    mutating func fire(at time: WallTime, _ flapLength: Milliseconds) {
        defer {
            hasFired = true
            ways.removeAll(keepingCapacity: true)
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

/// A stretch of hystereses that flap: more than `after`, or from 0 on, up to `upTo`.
struct FlapStretch {
    var after: Price?
    var upTo: Price

    /// The same stretches joined where they meet, the smallest first.
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

    /// The end of the stretch that begins with 0; nil when none does, so that no hysteresis is needed.
    static func smallestGood(outside stretches: [FlapStretch]) -> Price? {
        merged(stretches).first.flatMap { $0.after == nil ? $0.upTo : nil }
    }
}

extension Rule {
    /// The same without hysteresis and without what is about notifying; nil for a rule that takes none.
    fileprivate var withoutHysteresis: Rule? {
        condition.with(hysteresis: nil).map {
            Rule(
                name: name, symbols: symbols, condition: $0, currency: currency, price: price, hold: hold,
                expires: expires)
        }
    }
}

extension Condition {
    /// How far the price has gone back from a bound's limit; not above 0 where it breaches.
    fileprivate func wayBack(to price: Price, _ bound: Bound) -> Price? {
        switch (self, bound) {
        case (.band(let band), .max): band.max?.price.subtracting(price)
        case (.band(let band), .min): (band.min?.price).flatMap(price.subtracting)
        case (.within(let zone), _):
            zone.low.price.subtracting(price).flatMap { below in
                price.subtracting(zone.high.price).map { max(below, $0) }
            }
        default: nil
        }
    }

    fileprivate var limitScale: UInt8 {
        switch self {
        case .band(let band): max(band.min?.price.reduced.scale ?? 0, band.max?.price.reduced.scale ?? 0)
        case .within(let zone): max(zone.low.price.reduced.scale, zone.high.price.reduced.scale)
        case .move, .cross: 0
        }
    }
}
