package import Market
package import Time

/// A price of a symbol and when it was received.
package struct SymbolSample: Equatable, Sendable {
    package let symbol: Symbol
    package let time: WallTime
    /// Greater than 0.
    package let price: Price

    /// Makes a sample for ``History/merge(_:)``; `time` is when the price was received.
    package init(symbol: Symbol, time: WallTime, price: Price) {
        self.symbol = symbol
        self.time = time
        self.price = price
    }
}

/// The result of a merge; the counts add up to the number of samples given.
package struct MergeCounts: Equatable, Sendable {
    package var added = 0
    /// Samples that the history already has with the same price.
    package var duplicate = 0
    /// Samples that the history already has with another price. The existing price stays.
    package var conflicting = 0
    /// Samples that are older than the history keeps, or that do not fit.
    package var tooOld = 0

    /// Makes counts, by default all 0.
    package init(added: Int = 0, duplicate: Int = 0, conflicting: Int = 0, tooOld: Int = 0) {
        self.added = added
        self.duplicate = duplicate
        self.conflicting = conflicting
        self.tooOld = tooOld
    }
}

extension History {
    /// Inserts past samples, such as imported ones.
    ///
    /// A symbol has one price at an instant. An existing price stays; of several given prices for the same instant,
    /// the first is used. Merging the same samples again changes nothing. Blocks whose time span contains samples are
    /// rebuilt with new numbers; a block with free rows also accepts samples just outside its span. Each block is
    /// rebuilt once per call, so the cheapest calls have thousands of samples close together in time. A merge
    /// temporarily needs the memory of one decoded block: about 24 bytes per price, which is 5 MB for 450 symbols and
    /// 120 MB for the maximum number of symbols.
    ///
    /// - Parameter samples: the samples in any order; prices must be greater than 0.
    /// - Returns: how many samples were added, and how many were left out and why.
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

    /// Returns the index of the sealed block for a sample of the given time: the block whose span contains it, or else
    /// a neighbouring block with free rows. Returns nil if a new block is needed.
    private func target(of time: WallTime) -> Int? {
        let next = sealed.partitioningIndex { $0.oldest > time }
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
