package import Market

extension History {
    /// Lowest, highest, first and last price of a symbol in a window; nil when there is no sample in it.
    ///
    /// Only blocks that lie partly inside are decoded: one at each end.
    ///
    /// - Parameters:
    ///   - symbol: of which market.
    ///   - start: on the wall clock; a sample received then belongs to it.
    ///   - end: a sample received then does not belong to it; nil for all to the newest.
    /// - Returns: nil when there is no sample.
    package func statistics(of symbol: Symbol, since start: WallTime, until end: WallTime? = nil) -> WindowStatistics? {
        let window = Self.window(start, end)
        var finder = Finder(symbol)
        var found = Extremes()
        forEachRun(in: window) { run in
            guard run.isPlain else {
                return samples(in: run, window, &finder).forEach { found.add($0.price, .at($0.time)) }
            }
            let block = run.blocks.lowerBound
            guard let stretch = finder.stretch(block, in: self) else { return }
            if case .sealed(_, let column) = stretch, window.contains(run.oldest), window.contains(run.newest) {
                return found.add(column, block: block)
            }
            stretch.forEachPrice(in: stretch.rows(in: window)) { row, price in
                found.add(price, .row(row, block: block))
            }
        }
        return found.statistics { price, place in
            switch place {
            case .at(let time): return Sample(time: time, price: price)
            case .row(let row, let block):
                guard let stretch = finder.stretch(block, in: self) else { return nil }
                return Sample(time: WallTime(milliseconds: stretch.time(ofRow: row)), price: stretch.written(price))
            }
        }
    }

    /// Open, highest, lowest and last price of a symbol for each step of a window, for charts. A step without a sample
    /// is left out: no price is invented.
    ///
    /// A block that lies inside one step is not decoded.
    ///
    /// - Parameters:
    ///   - symbol: of which market.
    ///   - start: on the wall clock; a sample received then belongs to the window, one before it to no step.
    ///   - end: a sample received then does not belong to it; nil for all to the newest.
    ///   - step: the length of a step, at least 1 ms; steps begin at its multiples since 1970.
    ///   - offset: how much later than that they begin, so that days can be those of a time zone.
    /// - Returns: a bar for each step with a sample, oldest first.
    package func bars(
        of symbol: Symbol, since start: WallTime, until end: WallTime? = nil, step: Milliseconds,
        offset: Milliseconds = .zero
    ) -> [Bar] {
        let window = Self.window(start, end)
        var finder = Finder(symbol)
        var bars = BarBuilder(step: max(1, step.count), offset: offset.count % max(1, step.count))
        forEachRun(in: window) { run in
            guard run.isPlain else {
                return samples(in: run, window, &finder).forEach { bars.add($0) }
            }
            guard let stretch = finder.stretch(run.blocks.lowerBound, in: self) else { return }
            if case .sealed(_, let column) = stretch, window.contains(run.oldest), window.contains(run.newest),
                bars.start(of: run.oldest) == bars.start(of: run.newest)
            {
                return bars.add(column, at: run.oldest)
            }
            stretch.forEachSample(in: stretch.rows(in: window)) { bars.add($0) }
        }
        return bars.bars
    }
}

/// The extremes of a window while it is gone through, and where they are: times are looked up at the end.
private struct Extremes {
    enum Place {
        case row(Int, block: Int)
        case at(WallTime)
    }

    typealias Found = (price: Price, place: Place)

    private var count = 0
    private var first: Found?
    private var last: Found?
    private var lowest: Found?
    private var highest: Found?

    @inline(__always)
    mutating func add(_ price: Price, _ place: Place) {
        count += 1
        last = (price, place)
        if first == nil { first = last }
        addLowest(price, place)
        addHighest(price, place)
    }

    mutating func add(_ column: PriceColumn, block: Int) {
        count += column.count
        last = (column.last, .row(column.lastRow, block: block))
        if first == nil { first = (column.first, .row(column.firstRow, block: block)) }
        addLowest(column.lowest, .row(column.lowestRow, block: block))
        addHighest(column.highest, .row(column.highestRow, block: block))
    }

    @inline(__always)
    private mutating func addLowest(_ price: Price, _ place: Place) {
        if lowest.map({ price < $0.price }) ?? true { lowest = (price, place) }
    }

    @inline(__always)
    private mutating func addHighest(_ price: Price, _ place: Place) {
        if highest.map({ price > $0.price }) ?? true { highest = (price, place) }
    }

    func statistics(_ sample: (Price, Place) -> Sample?) -> WindowStatistics? {
        let samples = [first, last, lowest, highest].compactMap { $0 }.compactMap { sample($0.price, $0.place) }
        guard samples.count == 4 else { return nil }
        return WindowStatistics(
            count: count, first: samples[0], last: samples[1], lowest: samples[2], highest: samples[3])
    }
}

/// Makes bars of samples that come in the order of time.
private struct BarBuilder {
    let step: Int64
    /// Smaller than a step, so that a difference of times that are kept does not overflow.
    let offset: Int64
    private(set) var bars: [Bar] = []

    init(step: Int64, offset: Int64) {
        self.step = step
        self.offset = offset
    }

    /// Where the step of a time begins.
    func start(of time: Int64) -> Int64 {
        let rest = (time &- offset) % step
        return time &- (rest < 0 ? rest &+ step : rest)
    }

    mutating func add(_ sample: Sample) {
        add(
            Bar(
                start: WallTime(milliseconds: start(of: sample.time.milliseconds)), count: 1, open: sample.price,
                high: sample.price, low: sample.price, close: sample.price))
    }

    mutating func add(_ column: PriceColumn, at time: Int64) {
        add(
            Bar(
                start: WallTime(milliseconds: start(of: time)), count: column.count, open: column.written(column.first),
                high: column.written(column.highest), low: column.written(column.lowest),
                close: column.written(column.last)))
    }

    private mutating func add(_ next: Bar) {
        guard let bar = bars.last, bar.start == next.start else { return bars.append(next) }
        bars[bars.count - 1] = Bar(
            start: bar.start, count: bar.count + next.count, open: bar.open,
            high: next.high > bar.high ? next.high : bar.high, low: next.low < bar.low ? next.low : bar.low,
            close: next.close)
    }
}
