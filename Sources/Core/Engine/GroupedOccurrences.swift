internal import Events

/// The occurrences of one symbol, in the order of the rules; for each rule, `resolved` events come before the others.
struct GroupedOccurrences {
    private var entries: [(rule: Int, occurrence: Occurrence)] = []

    /// Appends an occurrence. Rules may come in any order, because a rule that another one names in `only_while` is
    /// evaluated first.
    mutating func append(_ occurrence: Occurrence, rule: Int) { entries.append((rule, occurrence)) }

    func finish(into occurrences: inout [Occurrence]) {
        guard !entries.isEmpty else { return }
        let sortKey = { (index: Int) in
            let entry = entries[index]
            return (entry.rule, entry.occurrence.kind == .resolved ? 0 : 1, index)
        }
        occurrences += entries.indices.sorted { sortKey($0) < sortKey($1) }.map { entries[$0].occurrence }
    }
}
