// If a rule names another rule in `only_while`, the other rule is evaluated first.
extension [Rule] {
    /// For each rule, the index of the rule that it names, or nil if it names none or the named rule is not in the
    /// list. Empty if no rule names another.
    package var companions: [Int?] {
        // Iterate over indices, because a rule is expensive to copy.
        guard indices.contains(where: { self[$0].notification.onlyWhile != nil }) else { return [] }
        let places = Dictionary(indices.map { (self[$0].name, $0) }) { first, _ in first }
        return indices.map { self[$0].notification.onlyWhile.flatMap { places[$0] } }
    }

    /// Returns the rules that must be evaluated together with `rules`: the rules that they name, the rules that these
    /// name in turn, and so on. `rules` themselves are not included.
    package func needed(by rules: [Rule]) -> [Rule] {
        let byName = Dictionary(map { ($0.name, $0) }) { first, _ in first }
        var known = Set(rules.map(\.name))
        var needed: [Rule] = []
        for rule in rules {
            var next = rule.notification.onlyWhile
            while let name = next, known.insert(name).inserted, let found = byName[name] {
                needed.append(found)
                next = found.notification.onlyWhile
            }
        }
        return needed
    }
}

/// The order in which rules are evaluated: each rule after the rule that it names.
package struct RuleOrder: Sendable {
    /// The value of `companions` for the list of rules.
    package let companions: [Int?]
    /// For each rule, the number of rules that must be evaluated before it: the rule that it names, the rule that this
    /// one names, and so on. Empty if every rule already comes after the rule that it names.
    package let depths: [Int]

    package init(_ rules: [Rule]) {
        companions = rules.companions
        let isInOrder = companions.enumerated().allSatisfy { place, companion in companion ?? -1 < place }
        depths = isInOrder ? [] : Self.depths(companions)
    }

    /// Also terminates for rules that name each other in a circle, which valid settings do not contain.
    private static func depths(_ companions: [Int?]) -> [Int] {
        var depths: [Int?] = companions.map { _ in nil }
        for start in companions.indices {
            var chain: [Int] = []
            var place: Int? = start
            while let next = place, depths[next] == nil {
                depths[next] = 0
                chain.append(next)
                place = companions[next]
            }
            var depth = place.map { (depths[$0] ?? 0) + 1 } ?? 0
            for next in chain.reversed() {
                depths[next] = depth
                depth += 1
            }
        }
        return depths.map { $0 ?? 0 }
    }

    /// The circles of rules that name each other, as indices of rules. Each circle begins with its first rule in the
    /// list. A rule that names itself is a circle, too.
    package var circles: [[Int]] {
        var walks = companions.map { _ in 0 }
        var circles: [[Int]] = []
        for start in companions.indices {
            var chain: [Int] = []
            var place: Int? = start
            while let next = place, walks[next] == 0 {
                walks[next] = start + 1
                chain.append(next)
                place = companions[next]
            }
            guard let end = place, walks[end] == start + 1, let begin = chain.firstIndex(of: end) else { continue }
            let circle = chain[begin...]
            let first = circle.indices.min { circle[$0] < circle[$1] } ?? begin
            circles.append(Array(circle[first...] + circle[..<first]))
        }
        return circles
    }
}
