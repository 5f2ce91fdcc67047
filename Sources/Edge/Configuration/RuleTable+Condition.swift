internal import Events
internal import Market
internal import Rules
internal import Time

/// The kinds of conditions; a rule has one.
private enum ConditionKind: CaseIterable {
    case band
    case within
    case move
    case cross

    var keys: [String] {
        switch self {
        case .band: ["min", "max"]
        case .within: ["within"]
        case .move: ["rise", "fall", "move"]
        case .cross: ["cross", "cross_up", "cross_down"]
        }
    }

    /// The modifiers that do not belong to it.
    var foreignKeys: [String] {
        switch self {
        case .band, .within: ["window"]
        case .move: ["hysteresis"]
        case .cross: ["window", "hysteresis", "for", "repeat"]
        }
    }
}

extension Condition {
    /// What a rule without a name is called, after its symbol.
    var words: String {
        switch self {
        case .band(let band):
            [band.min.map { _ in "min" }, band.max.map { _ in "max" }].compactMap(\.self).joined(separator: " ")
        case .within: "within"
        case .move(let move): move.key
        case .cross(let crossing): crossing.key
        }
    }
}

extension RuleTable {
    /// The condition; every key of it that is faulty, and every one that does not belong, is a finding.
    func condition() -> Condition? {
        let kinds = ConditionKind.allCases.filter { kind in kind.keys.contains { reader.node($0) != nil } }
        // All are read, so that all that is wrong is said at once.
        let band = kinds.contains(.band) || kinds.isEmpty ? self.band() : nil
        let zone = kinds.contains(.within) ? self.zone() : nil
        let move = kinds.contains(.move) ? self.move() : nil
        if !kinds.contains(.move) { _ = reader.duration("window") }
        let crossing = kinds.contains(.cross) ? self.crossing() : nil
        guard let kind = kinds.first else { return nil }
        guard kinds.count == 1 else {
            reportTwo(kinds)
            return nil
        }
        reportForeign(kind)
        switch kind {
        case .band: return band.map(Condition.band)
        case .within: return zone.map(Condition.within)
        case .move: return move.map(Condition.move)
        case .cross: return crossing.map(Condition.cross)
        }
    }

    /// The keys of a kind that are there, in the order of the file.
    private func present(_ keys: [String]) -> [String] {
        keys.filter { reader.node($0) != nil }.sorted { position($0) < position($1) }
    }

    private func position(_ key: String) -> TextPosition { reader.node(key)?.position ?? begin }

    private func reportTwo(_ kinds: [ConditionKind]) {
        let keys = present(kinds.flatMap(\.keys))
        guard let first = keys.first, let kind = kinds.first(where: { $0.keys.contains(first) }),
            let other = keys.first(where: { !kind.keys.contains($0) })
        else { return }
        reader.context.error(
            position(other), "`\(other)` beside `\(first)`: a rule has one kind of condition",
            advice: "make two rules of it")
    }

    private func reportForeign(_ kind: ConditionKind) {
        guard let key = present(kind.keys).first else { return }
        for foreign in present(kind.foreignKeys) {
            reader.context.error(
                position(foreign), "`\(foreign)` does not belong to `\(key)`",
                advice: Self.advice(foreign))
        }
    }

    private static func advice(_ key: String) -> String {
        switch key {
        case "window": "remove it; it belongs to rise, fall and move"
        case "hysteresis": "remove it; it belongs to min, max and within"
        default: "remove it; a crossing does not last"
        }
    }

    /// The one key of a kind that is there; two are a finding.
    private func single(_ kind: ConditionKind) -> String? {
        let keys = present(kind.keys)
        guard keys.count > 1 else { return keys.first }
        reader.context.error(
            position(keys[1]), "`\(keys[1])` beside `\(keys[0])`: a rule has one of them",
            advice: "make two rules of it")
        return nil
    }

    private func band() -> Band? {
        let min = limit("min")
        let max = limit("max")
        let hysteresis = reader.distance("hysteresis")
        if reader.node("min") == nil, reader.node("max") == nil {
            reportNoCondition()
            return nil
        }
        let isComplete = [("min", min != nil), ("max", max != nil), ("hysteresis", hysteresis != nil)].allSatisfy {
            reader.node($0) == nil || $1
        }
        guard isComplete else { return nil }
        return made { () throws(ConditionError) in
            try Band(min: min?.value, max: max?.value, hysteresis: hysteresis?.value)
        }
    }

    private func zone() -> Zone? {
        let limits = reader.twoAmounts("within")
        let hysteresis = reader.distance("hysteresis")
        guard let limits, hysteresis != nil || reader.node("hysteresis") == nil else { return nil }
        return made { () throws(ConditionError) in
            try Zone(low: limits.value.0, high: limits.value.1, hysteresis: hysteresis?.value)
        }
    }

    private func move() -> Move? {
        let key = single(.move)
        let distance = key.flatMap(reader.distance)
        let window = window(of: key)
        guard let key, let distance else { return nil }
        let direction: Direction = key == "rise" ? .up : key == "fall" ? .down : .both
        let move = made { () throws(ConditionError) in
            try Move(direction, by: distance.value, window: window?.value ?? .zero)
        }
        return window == nil ? nil : move
    }

    private func window(of key: String?) -> Located<Milliseconds>? {
        guard reader.node("window") != nil else {
            if let key {
                reader.context.error(
                    position(key), "`\(key)` without `window`", advice: "add one, such as window = \"15m\"")
            }
            return nil
        }
        guard let window = reader.duration("window") else { return nil }
        if window.value < windows.lowerBound {
            reader.context.error(
                window.position, "`window` is \(window.value), shorter than two intervals",
                advice: "use at least \"\(windows.lowerBound)\"")
            return nil
        }
        if window.value > windows.upperBound {
            reader.context.error(
                window.position, "`window` is \(window.value), longer than prices are kept",
                advice: "use at most \"\(windows.upperBound)\", or a longer `keep` in [history]")
            return nil
        }
        return window
    }

    private func crossing() -> Crossing? {
        guard let key = single(.cross), let limit = limit(key) else { return nil }
        let direction: Direction = key == "cross_up" ? .up : key == "cross_down" ? .down : .both
        return made { () throws(ConditionError) in try Crossing(direction, over: limit.value) }
    }

    /// A limit that is greater than 0.
    private func limit(_ key: String) -> Located<Price>? {
        guard let limit = reader.amount(key) else { return nil }
        guard limit.value.isPositive else {
            reader.context.error(
                limit.position, "`\(key)` is \(limit.value), and limits are greater than 0",
                advice: "use a greater number")
            return nil
        }
        return limit
    }

    private func reportNoCondition() {
        if let hysteresis = reader.node("hysteresis") {
            reader.context.error(
                hysteresis.position, "`hysteresis` without a limit", advice: "add `min`, `max` or both to the rule")
        } else {
            reader.context.error(
                begin, "a rule without a condition",
                advice: "add `min`, `max` or both, or one of within, rise, fall, move, cross, cross_up, cross_down")
        }
    }

    private func made<Made>(_ make: () throws(ConditionError) -> Made) -> Made? {
        do throws(ConditionError) {
            return try make()
        } catch {
            report(error)
            return nil
        }
    }

    private func report(_ error: ConditionError) {
        let keys = { (bound: Bound) in self.present(Self.keys(of: bound)) }
        switch error {
        case .noLimit: reportNoCondition()
        case .notPositive(let bound):
            let key = keys(bound).first ?? bound.rawValue
            reader.context.error(position(key), "`\(key)` is not greater than 0", advice: "use a greater number")
        case .minNotBelowMax where reader.node("within") != nil:
            reader.context.error(
                position("within"), "the first number of `within` is not below the second",
                advice: "swap them, or mend one")
        case .minNotBelowMax:
            reader.context.error(
                Swift.max(position("min"), position("max")), "`min` is not below `max`",
                advice: "swap them, or mend one")
        case .negativeHysteresis:
            reader.context.error(position("hysteresis"), "`hysteresis` is negative", advice: "use 0 or more")
        case .hysteresisSwallows(let bound):
            reader.context.error(
                position("hysteresis"),
                "`hysteresis` is so large that an alert of `\(bound.rawValue)` could never be over",
                advice: "use a smaller one")
        case .doesNotFit(let bound):
            let hysteresis = reader.node("hysteresis").map { _ in " with this `hysteresis`" } ?? ""
            let key = keys(bound).first ?? bound.rawValue
            reader.context.error(
                position(hysteresis.isEmpty ? key : "hysteresis"), "`\(key)`\(hysteresis) cannot be held exactly",
                advice: "use fewer digits")
        case .unreachable:
            reader.context.error(
                position("fall"), "`fall` is all of the price or more, which no price can fall",
                advice: "use less than \"100%\"")
        }
    }

    private static func keys(of bound: Bound) -> [String] {
        switch bound {
        case .min, .max, .within: [bound.rawValue]
        case .rise, .fall: [bound.rawValue, "move"]
        case .crossUp, .crossDown: [bound.rawValue, "cross"]
        }
    }
}
