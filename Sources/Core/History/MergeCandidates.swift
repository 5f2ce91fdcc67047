internal import Market
internal import Time

/// The samples of a merge that can still be added. Each step removes and counts those that cannot.
struct MergeCandidates {
    /// Sorted by time, then symbol; samples with the same time and symbol are in the order in which they were given.
    private(set) var samples: [SymbolSample]
    private(set) var counts = MergeCounts()

    init(_ samples: [SymbolSample]) {
        // The sort of the standard library is stable: equal samples stay in the order in which they were given.
        self.samples = samples.sorted { ($0.time, $0.symbol) < ($1.time, $1.symbol) }
    }

    /// Removes samples that the history would not keep, measured from the newest time of the history and the samples.
    mutating func removeTooOld(for history: History) {
        guard let last = samples.last else { return }
        let newest = max(history.newest ?? last.time, last.time)
        let count = samples.prefix { newest.since($0.time) > history.capacity.keep }.count
        samples.removeFirst(count)
        counts.tooOld += count
    }

    /// Removes all but the first sample of a symbol at the same time.
    mutating func removeRepeated() {
        var result: [SymbolSample] = []
        result.reserveCapacity(samples.count)
        for sample in samples {
            if let last = result.last, last.time == sample.time, last.symbol == sample.symbol {
                counts.record(isSame: last.price == sample.price)
            } else {
                result.append(sample)
            }
        }
        samples = result
    }

    /// Removes samples if the history already has a price of their symbol at their time. Only blocks that overlap the
    /// samples are read.
    mutating func removeKnown(to history: History) {
        guard let first = samples.first, let last = samples.last else { return }
        var isKnown = [Bool](repeating: false, count: samples.count)
        history.forEachRun(in: Range(through: last.time, since: first.time.milliseconds)) { run in
            for block in run.blocks {
                markKnown(in: block, of: history, &isKnown)
            }
        }
        samples = zip(samples, isKnown).filter { !$0.1 }.map { $0.0 }
    }

    private mutating func markKnown(in block: Int, of history: History, _ isKnown: inout [Bool]) {
        let (oldest, newest, isSorted) = history.extent(ofBlock: block)
        let start = samples.partitioningIndex { $0.time.milliseconds >= oldest }
        let end = samples.partitioningIndex { $0.time.milliseconds > newest }
        for (symbol, places) in Dictionary(grouping: start..<max(start, end), by: { samples[$0].symbol }) {
            var reader = WindowReader(symbol, in: .allTimes)
            guard let blockSymbol = reader.blockSymbol(block, of: history) else { continue }
            var there: [Sample] = []
            blockSymbol.forEachSample(in: 0..<blockSymbol.rowCount) { there.append($0) }
            if !isSorted { there.sort { $0.time < $1.time } }
            var next = 0
            for place in places where !isKnown[place] {
                while next < there.count, there[next].time < samples[place].time { next += 1 }
                let same = there[next...].prefix { $0.time == samples[place].time }
                guard !same.isEmpty else { continue }
                isKnown[place] = true
                counts.record(isSame: same.contains { $0.price == samples[place].price })
            }
        }
    }
}

extension MergeCounts {
    fileprivate mutating func record(isSame: Bool) {
        if isSame { duplicate += 1 } else { conflicting += 1 }
    }
}

extension Array {
    /// Returns the first index for which the condition is true, or the count if there is none. The condition must be
    /// true for all later elements as well.
    func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
