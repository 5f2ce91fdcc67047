package import Market
package import Time

/// A price of a symbol and when it was received.
package struct SymbolSample: Equatable, Sendable {
    package let symbol: Symbol
    package let time: WallTime
    /// The price; greater than 0.
    package let price: Price

    /// A price of the past to merge into history; the time is when it was received.
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

    /// Counts of prices, all of them 0 at first.
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
        var candidates = MergeCandidates(samples)
        candidates.removeTooOld(for: self)
        candidates.removeKnown(to: self)
        candidates.removeRepeated()
        var counts = candidates.counts
        let rest = candidates.samples
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
