internal import Market
internal import Time

/// A run is one block, or several whose times overlap, which happens only when the clock was set back. Runs follow each
/// other in time. Blocks are identified by their index in `sealed`; the open block comes after the last of them.
struct Run {
    let blocks: Range<Int>
    let oldest: Int64
    let newest: Int64
    /// Whether it is one block whose times never go back, which can be read in row order.
    let isPlain: Bool
}

extension History {
    /// Calls the body with the runs that have a time in the given range, in order of time.
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

    /// Whether each block is a run of its own, which is so as long as the clock was never set back.
    private var isInOrder: Bool {
        guard openBlock.rowCount > 0 else { return isSealedInOrder }
        return isSealedInOrder && openBlock.isSorted
            && openBlock.oldest >= sealed.last?.newest.milliseconds ?? .min
    }

    /// Finds the first block that reaches into the window by binary search.
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

    /// The runs that have a time in the given range, latest first.
    func runsBackward(in window: Range<Int64>) -> [Run] {
        var runs: [Run] = []
        forEachRun(in: window) { runs.append($0) }
        return runs.reversed()
    }

    func extent(ofBlock place: Int) -> (oldest: Int64, newest: Int64, isSorted: Bool) {
        guard place < sealed.count else { return (openBlock.oldest, openBlock.newest, openBlock.isSorted) }
        return (sealed[place].oldest.milliseconds, sealed[place].newest.milliseconds, sealed[place].isSorted)
    }

    /// Sealed blocks are ordered by their oldest times; the open one may begin before the end of any of them.
    private var firstBlockReachingIntoOpen: Int {
        guard openBlock.rowCount > 0 else { return sealed.count }
        return sealed.firstIndex { $0.newest.milliseconds > openBlock.oldest } ?? sealed.count
    }
}

extension [HistoryBlock] {
    /// Whether no block or row is earlier than the one before it.
    var areInOrder: Bool {
        allSatisfy(\.isSorted) && zip(self, dropFirst()).allSatisfy { $0.newest <= $1.oldest }
    }
}
