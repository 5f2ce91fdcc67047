package import Events
package import Market

/// The test that one alert of a rule applies to a price.
package enum AlertTest: Equatable, Sendable {
    case min(Limit)
    case max(Limit)
    case within(Zone)
    case rise(Move)
    case fall(Move)
    case crossUp(Price)
    case crossDown(Price)
    /// A limit that is relative to a price that is still unknown.
    case undetermined(Bound)
}

extension Condition {
    /// The tests of the condition's alerts, in the order of evaluation.
    package var tests: [AlertTest] {
        switch self {
        case .band(let band): [band.min.map(AlertTest.min), band.max.map(AlertTest.max)].compactMap(\.self)
        case .relative(let band): (try? band.tests(from: nil)) ?? []
        case .within(let zone): [.within(zone)]
        case .move(let move): move.direction.choose(.rise(move), .fall(move))
        case .cross(let crossing): crossing.direction.choose(.crossUp(crossing.limit), .crossDown(crossing.limit))
        }
    }
}

extension Condition {
    /// Number of alerts per symbol, without creating their tests.
    package var testCount: Int {
        switch self {
        case .band(let band): (band.min == nil ? 0 : 1) + (band.max == nil ? 0 : 1)
        case .relative: tests.count
        case .within: 1
        case .move(let move): move.direction == .both ? 2 : 1
        case .cross(let crossing): crossing.direction == .both ? 2 : 1
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

extension AlertTest {
    /// The bound that the alert watches.
    package var bound: Bound {
        switch self {
        case .min: .min
        case .max: .max
        case .within: .within
        case .rise: .rise
        case .fall: .fall
        case .crossUp: .crossUp
        case .crossDown: .crossDown
        case .undetermined(let bound): bound
        }
    }

    /// The move of a rise or fall; nil for other tests.
    package var move: Move? {
        switch self {
        case .rise(let move), .fall(let move): move
        case .min, .max, .within, .crossUp, .crossDown, .undetermined: nil
        }
    }

    /// The distance between a moving limit and the price it is measured from; nil for other limits.
    package var distance: Distance? { move?.distance }

    /// The limit; nil if it moves with the price, and while it is unknown.
    package var limit: LimitValue? {
        switch self {
        case .min(let limit), .max(let limit): .price(limit.price)
        case .within(let zone): .range(low: zone.low.price, high: zone.high.price)
        case .rise, .fall, .undetermined: nil
        case .crossUp(let limit), .crossDown(let limit): .price(limit)
        }
    }

    /// The level at which a firing alert clears, if hysteresis makes it differ from the limit.
    package var clear: LimitValue? {
        switch self {
        case .min(let limit), .max(let limit): limit.clear.map(LimitValue.price)
        case .within(let zone):
            zone.low.clear.flatMap { low in zone.high.clear.map { LimitValue.range(low: low, high: $0) } }
        case .rise, .fall, .crossUp, .crossDown, .undetermined: nil
        }
    }
}

/// One comparison of an alert: a level, and the side of it that the price must be on.
package struct LevelTest: Equatable, Sendable {
    /// The effect of satisfying the comparison.
    package enum Role: String, Sendable {
        /// The limit is breached.
        case limit
        /// A firing alert clears.
        case clear
    }

    /// The required position of the price relative to the level.
    package enum Comparison: String, Sendable {
        case atLeast = "at_least"
        case atMost = "at_most"
        case above
        case below
    }

    package let role: Role
    package let comparison: Comparison
    /// In the rule's currency.
    package let price: Price

    init(_ role: Role, _ comparison: Comparison, _ price: Price) {
        self.role = role
        self.comparison = comparison
        self.price = price
    }
}

extension AlertTest {
    /// Returns the comparisons of the alert. `threshold` is the current value of a limit that moves with the price.
    package func levels(threshold: Price?) -> [LevelTest] {
        switch self {
        case .max(let limit):
            [
                LevelTest(.limit, .atLeast, limit.price),
                limit.clear.map { LevelTest(.clear, .atMost, $0) } ?? LevelTest(.clear, .below, limit.price),
            ]
        case .min(let limit):
            [
                LevelTest(.limit, .atMost, limit.price),
                limit.clear.map { LevelTest(.clear, .atLeast, $0) } ?? LevelTest(.clear, .above, limit.price),
            ]
        case .within(let zone):
            [
                LevelTest(.limit, .atLeast, zone.low.price), LevelTest(.limit, .atMost, zone.high.price),
                LevelTest(.clear, .below, zone.low.clear ?? zone.low.price),
                LevelTest(.clear, .above, zone.high.clear ?? zone.high.price),
            ]
        case .rise: threshold.map { [LevelTest(.limit, .atLeast, $0), LevelTest(.clear, .below, $0)] } ?? []
        case .fall: threshold.map { [LevelTest(.limit, .atMost, $0), LevelTest(.clear, .above, $0)] } ?? []
        case .crossUp(let limit): [LevelTest(.limit, .atLeast, limit)]
        case .crossDown(let limit): [LevelTest(.limit, .atMost, limit)]
        case .undetermined: []
        }
    }
}
