internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Rules
internal import Storage
internal import Varlink

/// The alerts of a rule on one symbol or on all symbols, of one bound or of all bounds.
struct AlertTarget: Hashable {
    var rule: String
    var symbol: Symbol?
    var bound: Bound?

    init(rule: String, symbol: Symbol? = nil, bound: Bound? = nil) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
    }

    init(_ view: AlertView) {
        self.init(rule: view.rule.name, symbol: view.symbol, bound: view.bound)
    }

    /// `rule 'band' on btcinr (max)`
    var text: String {
        "rule '\(rule)'" + (symbol.map { " on \($0)" } ?? "") + (bound.map { " (\($0.rawValue))" } ?? "")
    }
}

extension PipelineQuery {
    /// Returns the target for a rule on one symbol, or on all symbols if `symbol` is nil.
    ///
    /// - Throws: `NoSuchRule`, `NoSuchSymbol`, or `Refused` if the rule does not watch the symbol.
    func target(
        _ slices: inout WorkSlices, rule: String, symbol: String?
    ) async throws(VarlinkError) -> AlertTarget {
        let named = try self.rule(rule)
        let symbol = try symbol.map { name throws(VarlinkError) in try on(rule: rule).symbol(name, of: named) }
        let target = AlertTarget(rule: rule, symbol: symbol)
        guard try await !views(&slices, of: target).isEmpty else {
            let what = symbol.map { "does not watch \($0)" } ?? "matches nothing"
            throw .refused("rule '\(rule)' \(what)")
        }
        return target
    }

    /// Returns a symbol of this query's source, which is the source of the rule.
    ///
    /// - Throws: `NoSuchSymbol`; `Refused` if the text names another source.
    func symbol(_ text: String, of rule: Rule) throws(VarlinkError) -> Symbol {
        let written = SourcedText(text)
        if let other = written.source, other != "\(source)" {
            throw .refused("rule '\(rule.name)' watches symbols of \(source), not of \(other)")
        }
        return try known("\(source):\(written.symbol)").symbol
    }

    /// Returns the current state of the target's alerts.
    func views(_ slices: inout WorkSlices, of target: AlertTarget) async throws(VarlinkError) -> [AlertView] {
        let query = on(rule: target.rule)
        let rule = try query.number(ofRule: target.rule)
        var views: [AlertView] = []
        try await query.forEachAlert(&slices, of: target.symbol) { engine, place in
            guard place.rule == rule, let view = engine.view(of: place) else { return 0 }
            if target.bound == nil || view.bound == target.bound { views.append(view) }
            return WorkSlices.view
        }
        return views
    }

    /// Returns the first event with a higher number that resolves the alert; nil if there is none.
    func end(of target: AlertTarget, after number: Int64) async -> Event? {
        let pattern = target.symbol.flatMap { SymbolPattern("\($0)") }
        var query = EventQuery(after: number, rule: target.rule, symbol: pattern, kind: .resolved)
        while true {
            let page = await events(query, limit: Self.endPage)
            if let end = page.events.first(where: { $0.occurrence.bound == target.bound }) { return end }
            guard page.more, let last = page.events.last?.number else { return nil }
            query.after = last
        }
    }

    private static let endPage = 500
}
