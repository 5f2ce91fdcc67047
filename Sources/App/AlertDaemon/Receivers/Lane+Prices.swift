internal import Engine
internal import History
internal import Market
internal import Notifications
internal import Time

extension Lane {
    /// Adds the prices after a time, oldest first, as far as the limit allows; without a time, only the newest ones.
    ///
    /// While the source is stale, its markets have no price.
    func addPrices(of symbols: [SymbolPattern]?, after position: WallTime?, limit: Int, to batch: inout PriceBatch) {
        guard let current = self.batch, !engine.isFeedStale else { return }
        let chosen = current.tickers.filter { ticker in
            guard ticker.last != nil else { return false }
            guard let symbols else { return engine.isNamed(ticker.symbol) || engine.alertCount(of: ticker.symbol) > 0 }
            return symbols.contains { $0.matches(ticker.symbol) }
        }
        let keys = chosen.map { PriceSeries.Key(source: name, symbol: $0.symbol, quote: $0.quote) }
        batch.open.formUnion(keys)
        let newest = current.received.wall
        let begin = position.map { WallTime(milliseconds: $0.milliseconds + 1) } ?? newest
        let count = max(1, limit / max(1, chosen.count))
        let times = history.pollTimes(since: begin, until: nil, count: count + 1)
        guard let end = times.prefix(count).last else { return }
        batch.hasMore = batch.hasMore || times.count > count
        batch.positions[name] = end
        if times == [newest] {
            // Usually only the last response is new, so the history is not needed.
            for (ticker, key) in zip(chosen, keys) {
                batch.series.append(PriceSeries(key, [PriceSeries.Sample(ticker.last, at: newest)]))
            }
            return
        }
        for key in keys {
            var samples: [PriceSeries.Sample] = []
            let after = WallTime(milliseconds: end.milliseconds + 1)
            history.forEachSample(of: key.symbol, since: begin, until: after) { sample in
                if samples.last?.time != sample.time {
                    samples.append(PriceSeries.Sample(sample.price, at: sample.time))
                }
            }
            if !samples.isEmpty { batch.series.append(PriceSeries(key, samples)) }
        }
    }
}
