package import EventLoop
package import Market
package import PriceSources
internal import Time

/// The parameters of a feed, according to the settings.
package struct FeedParameters {
    package var source: PriceSource
    /// The settings table of the feed, for advice.
    package var section = "[feed]"
    /// The base address of the source's API, or for ``PriceSource/json`` the whole address.
    package var url: String
    /// The symbols to keep; empty to keep all.
    package var symbols: [SymbolPattern] = []
    /// The seed of a simulated market.
    package var seed: UInt64 = 1
    /// The number of coins to request from CoinRanking.
    package var count = 100
    /// The layout of responses of ``PriceSource/json``.
    package var layout: JSONLayout?
    /// Reads the key of a source that needs one. Returns nil if there is none.
    package var key: @LoopActor () throws(FeedFailure) -> String? = { () throws(FeedFailure) in nil }
    /// Returns the markets that coins had before. Called before the first poll, and when too many coins have come and
    /// gone.
    package var coinNames: @LoopActor () -> [CoinName] = { [] }

    /// Creates parameters with defaults for everything else. A source that makes no requests ignores `url`.
    package init(_ source: PriceSource, url: String) {
        (self.source, self.url) = (source, url)
    }
}

/// Creates the feed of a source. This is the only function that creates feeds.
///
/// - Parameters:
///   - parameters: The source, and the parameters that it needs.
///   - client: Creates the HTTP client of a source that makes requests.
///   - time: The clock for the time of receipt.
/// - Returns: The feed of the source.
@LoopActor
package func makeFeed(
    _ parameters: FeedParameters, client: () -> any HTTPFetching, time: any TimeSource
) -> any Feed {
    let feed = makeWholeFeed(parameters, client: client, time: time)
    return parameters.symbols.isEmpty ? feed : FilteredFeed(feed, keeping: parameters.symbols, of: parameters.section)
}

@LoopActor
private func makeWholeFeed(
    _ parameters: FeedParameters, client: () -> any HTTPFetching, time: any TimeSource
) -> any Feed {
    switch parameters.source {
    case .wazirx:
        return ExchangeFeed(parameters, decoder: RecordDecoder(WazirXFormat()), client: client(), time: time)
    case .binance:
        return ExchangeFeed(parameters, decoder: RecordDecoder(BinanceFormat()), client: client(), time: time)
    case .kraken:
        return ExchangeFeed(parameters, decoder: RecordDecoder(KrakenFormat()), client: client(), time: time)
    case .coinranking: return CoinRankingFeed(parameters, client: client(), time: time)
    case .json:
        let format = JSONFormat(parameters.layout ?? JSONLayout(last: .root))
        return ExchangeFeed(parameters, decoder: RecordDecoder(format), client: client(), time: time)
    case .simulator: return SimulatedFeed(seed: parameters.seed, time: time)
    }
}
