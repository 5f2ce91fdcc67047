internal import Control
internal import History
internal import Market
internal import Time

/// Prices in pages of limited size, for the control interface.
extension History {
    /// Returns single prices of a symbol, oldest first: about `limit` of them. Prices of the same instant are never
    /// split between pages.
    func prices(
        of symbol: Symbol, since start: WallTime, until end: WallTime?, limit: Int
    ) -> (prices: [PricePoint], next: WallTime?) {
        var prices: [PricePoint] = []
        var last: WallTime?
        var next: WallTime?
        forEachSample(of: symbol, since: start, until: end) { sample in
            guard next == nil else { return }
            guard prices.count < limit || sample.time == last else {
                next = sample.time
                return
            }
            prices.append(PricePoint(sample))
            last = sample.time
        }
        return (prices, next)
    }

    /// Returns the last prices of a symbol in a window.
    func lastPrices(of symbol: Symbol, since start: WallTime, until end: WallTime?, count: Int) -> [PricePoint] {
        if end.map({ end in newest.map { $0 < end } ?? true }) ?? true {
            return lastSamples(of: symbol, count: count).filter { $0.time >= start }.map(PricePoint.init)
        }
        var samples: [Sample] = []
        forEachSample(of: symbol, since: start, until: end) { samples.append($0) }
        return samples.suffix(count).map(PricePoint.init)
    }

    /// Returns a page of bars of a symbol: those that begin within `limit` steps after `start`, or after the oldest
    /// kept price if that is later. `next` is the start of the next page, or nil after the last one.
    func barPage(
        of symbol: Symbol, since start: WallTime, until end: WallTime, step: Milliseconds, offset: Milliseconds,
        limit: Int
    ) -> (bars: [PriceBar], next: WallTime?) {
        guard let oldest, let newest else { return ([], nil) }
        let first = max(start, stepStart(of: oldest, step, offset))
        let length = step.times(Int64(limit))
        let (sum, isOver) = first.milliseconds.addingReportingOverflow(length.count)
        let pageEnd = isOver ? end : min(end, WallTime(milliseconds: sum))
        let bars = bars(of: symbol, since: first, until: pageEnd, step: step, offset: offset)
        return (bars.map(PriceBar.init), pageEnd < end && pageEnd <= newest ? pageEnd : nil)
    }

    /// Returns the start of the step that contains a time.
    private func stepStart(of time: WallTime, _ step: Milliseconds, _ offset: Milliseconds) -> WallTime {
        let rest = (time.milliseconds &- offset.count) % step.count
        return WallTime(milliseconds: time.milliseconds &- (rest < 0 ? rest &+ step.count : rest))
    }

    /// Returns the prices of all matching symbols, ordered by time and then by name. There are about `limit` of them;
    /// prices of the same instant are never split between pages.
    func rows(
        since start: WallTime, until end: WallTime?, limit: Int, wants: (Symbol) -> Bool
    ) -> (rows: [PriceRow], next: WallTime?) {
        var collected: [(time: WallTime, symbol: Symbol, price: Price)] = []
        var next: WallTime? = start
        while let begin = next, collected.count < limit {
            let (stop, symbols) = span(from: begin, until: end, limit: limit, wants: wants)
            for symbol in symbols {
                forEachSample(of: symbol, since: begin, until: stop) { collected.append(($0.time, symbol, $0.price)) }
            }
            next = stop.flatMap { stop in end.map { stop < $0 } ?? true ? stop : nil }
        }
        // The sort of the standard library is stable, so equal times keep the order of the names.
        collected.sort { $0.time < $1.time }
        if collected.count > limit,
            let cut = collected[limit...].firstIndex(where: { $0.time != collected[limit - 1].time })
        {
            next = collected[cut].time
            collected.removeSubrange(cut...)
        }
        return (Self.rows(collected), next)
    }

    /// Returns the end of a time span that has about `limit` prices, and the symbols that may have prices in it. The
    /// end is at most `end`; nil means that the span has no end.
    private func span(
        from start: WallTime, until end: WallTime?, limit: Int, wants: (Symbol) -> Bool
    ) -> (stop: WallTime?, symbols: [Symbol]) {
        guard let first = pollTimes(since: start, until: end, count: 1).first else { return (nil, []) }
        let here = symbols(since: first, until: WallTime(milliseconds: first.milliseconds + 1)).count(where: wants)
        // The number of polls is limited because later polls may have many more symbols: 256 polls of 10,000 symbols
        // need about 100 MB for a moment, and of the usual 500 symbols about 5 MB.
        let polls = min(256, max(1, limit / max(1, here)))
        let times = pollTimes(since: first, until: end, count: polls + 1)
        let stop =
            times.count > polls ? times.last.map { max($0, WallTime(milliseconds: first.milliseconds + 1)) } : end
        return (stop, symbols(since: first, until: stop).filter(wants))
    }

    private static func rows(_ prices: [(time: WallTime, symbol: Symbol, price: Price)]) -> [PriceRow] {
        var rows: [PriceRow] = []
        var last: WallTime?
        for (time, symbol, price) in prices {
            if time != last { rows.append(PriceRow(time: time.description, symbols: [], prices: [])) }
            rows[rows.count - 1].symbols.append(symbol.description)
            rows[rows.count - 1].prices.append(price.description)
            last = time
        }
        return rows
    }
}

extension PricePoint {
    fileprivate init(_ sample: Sample) {
        self.init(time: sample.time.description, price: sample.price.description)
    }
}

extension PriceBar {
    fileprivate init(_ bar: Bar) {
        self.init(
            time: bar.start.description, open: bar.open.description, high: bar.high.description,
            low: bar.low.description, close: bar.close.description, samples: bar.count)
    }
}
