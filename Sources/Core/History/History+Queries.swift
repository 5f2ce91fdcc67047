package import Market
package import Time

extension History {
    /// Calls the body with the samples of a symbol in order of time, and of the same instant in order of arrival; never
    /// for an unknown symbol.
    ///
    /// - Parameters:
    ///   - symbol: the market.
    ///   - start: the wall time at which the window begins, inclusive.
    ///   - end: the wall time at which it ends, exclusive; nil for everything up to the newest.
    ///   - body: called with each sample.
    package func forEachSample(
        of symbol: Symbol, since start: WallTime, until end: WallTime? = nil, _ body: (Sample) -> Void
    ) {
        let window = Self.window(start, end)
        var finder = Finder(symbol)
        forEachRun(in: window) { run in
            guard run.isPlain else { return samples(in: run, window, &finder).forEach(body) }
            guard let blockSymbol = finder.blockSymbol(run.blocks.lowerBound, in: self) else { return }
            blockSymbol.forEachSample(in: blockSymbol.rows(in: window), body)
        }
    }

    /// The last sample of a symbol at or before an instant; nil when there is none.
    package func sample(of symbol: Symbol, at time: WallTime) -> Sample? {
        let window = Int64.min..<Self.next(time.milliseconds)
        var finder = Finder(symbol)
        for run in runsBackward(in: window) {
            if let last = lastSample(in: run, window, &finder) { return last }
        }
        return nil
    }

    private func lastSample(in run: Run, _ window: Range<Int64>, _ finder: inout Finder) -> Sample? {
        guard run.isPlain else { return samples(in: run, window, &finder).last }
        guard let blockSymbol = finder.blockSymbol(run.blocks.lowerBound, in: self) else { return nil }
        return blockSymbol.summary(in: window).map { blockSymbol.sample($0.last) }
    }

    /// The last samples of a symbol, at most `count` of them, oldest first.
    package func lastSamples(of symbol: Symbol, count: Int) -> [Sample] {
        var finder = Finder(symbol)
        var parts: [[Sample]] = []
        var found = 0
        for run in runsBackward(in: Self.everything) where found < count {
            let part = samples(in: run, Self.everything, &finder)
            found += part.count
            parts.append(part)
        }
        return parts.reversed().flatMap { $0 }.suffix(max(0, count))
    }

    /// The samples of a run, in the order of time.
    func samples(in run: Run, _ window: Range<Int64>, _ finder: inout Finder) -> [Sample] {
        var samples: [Sample] = []
        for block in run.blocks {
            guard let blockSymbol = finder.blockSymbol(block, in: self) else { continue }
            blockSymbol.forEachSample(in: 0..<blockSymbol.rowCount) { sample in
                if window.contains(sample.time.milliseconds) { samples.append(sample) }
            }
        }
        // The standard library's sort is stable: equal times keep their order.
        return run.isPlain ? samples : samples.sorted { $0.time < $1.time }
    }
}

extension History {
    /// The symbols of all blocks that overlap a window, by name: a superset of those with a sample in it.
    package func symbols(since start: WallTime, until end: WallTime? = nil) -> [Symbol] {
        var found: Set<Symbol> = []
        for run in runsBackward(in: Self.window(start, end)) {
            for index in run.blocks {
                guard index < sealed.count else {
                    found.formUnion(openBlock.symbols.symbols)
                    continue
                }
                for column in 0..<sealed[index].symbolCount {
                    if let symbol = sealed[index].symbol(ofColumn: column) { found.insert(symbol) }
                }
            }
        }
        return found.sorted()
    }

    /// The times of the first polls of a window, at most `count` of them, in order; no price is decoded.
    package func pollTimes(since start: WallTime, until end: WallTime? = nil, count: Int) -> [WallTime] {
        let window = Self.window(start, end)
        var times: [Int64] = []
        forEachRun(in: window) { run in
            guard times.count < count else { return }
            let all = run.blocks.flatMap { $0 < sealed.count ? sealed[$0].allTimes : openBlock.times }
            let inside = all.filter(window.contains)
            times += run.isPlain ? inside : inside.sorted()
        }
        return times.prefix(count).map { WallTime(milliseconds: $0) }
    }
}

extension History {
    static let everything = Int64.min..<Int64.max

    static func window(_ start: WallTime, _ end: WallTime?) -> Range<Int64> {
        start.milliseconds..<max(start.milliseconds, end?.milliseconds ?? .max)
    }

    static func next(_ time: Int64) -> Int64 { time == .max ? .max : time + 1 }
}

/// Finds a symbol in one block after another.
struct Finder {
    let symbol: Symbol
    /// Its column in the last block.
    private var column = 0

    init(_ symbol: Symbol) {
        self.symbol = symbol
    }

    /// The samples of the symbol in a block, or nil when there are none.
    mutating func blockSymbol(_ block: Int, in history: History) -> BlockSymbol? {
        guard block < history.sealed.count else {
            return history.openBlock.symbols.number(of: symbol).map { .open(history.openBlock, symbol: $0) }
        }
        let sealed = history.sealed[block]
        guard let number = sealed.column(of: symbol, guess: column), let found = sealed.column(number) else {
            return nil
        }
        column = number
        return .sealed(sealed, found)
    }
}
