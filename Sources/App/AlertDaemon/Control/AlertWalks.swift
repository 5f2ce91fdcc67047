internal import Engine
internal import EventLoop
internal import Market
internal import Varlink

// Queries about all alerts, of which there may be millions.
extension PipelineQuery {
    /// Calls the body with each alert. All alerts of a symbol come one after another.
    ///
    /// - Parameters:
    ///   - slices: count the cost.
    ///   - symbol: the symbol whose alerts are visited; nil for all.
    ///   - body: called with each alert; returns its cost, which does not include the step to the alert.
    /// - Throws: an error if the client is gone.
    func forEachAlert(
        _ slices: inout WorkSlices, of symbol: Symbol? = nil, _ body: (RuleEngine, AlertPlace) -> Int
    ) async throws(VarlinkError) {
        guard var walk = symbol.map(engine.walk) ?? AlertWalk() else { return }
        var hasMore = true
        while hasMore {
            // No reference to the engine is kept while other tasks run, because a change by them would then copy the
            // engine.
            let cost = advance(&walk, &hasMore, budget: slices.left, body)
            try await slices.spend(cost)
        }
    }

    private func advance(
        _ walk: inout AlertWalk, _ hasMore: inout Bool, budget: Int, _ body: (RuleEngine, AlertPlace) -> Int
    ) -> Int {
        let engine = engine
        // The body may cost much more than a step, so only a few steps are made before the cost is checked.
        var cost = 0
        while hasMore, cost < budget {
            hasMore = engine.advance(&walk, budget: Self.stepsAtOnce) { cost += body(engine, $0) }
            cost += Self.stepsAtOnce
        }
        return cost
    }

    private static let stepsAtOnce = 64

    /// Returns a page of the alerts that match, in the order of the rules and, within a rule, of the symbols.
    ///
    /// - Parameters:
    ///   - slices: count the cost.
    ///   - symbol: the symbol whose alerts are listed; nil for all.
    ///   - start: the number of matching alerts before the page.
    ///   - limit: the maximum number of alerts on the page.
    ///   - matches: returns true if an alert is in the list.
    /// - Returns: the alerts, and the start of the next page; nil if there is none.
    /// - Throws: an error if the client is gone.
    func alertPage(
        _ slices: inout WorkSlices, of symbol: Symbol? = nil, from start: Int, limit: Int,
        where matches: (RuleEngine, AlertPlace) -> Bool
    ) async throws(VarlinkError) -> (places: [AlertPlace], next: Int?) {
        var counts = [Int](repeating: 0, count: engine.rules.count)
        try await forEachAlert(&slices, of: symbol) { engine, place in
            if matches(engine, place), place.rule < counts.count { counts[place.rule] += 1 }
            return 0
        }
        let rules = PagedRules(counts, from: start, limit: limit)
        var places = [[AlertPlace]](repeating: [], count: rules.range.count)
        guard !rules.range.isEmpty else { return ([], nil) }
        try await forEachAlert(&slices, of: symbol) { engine, place in
            guard rules.range.contains(place.rule), matches(engine, place) else { return 0 }
            places[place.rule - rules.range.lowerBound].append(place)
            return 0
        }
        let page = places.joined().dropFirst(start - rules.before).prefix(limit)
        let end = start + page.count
        return (Array(page), end < rules.total && !page.isEmpty ? end : nil)
    }
}

/// The rules whose alerts are on a page.
private struct PagedRules {
    var range = 0..<0
    /// The number of alerts before the first alert of these rules.
    var before = 0
    var total = 0

    init(_ counts: [Int], from start: Int, limit: Int) {
        total = counts.reduce(0, +)
        guard start < total, limit > 0 else { return }
        var sum = 0
        var first: Int?
        for (rule, count) in counts.enumerated() where count > 0 {
            if first == nil, sum + count > start { (first, before) = (rule, sum) }
            if let first { range = first..<rule + 1 }
            sum += count
            if sum - start >= limit { return }
        }
    }
}
