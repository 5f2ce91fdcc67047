internal import Market
internal import Time

/// How far apart the successive prices of each symbol are.
struct SeriesDistances {
    /// Distances of irregular prices are nearly all different; what is usual shows among this many: about 40 MB.
    private static let limit = 1_000_000

    private var series: [Symbol: Series] = [:]
    private var count = 0

    fileprivate struct Series {
        /// Milliseconds since 1970.
        var last: Int64
        /// By the distance in milliseconds: how many there are of it.
        var counts: [Int64: Int] = [:]
        /// The distance noted last, which is usually also the next one, and how many of it are not in ``counts`` yet.
        var current: Int64 = 0
        var run = 0
    }

    /// Notes the time of a price, in milliseconds since 1970. Prices at the same time have no distance.
    mutating func note(_ symbol: Symbol, _ time: Int64) {
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

    /// The most frequent distance of each symbol, the smaller of equals; symbols with fewer than two prices have none.
    var usual: [Symbol: Milliseconds] {
        series.compactMapValues { series in
            var series = series
            _ = series.finishRun(isFull: false)
            return series.counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { Milliseconds($0.key) }
        }
    }
}

extension SeriesDistances.Series {
    /// Counts the run of equal distances.
    ///
    /// - Parameter isFull: Whether distances that were never seen are left out.
    /// - Returns: How many distances were never seen before.
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
