package import Engine
internal import ExchangeRates
internal import Market
internal import PriceSources
internal import Time

extension EngineSettings {
    /// Derives the settings for evaluating the rules of a source, or of the first source if `feed` is nil.
    package init(_ settings: Settings, _ feed: FeedSettings? = nil) {
        let feed = feed ?? settings.feed
        let peg = Currency("USDT").flatMap { usdt in
            settings.display.tetherCountsAs.flatMap { ExchangeRate.peg(usdt, to: $0) }
        }
        self.init(
            maximumGap: feed.maximumGap, frozenAfter: feed.frozenAfter, staleAfter: feed.interval.times(3),
            pegs: [peg].compactMap(\.self))
        displayCurrency = settings.display.currency
        alertLimit = Self.alertLimit(ofEach: settings.sources.count)
        let candlesExist = feed.source.profile.candles != nil
        (hasCandles, ignoresCandles) = (candlesExist && feed.catchesUp, candlesExist && !feed.catchesUp)
    }
}
