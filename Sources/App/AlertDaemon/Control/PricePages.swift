internal import Control
internal import History
internal import Market
internal import Time

/// Prices in pages of bounded size, as the control interface gives them.
extension History {
    /// Prices of a symbol one by one, at most `limit`, but all of one instant.
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

    /// The last prices of a symbol in a window.
    func lastPrices(of symbol: Symbol, since start: WallTime, until end: WallTime?, count: Int) -> [PricePoint] {
        if end.map({ end in newest.map { $0 < end } ?? true }) ?? true {
            return lastSamples(of: symbol, count: count).filter { $0.time >= start }.map(PricePoint.init)
        }
        var samples: [Sample] = []
        forEachSample(of: symbol, since: start, until: end) { samples.append($0) }
        return samples.suffix(count).map(PricePoint.init)
    }

    /// The steps of a symbol, as many as begin in the time of `limit` steps after the first price that is kept.
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

    /// Where the step of a time begins.
    private func stepStart(of time: WallTime, _ step: Milliseconds, _ offset: Milliseconds) -> WallTime {
        let rest = (time.milliseconds &- offset.count) % step.count
        return WallTime(milliseconds: time.milliseconds &- (rest < 0 ? rest &+ step.count : rest))
    }

    /// The prices of all symbols that are wanted, in the order of time and then of names: `limit` of them, and all of
    /// one instant.
    func rows(
        since start: WallTime, until end: WallTime?, limit: Int, wants: (Symbol) -> Bool
    ) -> (rows: [PriceRow], next: WallTime?) {
        var collected: [(time: WallTime, symbol: Symbol, price: Price)] = []
        var next: WallTime? = start
        while let begin = next, collected.count < limit {
            let (stop, symbols) = blockSymbol(from: begin, until: end, limit: limit, wants: wants)
            for symbol in symbols {
                forEachSample(of: symbol, since: begin, until: stop) { collected.append(($0.time, symbol, $0.price)) }
            }
            next = stop.flatMap { stop in end.map { stop < $0 } ?? true ? stop : nil }
        }
        // The library's sort keeps the order of equal times, which is that of the names.
        collected.sort { $0.time < $1.time }
        if collected.count > limit,
            let cut = collected[limit...].firstIndex(where: { $0.time != collected[limit - 1].time })
        {
            next = collected[cut].time
            collected.removeSubrange(cut...)
        }
        return (Self.rows(collected), next)
    }

    /// A blockSymbol of time with about as many prices as there is room for, and the symbols that may be in it. It ends
    /// with the window, or with the kept prices (nil), if those come first.
    private func blockSymbol(
        from start: WallTime, until end: WallTime?, limit: Int, wants: (Symbol) -> Bool
    ) -> (stop: WallTime?, symbols: [Symbol]) {
        guard let first = pollTimes(since: start, until: end, count: 1).first else { return (nil, []) }
        let here = symbols(since: first, until: WallTime(milliseconds: first.milliseconds + 1)).count(where: wants)
        // Polls that follow may have many more symbols: 256 of 10,000 symbols are some 100 MB for a moment, and some
        // 5 MB of the 500 that there are.
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
