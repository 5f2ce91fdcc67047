package import Market
package import Time

extension History {
    /// Calls the body with each sample of a symbol, in order of time; samples of the same instant are in order of
    /// arrival. An unknown symbol has no samples.
    ///
    /// - Parameters:
    ///   - symbol: the symbol to query.
    ///   - start: the start of the window, inclusive.
    ///   - end: the end of the window, exclusive; nil for everything up to the newest sample.
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

    /// Returns the last sample of a symbol at or before an instant, or nil if there is none.
    package func sample(of symbol: Symbol, at time: WallTime) -> Sample? {
        let window = Range(through: time)
        var reader = WindowReader(symbol, in: window)
        for run in runsBackward(in: window) {
            if let last = reader.lastSample(in: run, of: self) { return last }
        }
        return nil
    }

    /// Returns the last samples of a symbol, at most `count`, oldest first.
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
    /// Returns the symbols of all blocks that overlap a window, sorted. Some may have no sample in the window itself.
    package func symbols(since start: WallTime, until end: WallTime? = nil) -> [Symbol] {
        var found: Set<Symbol> = []
        for run in runsBackward(in: Range(since: start, until: end)) {
            for index in run.blocks {
                found.formUnion(index < sealed.count ? sealed[index].symbols : openBlock.symbols.symbols)
            }
        }
        return found.sorted()
    }

    /// Returns the times of the first polls in a window, at most `count`, in order. No price is decoded.
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
