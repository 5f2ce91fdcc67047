package import Market

/// The bound that an alert watches. The cases are in the order in which the alerts of a rule are evaluated.
package enum Bound: String, CaseIterable, Sendable {
    case min
    case max
    case within
    case rise
    case fall
    case crossUp = "cross_up"
    case crossDown = "cross_down"
}

extension Bound {
    /// All bounds as written in JSON and in settings: `min, max, within … or cross_down`.
    package static var list: String {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }

    /// True if an alert with this bound notifies on every crossing and never stays firing.
    package var isMomentary: Bool {
        switch self {
        case .crossUp, .crossDown: true
        case .min, .max, .within, .rise, .fall: false
        }
    }

    /// The side from which a price reaches the limit; nil for either side.
    package var approach: Approach? {
        switch self {
        case .max, .rise, .crossUp: .fromBelow
        case .min, .fall, .crossDown: .fromAbove
        case .within: nil
        }
    }

    /// The side of a limit that a price approaches from.
    package enum Approach: Sendable {
        case fromBelow
        case fromAbove
    }

    /// Returns the distance of a price from a limit, as an amount or in per cent.
    ///
    /// - Parameters:
    ///   - limit: the limit of an alert with this bound.
    ///   - change: returns how far the price would have to rise to reach a level; negative if it would have to fall.
    /// - Returns: a positive number while the limit is not reached; nil if `change` returns nil or the result does
    ///   not fit.
    package func distance(to limit: LimitValue, _ change: (Price) -> Price?) -> Price? {
        func fall(_ level: Price) -> Price? { change(level).flatMap(Price.zero.subtracting) }
        switch limit {
        case .price(let level): return approach == .fromBelow ? change(level) : fall(level)
        case .range(let low, let high):
            guard let toLow = change(low), let toHigh = fall(high) else { return nil }
            return Swift.max(toLow, toHigh)
        }
    }

    /// The phrase for several markets in one text: `crossed above their limit`.
    package var groupText: String {
        switch self {
        case .min: "are at or below their minimum"
        case .max: "are at or above their maximum"
        case .within: "are in their zone"
        case .rise: "rose"
        case .fall: "fell"
        case .crossUp: "crossed above their limit"
        case .crossDown: "crossed below their limit"
        }
    }

    /// Returns the name of the bound with its limits: `maximum ₹75,00,000.00`. Without limits, returns only the
    /// name.
    package func title(_ limits: [String]) -> String {
        let name =
            switch self {
            case .min: "minimum"
            case .max: "maximum"
            case .within: "zone"
            case .rise: limits.isEmpty ? "rise" : "rise to"
            case .fall: limits.isEmpty ? "fall" : "fall to"
            case .crossUp: limits.isEmpty ? "upward crossing" : "crossing above"
            case .crossDown: limits.isEmpty ? "downward crossing" : "crossing below"
            }
        return ([name] + (limits.isEmpty ? [] : [limits.joined(separator: " to ")])).joined(separator: " ")
    }
}
