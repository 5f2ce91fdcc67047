internal import Events

/// The occurrences of one symbol, in order: for each rule, `resolved` events come before the others.
struct GroupedOccurrences {
    private var ended: [Occurrence] = []
    private var others: [Occurrence] = []
    private var rule = -1

    mutating func append(_ occurrence: Occurrence, rule: Int) {
        if rule != self.rule {
            ended += others
            others = []
            self.rule = rule
        }
        if occurrence.kind == .resolved { ended.append(occurrence) } else { others.append(occurrence) }
    }

    func finish(into occurrences: inout [Occurrence]) {
        guard rule >= 0 else { return }
        occurrences += ended
        occurrences += others
    }
}
