package import EventLoop
package import Market
package import PriceSources
internal import Time

/// A made-up market in process, with the shape of the real one: 450 symbols, of which most are traded seldom, some
/// jump, and one is frozen.
///
/// The prices of a point in time depend on the seed and on the time since the first poll only, not on how often it is
/// asked in between.
///
/// ``swingingSymbol`` is there to try limits on: it swings around ``swingingLevel`` by 1 % either way, once in 42 s.
/// From the first poll on it is more than 0.3 % above from second 2 to 18 and more than 0.3 % below from second 24 to
/// 40, and so on, so that limits of that size are crossed within half a minute.
@LoopActor
package final class SimulatedFeed: Feed {
    /// The market that crosses limits soon.
    package nonisolated static let swingingSymbol = "btcinr"
    /// What it swings around, in INR.
    package nonisolated static let swingingLevel: Int64 = 7_500_000
    /// The market without trades and without a book.
    package nonisolated static let frozenSymbol = "paxginr"
    /// Steps are of a second; after a longer pause than this the rest of it is left out.
    private static let longestCatchUp: Int64 = 120

    package let source = PriceSource.simulator
    package let url: String? = nil

    private let time: any TimeSource
    private var random: SplitMix64
    private var markets: [SimulatedMarket]
    private var start: BootTime?
    /// Whole seconds since the start that the market has gone through.
    private var secondsDone: Int64 = 0

    /// Makes a market; the same seed gives the same prices.
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
        // As on the real exchange: whole seconds, and not quite new.
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
