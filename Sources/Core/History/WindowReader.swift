internal import Market
internal import Time

/// Reads the samples of one symbol within a window, from one block after another. It borrows the history for each call,
/// so that reading copies nothing.
struct WindowReader {
    let symbol: Symbol
    /// The window in milliseconds since 1970.
    let window: Range<Int64>
    /// The symbol's column in the last block.
    private var column = 0

    init(_ symbol: Symbol, in window: Range<Int64>) {
        self.symbol = symbol
        self.window = window
    }

    /// The samples of the symbol in a block, inside the window or not; nil when there are none.
    mutating func blockSymbol(_ block: Int, of history: History) -> BlockSymbol? {
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

    /// The samples of a run within the window, in order of time.
    mutating func samples(in run: Run, of history: History) -> [Sample] {
        var samples: [Sample] = []
        for block in run.blocks {
            guard let blockSymbol = blockSymbol(block, of: history) else { continue }
            blockSymbol.forEachSample(in: 0..<blockSymbol.rowCount) { sample in
                if window.contains(sample.time.milliseconds) { samples.append(sample) }
            }
        }
        // The standard library's sort is stable: equal times keep their order.
        return run.isPlain ? samples : samples.sorted { $0.time < $1.time }
    }

    /// The last sample of a run within the window; nil when there is none.
    mutating func lastSample(in run: Run, of history: History) -> Sample? {
        guard run.isPlain else { return samples(in: run, of: history).last }
        guard let blockSymbol = blockSymbol(run.blocks.lowerBound, of: history) else { return nil }
        return blockSymbol.summary(in: window).map { blockSymbol.sample($0.last) }
    }
}

extension Range<Int64> {
    /// All times, in milliseconds since 1970.
    static let allTimes = Int64.min..<Int64.max

    /// A window in milliseconds since 1970, which is empty if it ends before it begins; nil for no end.
    init(since start: WallTime, until end: WallTime?) {
        self = start.milliseconds..<Swift.max(start.milliseconds, end?.milliseconds ?? .max)
    }

    /// The window up to an instant, inclusive.
    init(through last: WallTime, since start: Int64 = .min) {
        self = start..<(last.milliseconds == .max ? .max : last.milliseconds + 1)
    }
}
