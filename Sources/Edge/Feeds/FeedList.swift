package import EventLoop
package import PriceSources
internal import Time

/// The one place where feeds are made.
///
/// - Parameters:
///   - source: as `[feed] source` names it.
///   - url: where the interface of an exchange begins.
///   - seed: what a simulated market is made from.
///   - client: called by a source that makes requests.
///   - time: the clock that gives the time of receipt.
/// - Returns: the feed of the source.
@LoopActor
package func makeFeed(
    _ source: PriceSource, url: String, seed: UInt64, client: () -> any HTTPFetching, time: any TimeSource
) -> any Feed {
    switch source {
    case .wazirx: ExchangeFeed(source, url: url, decoder: WazirXDecoder(), client: client(), time: time)
    case .binance:
        ExchangeFeed(source, url: url, decoder: RecordDecoder(BinanceFormat()), client: client(), time: time)
    case .kraken: ExchangeFeed(source, url: url, decoder: RecordDecoder(KrakenFormat()), client: client(), time: time)
    case .simulator: SimulatedFeed(seed: seed, time: time)
    }
}
