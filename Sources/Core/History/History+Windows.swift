package import Market
package import Time

extension History {
    /// Returns the lowest, highest, first and last price of a symbol in a window.
    ///
    /// Only blocks that are partly inside the window are decoded: one at each end.
    ///
    /// - Parameters:
    ///   - symbol: the symbol to query.
    ///   - start: the start of the window, inclusive.
    ///   - end: the end of the window, exclusive; nil for everything up to the newest sample.
    /// - Returns: nil if the window has no sample.
    package func statistics(of symbol: Symbol, since start: WallTime, until end: WallTime? = nil) -> WindowStatistics? {
        let window = Range(since: start, until: end)
        var reader = WindowReader(symbol, in: window)
        var found = Extremes()
        forEachRun(in: window) { run in
            guard run.isPlain else { return found.add(reader.samples(in: run, of: self)) }
            let block = run.blocks.lowerBound
            guard let summary = reader.blockSymbol(block, of: self)?.summary(in: window) else { return }
            found.add(summary, block: block)
        }
        return found.statistics { place in
            switch place {
            case .sample(let sample): sample
            case .row(let place, let block): reader.blockSymbol(block, of: self)?.sample(place)
            }
        }
    }

    /// Returns the open, high, low and close of a symbol for each step of a window, for charts. Steps without a sample
    /// are omitted, not filled in.
    ///
    /// A block that is entirely inside one step is not decoded.
    ///
    /// - Parameters:
    ///   - symbol: the symbol to query.
    ///   - start: the start of the window, inclusive; earlier samples belong to no step.
    ///   - end: the end of the window, exclusive; nil for everything up to the newest sample.
    ///   - step: the length of a step, at least 1 ms; steps begin at multiples of it since 1970.
    ///   - offset: a shift of the steps to a later time, so that days can follow a time zone.
    /// - Returns: a bar for each step with a sample, oldest first.
    package func bars(
        of symbol: Symbol, since start: WallTime, until end: WallTime? = nil, step: Milliseconds,
        offset: Milliseconds = .zero
    ) -> [Bar] {
        let window = Range(since: start, until: end)
        var reader = WindowReader(symbol, in: window)
        var bars = BarBuilder(step: max(1, step.count), offset: offset.count % max(1, step.count))
        forEachRun(in: window) { run in
            guard run.isPlain else {
                return reader.samples(in: run, of: self).forEach { bars.add($0) }
            }
            guard let blockSymbol = reader.blockSymbol(run.blocks.lowerBound, of: self) else { return }
            if case .sealed(_, let column) = blockSymbol, window.contains(run.oldest), window.contains(run.newest),
                bars.start(of: run.oldest) == bars.start(of: run.newest)
            {
                return bars.add(column, at: run.oldest)
            }
            blockSymbol.forEachSample(in: blockSymbol.rows(in: window)) { bars.add($0) }
        }
        return bars.bars
    }
}

/// The extremes of a window during a scan. They refer to rows, whose times are looked up only at the end.
private struct Extremes {
    enum Place {
        case row(RowSummary.Place, block: Int)
        case sample(Sample)

        var price: Price {
            switch self {
            case .row(let place, _): place.price
            case .sample(let sample): sample.price
            }
        }
    }

    private var count = 0
    private var first: Place?
    private var last: Place?
    private var lowest: Place?
    private var highest: Place?

    mutating func add(_ summary: RowSummary, block: Int) {
        count += summary.count
        last = .row(summary.last, block: block)
        if first == nil { first = .row(summary.first, block: block) }
        addLowest(.row(summary.lowest, block: block))
        addHighest(.row(summary.highest, block: block))
    }

    mutating func add(_ samples: [Sample]) {
        count += samples.count
        if first == nil { first = samples.first.map { .sample($0) } }
        for sample in samples {
            last = .sample(sample)
            addLowest(.sample(sample))
            addHighest(.sample(sample))
        }
    }

    private mutating func addLowest(_ place: Place) {
        if lowest.map({ place.price.isBelow($0.price) }) ?? true { lowest = place }
    }

    private mutating func addHighest(_ place: Place) {
        if highest.map({ $0.price.isBelow(place.price) }) ?? true { highest = place }
    }

    func statistics(_ sample: (Place) -> Sample?) -> WindowStatistics? {
        guard let first = first.flatMap(sample), let last = last.flatMap(sample), let lowest = lowest.flatMap(sample),
            let highest = highest.flatMap(sample)
        else { return nil }
        return WindowStatistics(count: count, first: first, last: last, lowest: lowest, highest: highest)
    }
}

/// A builder of bars from samples in order of time.
private struct BarBuilder {
    private let step: Int64
    /// Less than a step, so that differences between times in the history do not overflow.
    private let offset: Int64
    private var finished: [Bar] = []
    private var start = Int64.min
    private var count = 0
    private var (open, high, low, close) = (Price.zero, Price.zero, Price.zero, Price.zero)

    init(step: Int64, offset: Int64) {
        self.step = step
        self.offset = offset
    }

    /// All bars, including the unfinished last one.
    var bars: [Bar] { count == 0 ? finished : finished + [current] }

    private var current: Bar {
        Bar(start: WallTime(milliseconds: start), count: count, open: open, high: high, low: low, close: close)
    }

    /// Returns the start of the step that contains the given time.
    func start(of time: Int64) -> Int64 {
        let rest = (time &- offset) % step
        return time &- (rest < 0 ? rest &+ step : rest)
    }

    @inline(__always)
    mutating func add(_ sample: Sample) {
        begin(at: sample.time.milliseconds, sample.price)
        count &+= 1
        close = sample.price
        if high.isBelow(close) { high = close }
        if close.isBelow(low) { low = close }
    }

    mutating func add(_ column: PriceColumn, at time: Int64) {
        let summary = column.summary
        begin(at: time, column.written(summary.first.price))
        count += summary.count
        close = column.written(summary.last.price)
        let (lowest, highest) = (column.written(summary.lowest.price), column.written(summary.highest.price))
        if high.isBelow(highest) { high = highest }
        if lowest.isBelow(low) { low = lowest }
    }

    /// Begins a bar unless the time is in the current one.
    @inline(__always)
    private mutating func begin(at time: Int64, _ price: Price) {
        guard count == 0 || time &- start >= step || time < start else { return }
        if count > 0 { finished.append(current) }
        start = start(of: time)
        count = 0
        (open, high, low) = (price, price, price)
    }
}
