internal import Events
package import ExchangeRates
package import Market
package import Time

/// The condition under which a rule fires.
package enum Condition: Equatable, Sendable {
    /// The price reaches a limit that it should stay below or above.
    case band(Band)
    /// Like ``band(_:)``, with limits relative to a price that is found at run time.
    case relative(RelativeBand)
    /// The price enters a zone.
    case within(Zone)
    /// The price moves by a distance within a window of time.
    case move(Move)
    /// The price crosses a limit from one side to the other.
    case cross(Crossing)
}

/// Upward, downward, or both.
package enum Direction: String, CaseIterable, Sendable {
    case up
    case down
    case both
}

/// A rise or fall by a distance within a window of time.
package struct Move: Equatable, Sendable {
    package let direction: Direction
    /// The distance that the price must move.
    package let distance: Distance
    /// The length of the window in which the lowest and highest price are searched.
    package let window: Milliseconds
    /// For a percentage p, 100 + p and 100 − p; nil for an amount. The threshold is the factor times a hundredth of
    /// the lowest or highest price.
    package let factors: (up: Price, down: Price)?
    /// ``factors`` divided by 100.
    package let ratios: (up: Ratio, down: Ratio)?

    /// Creates a move and checks that its thresholds are exact.
    ///
    /// - Throws: ``ConditionError``.
    package init(_ direction: Direction, by distance: Distance, window: Milliseconds) throws(ConditionError) {
        let bound = direction == .down ? Bound.fall : .rise
        guard distance.value.isPositive else { throw .notPositive(bound) }
        self.direction = direction
        self.distance = distance
        self.window = window
        guard case .percent(let percent) = distance else {
            factors = nil
            ratios = nil
            return
        }
        guard let up = Price.hundred.adding(percent), let down = Price.hundred.subtracting(percent) else {
            throw .doesNotFit(bound)
        }
        if direction == .down, !down.isPositive { throw .unreachable }
        factors = (up, down)
        let hundredth = Ratio.one.multiplied(by: .hundredth)
        ratios = (hundredth.multiplied(by: up), hundredth.multiplied(by: down))
    }

    package static func == (left: Move, right: Move) -> Bool {
        left.direction == right.direction && left.distance == right.distance && left.window == right.window
    }
}

extension Price {
    /// 0.01, one percent.
    package static let hundredth = Price(mantissa: 1, scale: 2) ?? .zero
    /// 100, the whole as a percentage.
    package static let hundred = Price(mantissa: 100, scale: 0) ?? .zero
}

/// A limit that notifies each time the price crosses it; the alert never stays firing.
package struct Crossing: Equatable, Sendable {
    package let direction: Direction
    /// The price to cross, in the rule's currency.
    package let limit: Price

    /// - Throws: ``ConditionError/notPositive(_:)``.
    package init(_ direction: Direction, over limit: Price) throws(ConditionError) {
        guard limit.isPositive else { throw .notPositive(direction == .down ? .crossDown : .crossUp) }
        self.direction = direction
        self.limit = limit
    }
}
