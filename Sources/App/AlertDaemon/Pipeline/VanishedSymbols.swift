internal import Market
internal import Time

/// Symbols of earlier responses that the last one lacks, with their last tickers.
struct VanishedSymbols {
    typealias Seen = (ticker: Ticker, received: Instant)

    /// The maximum number of symbols, equal to that of a response: 10,000 × about 300 bytes = 3 MB.
    static let capacity = TickerBatch.symbolLimit
    /// The time after which a symbol is dropped, unless a rule names it exactly.
    static let keep = Milliseconds.seconds(86_400)

    private(set) var all: [Symbol: Seen] = [:]
    /// The time when the next symbol may have to be dropped.
    private var nextSweep: BootTime?

    /// Returns true if a response changes the vanished symbols, which is rare.
    ///
    /// - Parameters:
    ///   - new: the response.
    ///   - old: the previous response.
    /// - Returns: true if ``update(_:after:isNamed:)`` has something to do.
    func changes(with new: TickerBatch, after old: TickerBatch?) -> Bool {
        guard let old, !isSweepDue(at: new.received) else { return isSweepDue(at: new.received) }
        return !Self.haveSameSymbols(old, new)
    }

    private func isSweepDue(at time: Instant) -> Bool { nextSweep.map { time.boot >= $0 } ?? false }

    private static func haveSameSymbols(_ old: TickerBatch, _ new: TickerBatch) -> Bool {
        old.tickers.count == new.tickers.count
            && old.tickers.indices.allSatisfy { old.tickers[$0].symbol == new.tickers[$0].symbol }
    }

    /// Records the symbols that the previous response had and the new one lacks.
    ///
    /// - Parameters:
    ///   - new: the response.
    ///   - old: the previous response.
    ///   - isNamed: returns true if a rule names the symbol exactly; such symbols are kept for as long as they are
    ///     missing.
    mutating func update(_ new: TickerBatch, after old: TickerBatch?, isNamed: (Symbol) -> Bool) {
        if isSweepDue(at: new.received) { sweep(at: new.received, isNamed) }
        guard let old, !Self.haveSameSymbols(old, new) else { return }
        let present = Set(new.tickers.map(\.symbol))
        for ticker in old.tickers where !present.contains(ticker.symbol) {
            all[ticker.symbol] = (ticker, old.received)
        }
        for symbol in present { all[symbol] = nil }
        dropExcess(isNamed)
        if nextSweep == nil, !all.isEmpty { nextSweep = new.received.boot.advanced(by: Self.keep) }
    }

    private mutating func sweep(at time: Instant, _ isNamed: (Symbol) -> Bool) {
        all = all.filter { isNamed($0.key) || time.boot.since($0.value.received.boot) < Self.keep }
        let oldest = all.values.filter { !isNamed($0.ticker.symbol) }.map(\.received.boot).min()
        nextSweep = oldest?.advanced(by: Self.keep)
    }

    /// Drops the symbols that vanished first. Symbols that rules name exactly are kept, so the settings bound their
    /// number.
    private mutating func dropExcess(_ isNamed: (Symbol) -> Bool) {
        guard all.count > Self.capacity else { return }
        let others = all.values.filter { !isNamed($0.ticker.symbol) }
            .sorted { ($0.received.boot, $0.ticker.symbol) < ($1.received.boot, $1.ticker.symbol) }
        for seen in others.prefix(all.count - Self.capacity) { all[seen.ticker.symbol] = nil }
    }
}

/// The usable responses of a source.
struct LaneResponses {
    private(set) var last: TickerBatch?
    /// Symbols of earlier responses that the last one lacks.
    private(set) var vanished = VanishedSymbols()
    /// Elements of all responses so far that were not valid tickers.
    private(set) var badElementCount = 0

    /// Ingests a response. `isNamed` returns true if a rule names a symbol exactly.
    mutating func ingest(_ new: TickerBatch, isNamed: (Symbol) -> Bool) {
        badElementCount += new.badElementCount
        if vanished.changes(with: new, after: last) { vanished.update(new, after: last, isNamed: isNamed) }
        last = new
    }
}
