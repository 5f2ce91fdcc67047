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
        let window = Range(since: start, until: end)
        var reader = WindowReader(symbol, in: window)
        forEachRun(in: window) { run in
            guard run.isPlain else { return reader.samples(in: run, of: self).forEach(body) }
            guard let blockSymbol = reader.blockSymbol(run.blocks.lowerBound, of: self) else { return }
            blockSymbol.forEachSample(in: blockSymbol.rows(in: window), body)
        }
    }

    /// The last sample of a symbol at or before an instant; nil when there is none.
    package func sample(of symbol: Symbol, at time: WallTime) -> Sample? {
        let window = Range(through: time)
        var reader = WindowReader(symbol, in: window)
        for run in runsBackward(in: window) {
            if let last = reader.lastSample(in: run, of: self) { return last }
        }
        return nil
    }

    /// The last samples of a symbol, at most `count` of them, oldest first.
    package func lastSamples(of symbol: Symbol, count: Int) -> [Sample] {
        var reader = WindowReader(symbol, in: .allTimes)
        var parts: [[Sample]] = []
        var found = 0
        for run in runsBackward(in: .allTimes) where found < count {
            let part = reader.samples(in: run, of: self)
            found += part.count
            parts.append(part)
        }
        return parts.reversed().flatMap { $0 }.suffix(max(0, count))
    }
}

extension History {
    /// The symbols of all blocks that overlap a window, by name: a superset of those with a sample in it.
    package func symbols(since start: WallTime, until end: WallTime? = nil) -> [Symbol] {
        var found: Set<Symbol> = []
        for run in runsBackward(in: Range(since: start, until: end)) {
            for index in run.blocks {
                found.formUnion(index < sealed.count ? sealed[index].symbols : openBlock.symbols.symbols)
            }
        }
        return found.sorted()
    }

    /// The times of the first polls of a window, at most `count` of them, in order; no price is decoded.
    package func pollTimes(since start: WallTime, until end: WallTime? = nil, count: Int) -> [WallTime] {
        let window = Range(since: start, until: end)
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
