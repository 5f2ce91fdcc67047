internal import Market
internal import Time

/// One block, or several blocks whose times overlap because the clock was set back. Runs never overlap each other.
/// Blocks are identified by their index in `sealed`; the open block has the index after the last one.
struct Run {
    let blocks: Range<Int>
    let oldest: Int64
    let newest: Int64
    /// True if the run is one block whose rows are in order of time, so that it can be read row by row.
    let isPlain: Bool
}

extension History {
    /// Calls the body with each run that overlaps the window, in order of time.
    @inline(__always)
    func forEachRun(in window: Range<Int64>, _ body: (Run) -> Void) {
        guard !isInOrder else { return forEachBlock(in: window, body) }
        let total = sealed.count + (openBlock.rowCount > 0 ? 1 : 0)
        let tail = firstBlockReachingIntoOpen
        var next = 0
        while next < total {
            let start = next
            var (oldest, newest, isPlain) = extent(ofBlock: start)
            next += 1
            while next < total {
                let block = extent(ofBlock: next)
                guard block.oldest < newest || next > tail else { break }
                (oldest, newest, isPlain) = (min(oldest, block.oldest), max(newest, block.newest), false)
                next += 1
            }
            guard oldest < window.upperBound, newest >= window.lowerBound else { continue }
            body(Run(blocks: start..<next, oldest: oldest, newest: newest, isPlain: isPlain))
        }
    }

    /// True if each block is a run of its own, as is the case unless the clock was set back.
    private var isInOrder: Bool {
        guard openBlock.rowCount > 0 else { return isSealedInOrder }
        return isSealedInOrder && openBlock.isSorted
            && openBlock.oldest >= sealed.last?.newest.milliseconds ?? .min
    }

    /// Calls the body with each block that overlaps the window, after a binary search for the first one.
    @inline(__always)
    private func forEachBlock(in window: Range<Int64>, _ body: (Run) -> Void) {
        var (next, high) = (0, sealed.count)
        while next < high {
            let middle = (next + high) / 2
            if sealed[middle].newest.milliseconds < window.lowerBound { next = middle + 1 } else { high = middle }
        }
        let total = sealed.count + (openBlock.rowCount > 0 ? 1 : 0)
        while next < total {
            let (oldest, newest, _) = extent(ofBlock: next)
            guard oldest < window.upperBound else { return }
            if newest >= window.lowerBound {
                body(Run(blocks: next..<next + 1, oldest: oldest, newest: newest, isPlain: true))
            }
            next += 1
        }
    }

    /// Returns the runs that overlap the window, latest first.
    func runsBackward(in window: Range<Int64>) -> [Run] {
        var runs: [Run] = []
        forEachRun(in: window) { runs.append($0) }
        return runs.reversed()
    }

    func extent(ofBlock place: Int) -> (oldest: Int64, newest: Int64, isSorted: Bool) {
        guard place < sealed.count else { return (openBlock.oldest, openBlock.newest, openBlock.isSorted) }
        return (sealed[place].oldest.milliseconds, sealed[place].newest.milliseconds, sealed[place].isSorted)
    }

    /// The index of the first sealed block that ends after the start of the open block. Sealed blocks are ordered by
    /// their oldest times, but the open block may begin before the end of any of them.
    private var firstBlockReachingIntoOpen: Int {
        guard openBlock.rowCount > 0 else { return sealed.count }
        return sealed.firstIndex { $0.newest.milliseconds > openBlock.oldest } ?? sealed.count
    }
}

extension [HistoryBlock] {
    /// True if no block or row is earlier than the one before it.
    var areInOrder: Bool {
        allSatisfy(\.isSorted) && zip(self, dropFirst()).allSatisfy { $0.newest <= $1.oldest }
    }
}
