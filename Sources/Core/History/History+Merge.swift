package import Market
package import Time

/// A price of a symbol and when it was received.
package struct SymbolSample: Equatable, Sendable {
    package let symbol: Symbol
    package let time: WallTime
    /// The price; greater than 0.
    package let price: Price

    package init(symbol: Symbol, time: WallTime, price: Price) {
        self.symbol = symbol
        self.time = time
        self.price = price
    }
}

/// The result of a merge; the counts add up to the number of samples given.
package struct MergeCounts: Equatable, Sendable {
    /// Samples that were added.
    package var added = 0
    /// Samples that were already there, with the same price.
    package var duplicate = 0
    /// Samples that were already there with another price, which is kept.
    package var conflicting = 0
    /// Samples older than what is kept, or without room.
    package var tooOld = 0

    package init(added: Int = 0, duplicate: Int = 0, conflicting: Int = 0, tooOld: Int = 0) {
        self.added = added
        self.duplicate = duplicate
        self.conflicting = conflicting
        self.tooOld = tooOld
    }
}

extension History {
    /// Inserts samples of earlier times, such as imported ones.
    ///
    /// A symbol has one price at an instant: existing prices are kept, and of several given ones the first is used.
    /// Merging the same samples again changes nothing. Blocks whose time span the samples fall into are rebuilt with
    /// new numbers; a block that is not full also takes samples just outside its span. Each block is rebuilt once per
    /// call, so calls with thousands of samples close together in time are the cheapest. While it runs it also needs
    /// the memory of one decoded block: about 24 bytes per price, 5 MB for 450 symbols, 120 MB for the most symbols
    /// possible.
    ///
    /// - Parameter samples: in any order; prices are greater than 0.
    /// - Returns: how many samples were added and how many were not.
    package mutating func merge(_ samples: [SymbolSample]) -> MergeCounts {
        var counts = MergeCounts()
        // The standard library's sort is stable: of equal samples the first given stays first.
        var rest = samples.sorted { ($0.time, $0.symbol) < ($1.time, $1.symbol) }
        removeTooOld(from: &rest, &counts)
        removeKnown(from: &rest, &counts)
        removeRepeated(from: &rest, &counts)
        guard let last = rest.last else { return counts }
        if openBlock.rowCount > 0, last.time.milliseconds >= openBlock.oldest { seal() }
        var begin = 0
        while begin < rest.count {
            let target = target(of: rest[begin].time)
            let end = rest[begin...].firstIndex { self.target(of: $0.time) != target } ?? rest.count
            put(rest[begin..<end], into: target)
            dropOldest()
            begin = end
        }
        let kept = oldest.map { oldest in rest.count { $0.time >= oldest } } ?? 0
        counts.added += kept
        counts.tooOld += rest.count - kept
        return counts
    }

    private func removeTooOld(from samples: inout [SymbolSample], _ counts: inout MergeCounts) {
        guard let last = samples.last else { return }
        let newest = max(self.newest ?? last.time, last.time)
        let count = samples.prefix { newest.since($0.time) > capacity.keep }.count
        samples.removeFirst(count)
        counts.tooOld += count
    }

    private func removeRepeated(from samples: inout [SymbolSample], _ counts: inout MergeCounts) {
        var result: [SymbolSample] = []
        result.reserveCapacity(samples.count)
        for sample in samples {
            if let last = result.last, last.time == sample.time, last.symbol == sample.symbol {
                counts.note(isSame: last.price == sample.price)
            } else {
                result.append(sample)
            }
        }
        samples = result
    }

    /// Looks into every block whose time span contains some of the samples.
    private func removeKnown(from samples: inout [SymbolSample], _ counts: inout MergeCounts) {
        guard let first = samples.first, let last = samples.last else { return }
        var isKnown = [Bool](repeating: false, count: samples.count)
        forEachRun(in: first.time.milliseconds..<Self.next(last.time.milliseconds)) { run in
            for block in run.blocks {
                noteKnown(samples, in: block, &isKnown, &counts)
            }
        }
        samples = zip(samples, isKnown).filter { !$0.1 }.map { $0.0 }
    }

    private func noteKnown(
        _ samples: [SymbolSample], in block: Int, _ isKnown: inout [Bool], _ counts: inout MergeCounts
    ) {
        let (oldest, newest, _) = extent(ofBlock: block)
        let start = samples.firstPlace { $0.time.milliseconds >= oldest }
        let end = samples.firstPlace { $0.time.milliseconds > newest }
        for (symbol, places) in Dictionary(grouping: start..<max(start, end), by: { samples[$0].symbol }) {
            var finder = Finder(symbol)
            guard let blockSymbol = finder.blockSymbol(block, in: self) else { continue }
            var there: [Sample] = []
            blockSymbol.forEachSample(in: 0..<blockSymbol.rowCount) { there.append($0) }
            if !isSorted(block) { there.sort { $0.time < $1.time } }
            var next = 0
            for place in places where !isKnown[place] {
                while next < there.count, there[next].time < samples[place].time { next += 1 }
                let same = there[next...].prefix { $0.time == samples[place].time }
                guard !same.isEmpty else { continue }
                isKnown[place] = true
                counts.note(isSame: same.contains { $0.price == samples[place].price })
            }
        }
    }

    /// The sealed block that takes a sample of a time: the one whose span contains it, or one before or after it that
    /// is not full; nil for a new one.
    private func target(of time: WallTime) -> Int? {
        let next = sealed.firstPlace { $0.oldest > time }
        if next > 0, sealed[next - 1].newest >= time || !isFull(sealed[next - 1]) { return next - 1 }
        return next < sealed.count && !isFull(sealed[next]) ? next : nil
    }

    private func isFull(_ block: HistoryBlock) -> Bool {
        block.rowCount >= rowLimit(columns: block.symbolCount)
    }

    private mutating func put(_ samples: ArraySlice<SymbolSample>, into target: Int?) {
        let old = target.map { sealed[$0] }
        let columns = (old?.symbolCount ?? 0) + Set(samples.map(\.symbol)).count
        var maker = BlockMaker(rowLimit: rowLimit(columns: columns), firstID: nextID)
        maker.add(old, samples)
        if let target { removeBlock(at: target) }
        for block in maker.blocks { insert(block) }
    }
}

extension MergeCounts {
    fileprivate mutating func note(isSame: Bool) {
        if isSame { duplicate += 1 } else { conflicting += 1 }
    }
}

extension Array {
    /// The first index for which the condition holds; it must not hold for any index before it.
    fileprivate func firstPlace(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
