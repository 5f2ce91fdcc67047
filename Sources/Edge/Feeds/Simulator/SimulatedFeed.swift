package import EventLoop
package import Market
package import PriceSources
internal import Time

/// A simulated market in this process, shaped like a real one: 450 symbols, most of which are rarely traded. Some
/// jump, and one is frozen.
///
/// Prices at a point in time depend only on the seed and the time since the first poll, not on the polls in between,
/// unless two polls are more than two minutes apart.
///
/// ``swingingSymbol`` is for trying out limits: it swings around ``swingingLevel`` by 1% in either direction, with a
/// period of 42 s. Counted from the first poll, it is more than 0.3% above the level from second 2 to 18, more than
/// 0.3% below it from second 24 to 40, and so on. Limits of that size are therefore crossed within half a minute.
@LoopActor
package final class SimulatedFeed: Feed {
    /// The symbol of a market that soon crosses limits.
    package nonisolated static let swingingSymbol = "btcinr"
    /// The level of ``swingingSymbol``, in INR.
    package nonisolated static let swingingLevel: Int64 = 7_500_000
    /// The symbol of the market without trades and without an order book.
    package nonisolated static let frozenSymbol = "paxginr"
    /// The maximum number of seconds that are simulated after a pause. The rest of the pause is skipped.
    private static let longestCatchUp: Int64 = 120

    package let source = PriceSource.simulator
    package let url: String? = nil

    private let time: any TimeSource
    private var random: SplitMix64
    private var markets: [SimulatedMarket]
    private var start: BootTime?
    /// The last whole second that was simulated or skipped, counted from the start.
    private var secondsDone: Int64 = 0

    /// Creates a market. The same seed gives the same prices.
    package init(seed: UInt64, time: any TimeSource) {
        self.time = time
        var random = SplitMix64(seed: seed)
        markets = Listing.all.compactMap { SimulatedMarket($0, random: &random) }
        self.random = random
    }

    package func poll() async throws(FeedFailure) -> TickerBatch {
        let now = time.now()
        let begin = start ?? now.boot
        start = begin
        let elapsed = max(.zero, now.boot.since(begin))
        advance(to: elapsed.count / 1_000)
        // As on the real exchange, times are whole seconds and slightly in the past.
        let (seconds, _) = (now.wall.milliseconds / 1_000).subtractingReportingOverflow(1)
        let made = WallTime(milliseconds: seconds * 1_000)
        let tickers = markets.indices.map { index in
            markets[index].swing(at: elapsed)
            return markets[index].ticker(made: made)
        }
        return TickerBatch(tickers: tickers, received: now)
    }

    private func advance(to second: Int64) {
        secondsDone = max(secondsDone, second - Self.longestCatchUp)
        while secondsDone < second {
            secondsDone += 1
            for index in markets.indices { markets[index].step(second: secondsDone, random: &random) }
        }
    }
}
