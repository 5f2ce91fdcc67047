/// What an alert of a rule watches for, in the order in which the alerts of a rule are evaluated.
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
    /// All bounds as they are written in JSON and in settings: `min, max, within … or cross_down`.
    package static var list: String {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }

    /// Whether it is notified at one moment and never stays firing.
    package var isMomentary: Bool {
        switch self {
        case .crossUp, .crossDown: true
        case .min, .max, .within, .rise, .fall: false
        }
    }

    /// From which side a price reaches the limit; nil when from either side.
    package var approach: Approach? {
        switch self {
        case .max, .rise, .crossUp: .fromBelow
        case .min, .fall, .crossDown: .fromAbove
        case .within: nil
        }
    }

    /// The side of a limit that a price comes from.
    package enum Approach: Sendable {
        case fromBelow
        case fromAbove
    }

    /// The limit with its name, for a text: `maximum ₹75,00,000.00`; the name alone when the amounts are not known.
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
