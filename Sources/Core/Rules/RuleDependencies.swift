// Which rule another one names in `only_while`: it is evaluated first.
extension [Rule] {
    /// Of each rule the place of the one that it names, or nil if it names none that is here. Empty if no rule names
    /// one.
    package var companions: [Int?] {
        // By number: a rule is much to copy.
        guard indices.contains(where: { self[$0].notification.onlyWhile != nil }) else { return [] }
        let places = Dictionary(indices.map { (self[$0].name, $0) }) { first, _ in first }
        return indices.map { self[$0].notification.onlyWhile.flatMap { places[$0] } }
    }

    /// The rules that some rules need to be evaluated with them: those that they name, and so on; without themselves.
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

/// The order in which rules are evaluated: each one after the one that it names.
package struct RuleOrder: Sendable {
    /// See `companions` of a list of rules.
    package let companions: [Int?]
    /// Of each rule how many others come before it, one named by the other. Empty if the order of the file does.
    package let depths: [Int]

    package init(_ rules: [Rule]) {
        companions = rules.companions
        let isInOrder = companions.enumerated().allSatisfy { place, companion in companion ?? -1 < place }
        depths = isInOrder ? [] : Self.depths(companions)
    }

    /// Ends with circles as well, which settings never have.
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

    /// The rules that name each other in a circle, by their places; each circle begins with its first rule.
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
