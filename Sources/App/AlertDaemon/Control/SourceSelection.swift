internal import Control
internal import Engine
internal import EventLoop
internal import History
internal import Market
internal import Rules
internal import Time
internal import Varlink

// Methods that find the source that a call refers to.
extension PipelineQuery {
    /// The names of all sources, separated by commas.
    var sourceNames: String { lanes.map { "\($0.name)" }.joined(separator: ", ") }

    /// Returns the source with a name.
    ///
    /// - Throws: `NoSuchThing`.
    func source(_ name: String) throws(VarlinkError) -> PipelineQuery {
        guard let lane = lanes.first(where: { "\($0.name)" == name }) else {
            throw .noSuchThing(.source, name, among: lanes.map { "\($0.name)" }, areFew: true)
        }
        return of(lane)
    }

    /// Returns the source with this name; all sources if the name is nil.
    ///
    /// - Throws: `NoSuchThing`.
    func sources(_ name: String?) throws(VarlinkError) -> [PipelineQuery] {
        if let name { [try source(name)] } else { lanes.map(of) }
    }

    /// Returns the source with this name; the only source if the name is nil.
    ///
    /// - Throws: `NoSuchThing`; `Refused` if the name is nil and there are several sources.
    func oneSource(_ name: String?) throws(VarlinkError) -> PipelineQuery {
        if let name { return try source(name) }
        guard lanes.count == 1 else {
            throw .refused("there are several sources; choose one with --source: \(sourceNames)")
        }
        return of(lane)
    }

    /// Returns the source of a rule; the first source if there is no such rule.
    func on(rule name: String) -> PipelineQuery {
        lanes.first { $0.engine.rules.contains { $0.name == name } }.map(of) ?? of(lane)
    }

    /// Returns the source of an override; nil if it is no longer polled.
    func on(_ override: LimitOverride) -> PipelineQuery? {
        lanes.first { $0.name == override.source }.map(of)
    }

    /// Returns a symbol that was seen or that a rule watches. If the text has no source before the symbol, the first
    /// source that knows the symbol is used.
    ///
    /// - Throws: `NoSuchSymbol`; `Refused` before the first response; `NoSuchThing` for an unknown source.
    func known(_ text: String) throws(VarlinkError) -> (query: PipelineQuery, symbol: Symbol) {
        try find(text) { query, symbol in query.symbol(symbol) != nil || query.engine.walk(over: symbol) != nil }
    }

    /// Returns a symbol like ``known(_:)``, and also accepts symbols with kept prices.
    ///
    /// - Throws: `NoSuchSymbol`; `Refused` before the first response; `NoSuchThing` for an unknown source.
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

    /// Returns a pattern and its source, which is `source` or the prefix of the text; each is nil if absent.
    ///
    /// - Throws: `InvalidParameter` for an invalid pattern or two different sources; `NoSuchThing` for an unknown
    ///   source.
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

/// A position in a list that spans several sources.
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
    /// Returns a page of a list that spans these sources, each of which has its own pages; an empty page past the
    /// end.
    ///
    /// - Parameters:
    ///   - next: the start of the page.
    ///   - page: returns a page of one source.
    /// - Returns: the elements, and the start of the next page; nil at the end.
    /// - Throws: the errors of `page`.
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
