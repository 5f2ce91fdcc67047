package import Events

/// A kind of condition; a rule has exactly one. The keys of settings, their help and their checks are derived from
/// this list. The raw values appear in the control interface.
package enum ConditionKind: String, CaseIterable, Sendable {
    case band
    case within
    case move
    case cross

    /// Its keys in a settings file; one of them declares the condition.
    package var keys: [ConditionKey] { ConditionKey.allCases.filter { $0.kind == self } }

    /// The modifiers that it accepts. All other ``ConditionModifier`` keys are rejected.
    package var modifiers: [ConditionModifier] {
        switch self {
        case .band, .within: [.hysteresis, .hold, .keepFiring, .repeatAfter]
        case .move: [.window, .hold, .keepFiring, .repeatAfter]
        case .cross: []
        }
    }

    /// True if its alerts never stay firing.
    package var isMomentary: Bool { keys.allSatisfy { $0.bounds.allSatisfy(\.isMomentary) } }

    /// The keys of this kind as a phrase: ``` one of `rise`, `fall` and `move` with a `window` ```.
    private var text: String {
        let names = keys.map { "`\($0.rawValue)`" }
        guard names.count > 1, let last = names.last else { return names.joined() }
        if self == .band { return names.joined(separator: " and/or ") }
        let list = "one of \(names.dropLast().joined(separator: ", ")) and \(last)"
        return list + (modifiers.contains(.window) ? " with a `window`" : "")
    }

    /// The keys of all kinds as a phrase: ``` `min` and/or `max`, or `within`, or one of … ```.
    package static var text: String { allCases.map(\.text).joined(separator: ", or ") }
}

/// A key of a rule that declares its condition. The raw values are those of the settings file.
package enum ConditionKey: String, CaseIterable, Sendable {
    case min
    case max
    case within
    case rise
    case fall
    case move
    case cross
    case crossUp = "cross_up"
    case crossDown = "cross_down"

    /// The type of a key's value.
    package enum Value: Sendable {
        case amount
        case twoAmounts
        case amountOrPercent
    }

    package var kind: ConditionKind {
        switch self {
        case .min, .max: .band
        case .within: .within
        case .rise, .fall, .move: .move
        case .cross, .crossUp, .crossDown: .cross
        }
    }

    /// The bounds of the alerts that it creates.
    package var bounds: [Bound] {
        switch self {
        case .min: [.min]
        case .max: [.max]
        case .within: [.within]
        case .rise: [.rise]
        case .fall: [.fall]
        case .move: [.rise, .fall]
        case .cross: [.crossUp, .crossDown]
        case .crossUp: [.crossUp]
        case .crossDown: [.crossDown]
        }
    }

    package var value: Value {
        switch kind {
        case .band, .cross: .amount
        case .within: .twoAmounts
        case .move: .amountOrPercent
        }
    }

    /// Its effect, in one line without a full stop.
    package var help: String {
        switch self {
        case .min: "Fires when the price is at or below this: an amount, or with `from` a change such as \"-5%\""
        case .max: "Fires when the price is at or above this: an amount, or with `from` a change such as \"+10%\""
        case .within: "Fires when the price is between two limits or at one of them"
        case .rise: "Fires when the price is this far above the lowest price of the window"
        case .fall: "Fires when the price is this far below the highest price of the window"
        case .move: "Short for both `rise` and `fall`"
        case .cross: "Notifies each time the price crosses this limit, up or down"
        case .crossUp: "Notifies each time the price crosses this limit upward"
        case .crossDown: "Notifies each time the price crosses this limit downward"
        }
    }

    /// The default when the key is absent.
    package var absent: String {
        switch self {
        case .min: "no lower limit"
        case .max: "no upper limit"
        case .within: "no zone"
        case .rise: "no rise"
        case .fall: "no fall"
        case .move: "no move"
        case .cross, .crossUp, .crossDown: "no crossing"
        }
    }

    /// The direction of a move or crossing.
    package var direction: Direction {
        switch (bounds.contains { $0.approach == .fromBelow }, bounds.contains { $0.approach == .fromAbove }) {
        case (true, false): .up
        case (false, true): .down
        default: .both
        }
    }
}

/// A key of a rule that only some kinds of conditions accept.
package enum ConditionModifier: String, CaseIterable, Sendable {
    case window
    case hysteresis
    case hold = "for"
    case keepFiring = "keep_firing_for"
    case repeatAfter = "repeat"

    /// The keys of the conditions that accept it.
    package var conditions: [ConditionKey] { ConditionKey.allCases.filter { $0.kind.modifiers.contains(self) } }
}

extension Condition {
    package var kind: ConditionKind {
        switch self {
        case .band, .relative: .band
        case .within: .within
        case .move: .move
        case .cross: .cross
        }
    }

    /// The keys that declare it in a settings file.
    package var keys: [ConditionKey] {
        let bounds = tests.map(\.bound)
        let exact = kind.keys.filter { $0.bounds == bounds }
        return exact.isEmpty ? kind.keys.filter { $0.bounds.allSatisfy(bounds.contains) } : exact
    }
}
