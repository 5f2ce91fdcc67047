internal import Events
internal import Market
internal import Receivers
internal import Storage

/// Changes that could not be saved and exist nowhere else. Lanes, queues and silences are not among them, because
/// they are saved as a whole when saving works again.
struct WaitingChanges {
    /// The most events that wait; beyond that, the oldest are lost. 16,384 × 700 bytes are 11 MB.
    static let eventLimit = 16_384
    /// The most gaps of a source whose candles wait. What they mean for limits is already in the events. 20 gaps of
    /// at most 10,080 candles of about 110 bytes are 22 MB.
    private static let gapLimit = 20
    /// The most past prices that wait; others are fetched again. 50 of about 300 points of 32 bytes are 0.5 MB.
    private static let coinHistoryLimit = 50

    /// Oldest first.
    private(set) var events: [Event] = []
    private var candles: [SourceName: [SymbolCandles]] = [:]
    private(set) var coinHistories: [StoredCoinHistory] = []
    /// The results of notifications. Beyond the limit of events, the file only lacks how the oldest were delivered.
    private(set) var settled: [NotificationSettlement] = []

    /// Keeps the data of a transaction.
    ///
    /// - Returns: the number of events that were lost because there are too many.
    mutating func add(_ new: Transaction) -> Int {
        for source in new.sources where !source.candles.isEmpty {
            candles[source.source] = (candles[source.source, default: []] + source.candles).suffix(Self.gapLimit)
        }
        for history in new.coinHistories {
            coinHistories.removeAll { $0.isOfSame(as: history) }
            coinHistories = (coinHistories + [history]).suffix(Self.coinHistoryLimit)
        }
        settled += new.queues.settled
        settled.removeFirst(max(0, settled.count - Self.eventLimit))
        events += new.events
        let excess = max(0, events.count - Self.eventLimit)
        events.removeFirst(excess)
        return excess
    }

    /// Adds all waiting changes to a transaction that has everything else.
    func complete(_ whole: inout Transaction) {
        guard !events.isEmpty || !candles.isEmpty || !coinHistories.isEmpty || !settled.isEmpty else { return }
        whole.events = events + whole.events
        for index in whole.sources.indices {
            whole.sources[index].candles = (candles[whole.sources[index].source] ?? []) + whole.sources[index].candles
        }
        let others = coinHistories.filter { old in !whole.coinHistories.contains { $0.isOfSame(as: old) } }
        whole.coinHistories = others + whole.coinHistories
        whole.queues.settled = settled + whole.queues.settled
    }

    /// Renumbers the events.
    mutating func renumber(_ shift: NumberShift) { events = events.map(shift.applied) }

    /// Adds earlier events that the file turned out to lack.
    mutating func add(lacking known: [Event], after last: Int64) {
        let first = events.first?.number ?? .max
        events = known.filter { $0.number > last && $0.number < first } + events
    }
}

extension StoredCoinHistory {
    fileprivate func isOfSame(as other: StoredCoinHistory) -> Bool {
        source == other.source && history.identity == other.history.identity && history.period == other.history.period
    }
}
