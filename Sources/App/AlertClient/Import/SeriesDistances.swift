internal import Market
internal import Time

/// The distances in time between successive prices of each symbol.
struct SeriesDistances {
    /// The maximum number of different distances that are counted, which need about 40 MB. The distances of irregular
    /// prices are nearly all different; this many are enough to find the most frequent one.
    private static let limit = 1_000_000

    private var series: [Symbol: Series] = [:]
    private var count = 0

    fileprivate struct Series {
        /// The time of the last price, in milliseconds since 1970.
        var last: Int64
        /// The number of occurrences of each distance in milliseconds.
        var counts: [Int64: Int] = [:]
        /// The last distance, which is usually also the next one. ``run`` is the number of its latest repetitions,
        /// which ``counts`` does not include yet.
        var current: Int64 = 0
        var run = 0
    }

    /// Records the time of a price, in milliseconds since 1970. Prices at the same time have no distance.
    mutating func record(_ symbol: Symbol, _ time: Int64) {
        guard let index = series.index(forKey: symbol) else {
            series[symbol] = Series(last: time)
            return
        }
        let distance = abs(time - series.values[index].last)
        guard distance != 0 else { return }
        series.values[index].last = time
        if distance != series.values[index].current { finishRun(index, before: distance) }
        series.values[index].run += 1
    }

    private mutating func finishRun(_ index: Dictionary<Symbol, Series>.Index, before next: Int64) {
        count += series.values[index].finishRun(isFull: count >= Self.limit)
        series.values[index].current = next
    }

    /// The most frequent distance of each symbol, or the smaller of two that are equally frequent. Symbols with fewer
    /// than two prices have none.
    var usual: [Symbol: Milliseconds] {
        series.compactMapValues { series in
            var series = series
            _ = series.finishRun(isFull: false)
            return series.counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { Milliseconds($0.key) }
        }
    }
}

extension SeriesDistances.Series {
    /// Adds the run of equal distances to the counts.
    ///
    /// - Parameter isFull: True to ignore a distance that was never seen before.
    /// - Returns: The number of distances added that were never seen before: 0 or 1.
    fileprivate mutating func finishRun(isFull: Bool) -> Int {
        defer { run = 0 }
        guard run > 0 else { return 0 }
        if let known = counts[current] {
            counts[current] = known + run
            return 0
        }
        guard !isFull else { return 0 }
        counts[current] = run
        return 1
    }
}
