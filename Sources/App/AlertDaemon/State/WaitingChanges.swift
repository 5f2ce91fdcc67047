internal import Events
internal import Market
internal import Receivers
internal import Storage

/// Changes that could not be saved and exist nowhere else. Lanes, queues and silences are not among them, because
/// they are saved as a whole when saving works again.
struct WaitingChanges {
    /// The maximum number of waiting events; beyond that, the oldest are lost. 16,384 × 700 bytes = 11 MB.
    static let eventLimit = 16_384
    /// The maximum number of gaps per source whose candles wait. Older candles can be dropped, because the events
    /// already report the limits that were reached. 20 gaps × at most 10,080 candles × about 110 bytes = 22 MB.
    private static let gapLimit = 20
    /// The maximum number of waiting coin histories; others are fetched again. 50 × about 300 points × 32 bytes =
    /// 0.5 MB.
    private static let coinHistoryLimit = 50

    /// Oldest first.
    private(set) var events: [Event] = []
    private var candles: [SourceName: [SymbolCandles]] = [:]
    private(set) var coinHistories: [StoredCoinHistory] = []
    /// The results of notifications, at most ``eventLimit``. If older ones are dropped, the file lacks only their
    /// deliveries.
    private(set) var settled: [NotificationSettlement] = []

    /// Keeps the data of a transaction that exists nowhere else.
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

    /// Adds the known events that the file lacks and that are older than the waiting events.
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
