internal import Control
internal import Engine
internal import EventLoop
internal import History
internal import Market
internal import Rules
internal import Time
internal import Varlink

// Which source a call is about.
extension PipelineQuery {
    /// The names of all sources, separated by commas.
    var sourceNames: String { lanes.map { "\($0.name)" }.joined(separator: ", ") }

    /// The source of that name.
    ///
    /// - Throws: `NoSuchThing`.
    func source(_ name: String) throws(VarlinkError) -> PipelineQuery {
        guard let lane = lanes.first(where: { "\($0.name)" == name }) else {
            throw .noSuchThing(.source, name, among: lanes.map { "\($0.name)" }, areFew: true)
        }
        return of(lane)
    }

    /// The source of that name; all when it is nil.
    ///
    /// - Throws: `NoSuchThing`.
    func sources(_ name: String?) throws(VarlinkError) -> [PipelineQuery] {
        if let name { [try source(name)] } else { lanes.map(of) }
    }

    /// The source of that name; the only one when it is nil.
    ///
    /// - Throws: `NoSuchThing`; `Refused` when it is nil and there are several.
    func oneSource(_ name: String?) throws(VarlinkError) -> PipelineQuery {
        if let name { return try source(name) }
        guard lanes.count == 1 else {
            throw .refused("there are several sources; choose one with --source: \(sourceNames)")
        }
        return of(lane)
    }

    /// The source of a rule; the first source when there is no such rule.
    func on(rule name: String) -> PipelineQuery {
        lanes.first { $0.engine.rules.contains { $0.name == name } }.map(of) ?? of(lane)
    }

    /// The source of an override; nil when it is no longer polled.
    func on(_ override: LimitOverride) -> PipelineQuery? {
        lanes.first { $0.name == override.source }.map(of)
    }

    /// A symbol that was seen or that a rule watches: in the source that is written before it, or else in the first one
    /// that knows it.
    ///
    /// - Throws: `NoSuchSymbol`; `NoSuchThing` for a source.
    func known(_ text: String) throws(VarlinkError) -> (query: PipelineQuery, symbol: Symbol) {
        try find(text) { query, symbol in query.symbol(symbol) != nil || query.engine.walk(over: symbol) != nil }
    }

    /// As ``known(_:)``, or with kept prices.
    ///
    /// - Throws: `NoSuchSymbol`; `NoSuchThing` for a source.
    func recorded(_ text: String) throws(VarlinkError) -> (query: PipelineQuery, symbol: Symbol) {
        let now = clock.now().wall
        return try find(text) { query, symbol in
            query.history.sample(of: symbol, at: now) != nil || query.symbol(symbol) != nil
                || query.engine.walk(over: symbol) != nil
        }
    }

    private func find(
        _ text: String, _ isKnown: (PipelineQuery, Symbol) -> Bool
    ) throws(VarlinkError) -> (query: PipelineQuery, symbol: Symbol) {
        let written = SourcedText(text)
        let candidates = try sources(written.source)
        if let symbol = Symbol(written.symbol), let found = candidates.first(where: { isKnown($0, symbol) }) {
            return (found, symbol)
        }
        guard candidates.contains(where: { $0.batch != nil }) else { throw .noPricesYet }
        let names = candidates.flatMap { $0.batch?.tickers.map(\.symbol.description) ?? [] }
        throw .noSuchSymbol(written.symbol, among: names)
    }

    /// A pattern with the source that may be written before it; nil for neither.
    ///
    /// - Throws: `InvalidParameter`; `NoSuchThing` for a source that there is not, or for two different ones.
    func pattern(
        _ text: String?, named name: String, source: String?
    ) throws(VarlinkError) -> (pattern: SymbolPattern?, source: SourceName?) {
        let written = text.map(SourcedText.init)
        if let before = written?.source, let source, before != source { throw .invalidParameter(name) }
        let pattern = try optional(written?.symbol, named: name, SymbolPattern.init)
        let chosen = try (source ?? written?.source).map { name throws(VarlinkError) in try self.source(name).source }
        return (pattern, chosen)
    }
}

/// A place in a list that goes over several sources.
struct SourcePage {
    var source: Int
    var start: Int

    private static let shift = 32

    init(source: Int, start: Int) {
        (self.source, self.start) = (source, start)
    }

    /// Reads the `next` of a page.
    init(_ next: Int) {
        self.init(source: next >> Self.shift, start: next & (1 << Self.shift - 1))
    }

    var next: Int { source << Self.shift | start }
}

extension [PipelineQuery] {
    /// A page of a list of all of these sources, each of which has pages of its own; nothing where it is past the end.
    ///
    /// - Parameters:
    ///   - next: where it begins.
    ///   - page: a page of one source.
    /// - Returns: the elements, and where the next page begins; nil at the end.
    /// - Throws: what the page of a source throws.
    @LoopActor
    func page<Item>(
        from next: Int, _ page: (PipelineQuery, Int) async throws(VarlinkError) -> ([Item], Int?)
    ) async throws(VarlinkError) -> (elements: [Item], next: Int?) {
        var place = SourcePage(next)
        while place.source < count {
            let (elements, rest) = try await page(self[place.source], place.start)
            if let rest {
                return (elements, SourcePage(source: place.source, start: rest).next)
            }
            place = SourcePage(source: place.source + 1, start: 0)
            if !elements.isEmpty { return (elements, place.source < count ? place.next : nil) }
        }
        return ([], nil)
    }
}
