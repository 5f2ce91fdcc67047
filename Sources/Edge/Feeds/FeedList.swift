package import EventLoop
package import Market
package import PriceSources
internal import Time

/// What a feed is made from, as the settings say.
package struct FeedParameters {
    package var source: PriceSource
    /// The table of the settings that it is from, for advice.
    package var section = "[feed]"
    /// Where the interface of the source begins.
    package var url: String
    /// The markets to keep; empty to keep all.
    package var symbols: [SymbolPattern] = []
    /// What a simulated market is made from.
    package var seed: UInt64 = 1
    /// How many coins to ask CoinRanking for.
    package var count = 100
    /// Where the prices are in responses of ``PriceSource/json``.
    package var layout: JSONLayout?
    /// Reads the key of a source that wants one; nil when there is none.
    package var key: @LoopActor () throws(FeedFailure) -> String? = { () throws(FeedFailure) in nil }
    /// The markets that coins have had before; read before the first poll, and when too many have come and gone.
    package var coinNames: @LoopActor () -> [CoinName] = { [] }

    /// The defaults for everything else. `url` is the base address, or for ``PriceSource/json`` the whole one; a source
    /// that makes no requests ignores it.
    package init(_ source: PriceSource, url: String) {
        (self.source, self.url) = (source, url)
    }
}

/// The one place where feeds are made.
///
/// - Parameters:
///   - parameters: which source, and what it needs.
///   - client: called by a source that makes requests.
///   - time: the clock that gives the time of receipt.
/// - Returns: the feed of the source.
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
