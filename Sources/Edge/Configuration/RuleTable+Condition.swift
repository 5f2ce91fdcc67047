internal import Events
internal import Market
internal import Rules
internal import Time

extension RuleTable {
    /// Reads the condition. Reports every key that is faulty or does not belong to the condition.
    func condition() -> Condition? {
        let kind = conditionKeys.first?.kind
        guard conditionKeys.allSatisfy({ $0.kind == kind }) else {
            // All kinds are read, so that all errors are reported together.
            let kinds = ConditionKind.allCases.filter { kind in conditionKeys.contains { $0.kind == kind } }
            for kind in kinds { _ = condition(kind) }
            readRest(isWindowRead: kinds.contains { $0.modifiers.contains(.window) })
            reportTwo(kinds)
            return nil
        }
        let condition = condition(kind ?? .band)
        readRest(isWindowRead: kind?.modifiers.contains(.window) ?? false)
        guard let kind else { return nil }
        reportForeign(kind)
        return condition
    }

    /// Reads keys that may not belong to the rule's condition, to report their faults.
    private func readRest(isWindowRead: Bool) {
        if !isWindowRead { _ = reader.duration("window") }
        if reader.node("from") != nil { RelativeBandReader(self).reportUnused() }
    }

    private func condition(_ kind: ConditionKind) -> Condition? {
        switch kind {
        case .band: return reader.hasPercentage ? RelativeBandReader(self).condition() : band().map(Condition.band)
        case .within: return zone().map(Condition.within)
        case .move: return move().map(Condition.move)
        case .cross: return crossing().map(Condition.cross)
        }
    }

    /// Returns the rule's keys of a kind, in file order.
    private func present(_ kind: ConditionKind) -> [ConditionKey] {
        conditionKeys.filter { $0.kind == kind }
    }

    private func position(_ key: ConditionKey) -> TextPosition { position(key.rawValue) }

    func position(_ key: String) -> TextPosition { reader.node(key)?.position ?? begin }

    private func reportTwo(_ kinds: [ConditionKind]) {
        guard let first = conditionKeys.first, let other = conditionKeys.first(where: { $0.kind != first.kind })
        else { return }
        reader.context.error(
            position(other),
            "`\(other.rawValue)` cannot be combined with `\(first.rawValue)`: a rule has one kind of condition",
            advice: "split the rule in two")
    }

    private static let modifierNames = ConditionModifier.allCases.map(\.rawValue)

    private func reportForeign(_ kind: ConditionKind) {
        guard let key = conditionKeys.first(where: { $0.kind == kind }) else { return }
        guard Self.modifierNames.contains(where: { reader.node($0) != nil }) else { return }
        let foreign = reader.entries.compactMap { ConditionModifier(rawValue: $0.key) }
            .filter { !kind.modifiers.contains($0) }
        for modifier in foreign.sorted(by: { position($0.rawValue) < position($1.rawValue) }) {
            reader.context.error(
                position(modifier.rawValue), "`\(modifier.rawValue)` does not apply to `\(key.rawValue)`",
                advice: Self.advice(modifier))
        }
    }

    private static func advice(_ modifier: ConditionModifier) -> String {
        switch modifier {
        case .window, .hysteresis: "remove it, or use it with \(list(modifier.conditions, "or"))"
        case .hold, .keepFiring, .repeatAfter: "remove it; a crossing never stays firing"
        }
    }

    /// Formats a list: `min, max and within`.
    private static func list(_ keys: [ConditionKey], _ conjunction: String) -> String {
        let names = keys.map(\.rawValue)
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }

    /// Returns the rule's only key of a kind, or nil if there is none. Two keys are a finding.
    private func single(_ kind: ConditionKind) -> ConditionKey? {
        let keys = present(kind)
        guard keys.count > 1 else { return keys.first }
        reader.context.error(
            position(keys[1]), "`\(keys[1].rawValue)` cannot be combined with `\(keys[0].rawValue)`",
            advice: "split the rule in two")
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
        guard reader.isRead("min", min), reader.isRead("max", max), reader.isRead("hysteresis", hysteresis) else {
            return nil
        }
        return made { () throws(ConditionError) in
            try Band(min: min?.value, max: max?.value, hysteresis: hysteresis?.value)
        }
    }

    private func zone() -> Zone? {
        let limits = reader.twoAmounts("within")
        let hysteresis = reader.distance("hysteresis")
        guard let limits, reader.isRead("hysteresis", hysteresis) else { return nil }
        return made { () throws(ConditionError) in
            try Zone(low: limits.value.0, high: limits.value.1, hysteresis: hysteresis?.value)
        }
    }

    private func move() -> Move? {
        let key = single(.move)
        let distance = key.flatMap { reader.distance($0.rawValue) }
        let window = window(of: key)
        guard let key, let distance else { return nil }
        let move = made { () throws(ConditionError) in
            try Move(key.direction, by: distance.value, window: window?.value ?? .zero)
        }
        return window == nil ? nil : move
    }

    private func window(of key: ConditionKey?) -> Located<Milliseconds>? {
        guard reader.node("window") != nil else {
            if let key {
                reader.context.error(
                    position(key), "`\(key.rawValue)` without `window`", advice: "add one, such as window = \"15m\"")
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
        guard let key = single(.cross), let limit = limit(key.rawValue) else { return nil }
        return made { () throws(ConditionError) in try Crossing(key.direction, over: limit.value) }
    }

    /// Reads a limit, which must be greater than 0.
    func limit(_ key: String) -> Located<Price>? {
        guard let limit = reader.amount(key) else { return nil }
        guard limit.value.isPositive else {
            reader.context.error(
                limit.position, "`\(key)` is \(limit.value), but a limit must be greater than 0",
                advice: "use a positive number")
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
                begin, "the rule has no condition",
                advice: "add `min`, `max` or both, or one of \(Self.others)")
        }
    }

    /// The keys of all conditions other than the band.
    private static var others: String {
        ConditionKey.allCases.filter { $0.kind != .band }.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    }

    func made<Made>(_ make: () throws(ConditionError) -> Made) -> Made? {
        do throws(ConditionError) {
            return try make()
        } catch {
            report(error)
            return nil
        }
    }

    private func report(_ error: ConditionError) {
        let key = { (bound: Bound) in
            self.conditionKeys.first { $0.bounds.contains(bound) }?.rawValue ?? bound.rawValue
        }
        switch error {
        case .noLimit: reportNoCondition()
        case .notPositive(let bound):
            reader.context.error(
                position(key(bound)), "`\(key(bound))` is not greater than 0", advice: "use a positive number")
        case .minNotBelowMax where reader.node("within") != nil:
            reader.context.error(
                position("within"), "the first number of `within` is not below the second",
                advice: "swap them, or correct one of them")
        case .minNotBelowMax:
            reader.context.error(
                Swift.max(position("min"), position("max")), "`min` is not below `max`",
                advice: "swap them, or correct one of them")
        case .negativeHysteresis:
            reader.context.error(position("hysteresis"), "`hysteresis` is negative", advice: "use 0 or more")
        case .hysteresisSwallows(let bound):
            reader.context.error(
                position("hysteresis"),
                "`hysteresis` is so large that the `\(bound.rawValue)` alert could never resolve",
                advice: "use a smaller one")
        case .doesNotFit(let bound):
            let hysteresis = reader.node("hysteresis").map { _ in " with this `hysteresis`" } ?? ""
            let key = key(bound)
            reader.context.error(
                position(hysteresis.isEmpty ? key : "hysteresis"),
                "`\(key)`\(hysteresis) has too many digits to be stored exactly", advice: "use fewer digits")
        case .reachedAtOnce(let bound):
            let sign = bound == .min ? "-5%" : "+5%"
            reader.context.error(
                position(key(bound)),
                "`\(key(bound))` relative to the price itself is reached immediately",
                advice: "write it like \"\(sign)\"")
        case .unreachable:
            reader.context.error(
                position("fall"), "`fall` is 100% or more, and no price can fall that far",
                advice: "use less than \"100%\"")
        }
    }
}
