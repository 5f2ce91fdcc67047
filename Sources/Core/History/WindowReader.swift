internal import Market
internal import Time

/// A reader of the samples of one symbol within a window, block by block. Each call borrows the history, so that
/// reading copies nothing.
struct WindowReader {
    let symbol: Symbol
    /// The window in milliseconds since 1970.
    let window: Range<Int64>
    /// The column of the symbol in the last block read, as a guess for the next one.
    private var column = 0

    init(_ symbol: Symbol, in window: Range<Int64>) {
        self.symbol = symbol
        self.window = window
    }

    /// Returns the samples of the symbol in a block, inside the window or not, or nil if there are none.
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

    /// Returns the samples of a run within the window, in order of time.
    mutating func samples(in run: Run, of history: History) -> [Sample] {
        var samples: [Sample] = []
        for block in run.blocks {
            guard let blockSymbol = blockSymbol(block, of: history) else { continue }
            blockSymbol.forEachSample(in: 0..<blockSymbol.rowCount) { sample in
                if window.contains(sample.time.milliseconds) { samples.append(sample) }
            }
        }
        // The sort of the standard library is stable: samples of equal times keep their order.
        return run.isPlain ? samples : samples.sorted { $0.time < $1.time }
    }

    /// Returns the last sample of a run within the window, or nil if there is none.
    mutating func lastSample(in run: Run, of history: History) -> Sample? {
        guard run.isPlain else { return samples(in: run, of: history).last }
        guard let blockSymbol = blockSymbol(run.blocks.lowerBound, of: history) else { return nil }
        return blockSymbol.summary(in: window).map { blockSymbol.sample($0.last) }
    }
}

extension Range<Int64> {
    /// All times, in milliseconds since 1970.
    static let allTimes = Int64.min..<Int64.max

    /// Makes a window in milliseconds since 1970, empty if it ends before it begins. Without an end, it is unbounded.
    init(since start: WallTime, until end: WallTime?) {
        self = start.milliseconds..<Swift.max(start.milliseconds, end?.milliseconds ?? .max)
    }

    /// Makes a window up to an instant, inclusive.
    init(through last: WallTime, since start: Int64 = .min) {
        self = start..<(last.milliseconds == .max ? .max : last.milliseconds + 1)
    }
}
