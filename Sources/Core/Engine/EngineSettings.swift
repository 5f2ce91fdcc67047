package import ExchangeRates
package import Market
package import Time

/// The times and the pegs that evaluation depends on.
package struct EngineSettings: Equatable, Sendable {
    /// Two usable samples further apart than this have a gap between them.
    package var maximumGap: Milliseconds
    /// The same for symbols whose samples come at a pace of their own, as in recordings.
    package var symbolGaps: [Symbol: Milliseconds] = [:]
    /// A market without trades whose prices have not changed for this long is frozen.
    package var frozenAfter: Milliseconds
    /// A feed without a usable response for this long is stale.
    package var staleAfter: Milliseconds
    /// The most alerts of a source. Symbols beyond it have only the alerts of rules that name them exactly, whose
    /// number is limited where settings are read. 100,000 are ten rules for each symbol of the largest response; at
    /// some 450 bytes each 45 MB, and up to a second for a reload that changes them all.
    package var alertLimit = Self.alertLimit(ofEach: 1)

    /// The limit of each of several sources, which share it.
    package static func alertLimit(ofEach sourceCount: Int) -> Int { 100_000 / max(1, sourceCount) }

    /// Whether what prices did in a gap can be learned from candles.
    package var hasCandles = false
    /// Whether the source has candles that the settings do not use.
    package var ignoresCandles = false
    /// Currencies declared to be worth as much as another.
    package var pegs: [ExchangeRate]
    /// The currency in which the texts of events also give the price; nil for none.
    package var displayCurrency: Currency?

    /// By default, USDT counts as US dollars and no symbol has a gap of its own.
    package init(
        maximumGap: Milliseconds, frozenAfter: Milliseconds, staleAfter: Milliseconds,
        pegs: [ExchangeRate] = [.tetherAsDollar].compactMap(\.self)
    ) {
        self.maximumGap = maximumGap
        self.frozenAfter = frozenAfter
        self.staleAfter = staleAfter
        self.pegs = pegs
    }

    /// Two usable samples of the symbol further apart than this have a gap between them.
    package func maximumGap(of symbol: Symbol) -> Milliseconds {
        symbolGaps.isEmpty ? maximumGap : symbolGaps[symbol] ?? maximumGap
    }
}
