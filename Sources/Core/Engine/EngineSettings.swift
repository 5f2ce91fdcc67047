package import ExchangeRates
package import Market
package import Time

/// The durations, limits and pegs that evaluation depends on.
package struct EngineSettings: Equatable, Sendable {
    /// Two usable samples further apart than this have a gap between them.
    package var maximumGap: Milliseconds
    /// The maximum gap of symbols whose samples have another interval, as in recordings.
    package var symbolGaps: [Symbol: Milliseconds] = [:]
    /// A market without trades whose prices have not changed for this long is frozen.
    package var frozenAfter: Milliseconds
    /// A feed without a usable response for this long is stale.
    package var staleAfter: Milliseconds
    /// Maximum number of alerts per source. A symbol that would exceed the limit gets only the alerts of rules that
    /// name it exactly; their number is limited when settings are read. 100,000 alerts are ten rules for each symbol
    /// of the largest response. They take 45 MB, at some 450 bytes each, and a reload that changes all of them takes
    /// up to a second.
    package var alertLimit = Self.alertLimit(ofEach: 1)

    /// Returns the limit of each source, if several share the total.
    package static func alertLimit(ofEach sourceCount: Int) -> Int { 100_000 / max(1, sourceCount) }

    /// True if candles can show what prices did in a gap.
    package var hasCandles = false
    /// True if the source has candles, but the settings disable them.
    package var ignoresCandles = false
    /// Currencies declared to be worth the same as another.
    package var pegs: [ExchangeRate]
    /// The currency in which the texts of events show the price a second time; nil for none.
    package var displayCurrency: Currency?

    /// By default, USDT equals US dollars and no symbol has a maximum gap of its own.
    package init(
        maximumGap: Milliseconds, frozenAfter: Milliseconds, staleAfter: Milliseconds,
        pegs: [ExchangeRate] = [.tetherAsDollar].compactMap(\.self)
    ) {
        self.maximumGap = maximumGap
        self.frozenAfter = frozenAfter
        self.staleAfter = staleAfter
        self.pegs = pegs
    }

    /// Returns the maximum gap between two usable samples of a symbol.
    package func maximumGap(of symbol: Symbol) -> Milliseconds {
        symbolGaps.isEmpty ? maximumGap : symbolGaps[symbol] ?? maximumGap
    }
}
