package import EventLoop
package import Market
package import PriceSources

/// A feed that keeps only some markets of another feed, so that the others are not stored.
@LoopActor
package final class FilteredFeed: Feed {
    package var source: PriceSource { feed.source }
    package var url: String? { feed.url }

    private let feed: any Feed
    private let patterns: [SymbolPattern]
    private let section: String
    /// The symbols of recent responses: true for the kept symbols, false for all others.
    private var kept: [Symbol: Bool] = [:]

    /// - Parameters:
    ///   - feed: The feed with all markets.
    ///   - patterns: The patterns of markets to keep. A market is kept if one of them matches.
    ///   - section: The settings table that has the patterns.
    package init(_ feed: any Feed, keeping patterns: [SymbolPattern], of section: String) {
        self.feed = feed
        self.patterns = patterns
        self.section = section
    }

    package func poll() async throws(FeedFailure) -> TickerBatch {
        var batch = try await feed.poll()
        let count = batch.tickers.count
        if kept.count > count { kept.removeAll(keepingCapacity: true) }
        batch.tickers.removeAll { !keeps($0.symbol) }
        batch.coins.removeAll { !keeps($0.symbol) }
        guard !batch.tickers.isEmpty else {
            throw FeedFailure(
                .unusable, "none of the \(count) markets received matches `symbols`",
                advice: "correct `symbols` in \(section), or remove the line to keep all")
        }
        return batch
    }

    package func history(of identity: String, over period: PricePeriod) async throws(FeedFailure) -> CoinHistory {
        try await feed.history(of: identity, over: period)
    }

    package func forgetRefusal() {
        feed.forgetRefusal()
    }

    private func keeps(_ symbol: Symbol) -> Bool {
        if let known = kept[symbol] { return known }
        let isKept = patterns.contains { $0.matches(symbol) }
        kept[symbol] = isKept
        return isKept
    }
}
