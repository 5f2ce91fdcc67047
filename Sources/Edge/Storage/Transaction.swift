package import Engine
package import Events
package import Market
package import Receivers
package import Rules
package import Time

/// A sealed block of history as it is in memory, with the columns of its row.
package struct StoredBlock: Equatable, Sendable {
    /// The number of the block; increases from block to block.
    package var id: Int64
    /// The time of the oldest row.
    package var oldest: WallTime
    /// The time of the newest row.
    package var newest: WallTime
    /// The number of polls in it.
    package var rowCount: Int
    /// The encoded block, with its own checksum.
    package var bytes: [UInt8]
    /// Its summary of each symbol, for the view `prices`; not read back.
    package var blockSymbols: [StoredBlockSymbol]

    package init(
        id: Int64, oldest: WallTime, newest: WallTime, rowCount: Int, bytes: [UInt8],
        blockSymbols: [StoredBlockSymbol] = []
    ) {
        self.id = id
        self.oldest = oldest
        self.newest = newest
        self.rowCount = rowCount
        self.bytes = bytes
        self.blockSymbols = blockSymbols
    }
}

/// The summary of one symbol in a block.
package struct StoredBlockSymbol: Equatable, Sendable {
    package var symbol: Symbol
    /// The time of the first sample.
    package var since: WallTime
    /// The time of the last sample.
    package var until: WallTime
    /// The number of samples.
    package var samples: Int
    /// The price of the first sample.
    package var first: Price
    /// The lowest price of the block.
    package var lowest: Price
    /// The highest price of the block.
    package var highest: Price
    /// The price of the last sample.
    package var last: Price

    package init(
        symbol: Symbol, since: WallTime, until: WallTime, samples: Int, first: Price, lowest: Price, highest: Price,
        last: Price
    ) {
        self.symbol = symbol
        self.since = since
        self.until = until
        self.samples = samples
        self.first = first
        self.lowest = lowest
        self.highest = highest
        self.last = last
    }
}

/// Some rows of the block that is not sealed yet.
package struct StoredOpenRows: Equatable, Sendable {
    /// The id that the block will get when it is sealed.
    package var block: Int64
    /// The index in the block of the first of these rows.
    package var firstRow: Int
    /// The number of rows.
    package var rowCount: Int
    /// The rows, encoded.
    package var bytes: [UInt8]

    /// The bytes are those of ``rowCount`` rows, from ``firstRow`` on.
    package init(block: Int64, firstRow: Int, rowCount: Int, bytes: [UInt8]) {
        self.block = block
        self.firstRow = firstRow
        self.rowCount = rowCount
        self.bytes = bytes
    }
}

/// A reference rate: units of the currency per euro on that date.
package struct StoredRate: Equatable, Sendable {
    /// Who published the rate.
    package var source: String
    /// The date of the rate, not of its download.
    package var date: CivilDate
    package var currency: Currency
    /// Units of ``currency`` per euro; greater than 0.
    package var rate: Price
    /// When it was downloaded.
    package var fetched: WallTime

    /// The rate is for one euro, and `fetched` is when it was received.
    package init(source: String, date: CivilDate, currency: Currency, rate: Price, fetched: WallTime) {
        self.source = source
        self.date = date
        self.currency = currency
        self.rate = rate
        self.fetched = fetched
    }
}

/// Changes of the history to be stored.
package struct HistoryChanges: Equatable, Sendable {
    /// Sealed blocks; one with the id of a stored block replaces it. Storing a block removes its parts.
    package var sealed: [StoredBlock]
    /// The ids of blocks to delete.
    package var removed: [Int64]
    /// New rows of the open block; none of them is stored unless ``replacesParts`` is true.
    package var parts: [StoredOpenRows]
    /// Whether all other parts are deleted.
    package var replacesParts: Bool
    /// Whether the prices in ``parts`` are all the same as in the row before them.
    package var isUnchanged = false
    /// When the whole history is given: the ids of the stored blocks to keep in addition to ``sealed``; all others are
    /// deleted. Nil to keep all.
    package var kept: Set<Int64>?

    package init(
        sealed: [StoredBlock] = [], removed: [Int64] = [], parts: [StoredOpenRows] = [], replacesParts: Bool = false,
        kept: Set<Int64>? = nil
    ) {
        self.sealed = sealed
        self.removed = removed
        self.parts = parts
        self.replacesParts = replacesParts
        self.kept = kept
    }
}

/// What the price of a symbol did in a gap.
package struct SymbolCandles: Equatable, Sendable {
    package var symbol: Symbol
    /// In the order of their times.
    package var candles: [Candle]

    package init(symbol: Symbol, candles: [Candle]) {
        (self.symbol, self.candles) = (symbol, candles)
    }
}

/// Changes of what belongs to one source.
package struct SourceChanges: Equatable, Sendable {
    package var source: SourceName
    /// The changed state of the engine; nil when it has not changed.
    package var engine: EngineChanges?
    package var history: HistoryChanges
    /// New names of coins, or names that replace stored ones.
    package var coins: [CoinName]
    /// Coins whose names are forgotten.
    package var forgottenCoins: Set<String> = []
    /// Whether all names that are stored are replaced by ``coins``.
    package var replacesCoins = false
    /// Gaps that have yet to be looked up.
    package var gaps = GapChanges()
    /// New candles; one of the same minute is replaced.
    package var candles: [SymbolCandles] = []

    /// Without further arguments, nothing has changed.
    package init(
        _ source: SourceName, engine: EngineChanges? = nil, history: HistoryChanges = .init(), coins: [CoinName] = []
    ) {
        self.source = source
        self.engine = engine
        self.history = history
        self.coins = coins
    }

    /// Whether nothing has changed.
    package var isEmpty: Bool {
        (engine?.isEmpty ?? true) && history.isEmpty && coins.isEmpty && forgottenCoins.isEmpty && !replacesCoins
            && gaps.isEmpty && candles.isEmpty
    }

    /// What deletes the alerts and gaps of a source that is no longer polled.
    package static func removal(of source: SourceName) -> SourceChanges {
        var changes = SourceChanges(source, engine: .whole(EngineSnapshot(rules: [], alerts: [], checkpoint: [])))
        changes.gaps.isWhole = true
        return changes
    }
}

/// Changes that are committed together: all of them or none.
package struct Transaction: Equatable, Sendable {
    /// Whether they are everything, whatever the store has already.
    package var isWhole = false
    /// The current time, from which the age of events is computed.
    package var time: WallTime
    /// New events in order of their numbers, each greater than all that were ever stored.
    package var events: [Event]
    /// Those of sources, each once.
    package var sources: [SourceChanges]
    /// The number of the last event that each of these sinks was given.
    package var cursors: [String: Int64]
    /// New rates, or rates that replace stored ones.
    package var rates: [StoredRate]
    /// Past prices of coins; they replace stored ones of the same coin and period.
    package var coinHistories: [StoredCoinHistory] = []
    /// The states of all checks; nil when they have not changed.
    package var checks: [StoredCheck]?
    /// Nil when they have not changed.
    package var silences: SilenceList?
    /// All limits that are changed at run time; nil when they have not changed.
    package var overrides: [LimitOverride]?
    /// What receivers are to be sent, and what they were sent.
    package var queues: QueueChanges
    /// The id of the boot that the boot times of all engines belong to; nil when it has not changed.
    package var bootID: String?

    /// Without further arguments, there is nothing to store.
    package init(
        time: WallTime, events: [Event] = [], sources: [SourceChanges] = [],
        cursors: [String: Int64] = [:], rates: [StoredRate] = [], silences: SilenceList? = nil,
        overrides: [LimitOverride]? = nil, queues: QueueChanges = .init(), bootID: String? = nil
    ) {
        self.time = time
        self.events = events
        self.sources = sources
        self.cursors = cursors
        self.rates = rates
        self.silences = silences
        self.overrides = overrides
        self.queues = queues
        self.bootID = bootID
    }
}

extension Transaction {
    /// Whether there is nothing to store.
    package var isEmpty: Bool { sources.isEmpty && isAboutSources }

    /// Whether there is nothing to store but what belongs to sources.
    private var isAboutSources: Bool {
        events.isEmpty && cursors.isEmpty && rates.isEmpty && silences == nil && overrides == nil && bootID == nil
            && queues.isEmpty && coinHistories.isEmpty && checks == nil
    }

    /// Whether anything happened but a poll in which no price changed.
    var mustBeSynced: Bool {
        guard isAboutSources else { return true }
        return sources.contains {
            $0.history.hasChanges || !$0.coins.isEmpty || $0.engine?.hasChanges ?? false || !$0.gaps.isEmpty
                || !$0.candles.isEmpty || !$0.forgottenCoins.isEmpty
        }
    }

    /// Whether something may be due to be deleted because of it.
    var addsToKeep: Bool {
        !events.isEmpty || !rates.isEmpty
            || sources.contains { !$0.history.removed.isEmpty || $0.history.kept != nil }
    }
}

extension HistoryChanges {
    fileprivate var isEmpty: Bool {
        sealed.isEmpty && removed.isEmpty && parts.isEmpty && !replacesParts && kept == nil
    }

    fileprivate var hasChanges: Bool {
        !sealed.isEmpty || !removed.isEmpty || kept != nil || replacesParts || !parts.isEmpty && !isUnchanged
    }
}

extension EngineChanges {
    fileprivate var hasChanges: Bool {
        guard case .part(let alerts, .record(let record)) = self else { return true }
        return !alerts.isEmpty || !record.isUnchanged
    }
}

/// The state of a check, and the settings that it belongs to.
package struct StoredCheck: Equatable, Sendable {
    package var name: String
    /// See `PriceCheck.meaning`; the state belongs to a check only if both have the same.
    package var meaning: String
    /// The state of the check, in a form that only the engine reads.
    package var encodedState: String

    package init(name: String, meaning: String, encodedState: String) {
        (self.name, self.meaning, self.encodedState) = (name, meaning, encodedState)
    }
}

/// The past prices of a coin, as a source has them.
package struct StoredCoinHistory: Equatable, Sendable {
    package var source: SourceName
    package var history: CoinHistory

    package init(_ history: CoinHistory, of source: SourceName) {
        (self.source, self.history) = (source, history)
    }
}

/// What a store contained of a source.
package struct StoredSource: Sendable {
    package var name: SourceName
    /// Nil when it was never stored.
    package var engine: EngineSnapshot?
    /// Sealed blocks ordered by id, without their symbols.
    package var blocks: [StoredBlock] = []
    /// Rows of the open block, ordered by block and first row.
    package var parts: [StoredOpenRows] = []
    /// The markets of its coins.
    package var coins: [CoinName] = []
    /// Gaps that have yet to be looked up.
    package var gaps: [PriceGap] = []

    /// Makes a source of which nothing is stored.
    package init(_ name: SourceName) {
        self.name = name
    }
}

/// Everything that a store contained when it was read.
package struct StoredState: Sendable {
    /// The greatest number that an event ever had, even if that event is no longer kept; 0 when there was none.
    package var lastNumber: Int64 = 0
    /// The last events, oldest first.
    package var events: [Event] = []
    /// All sources that the file ever had.
    package var sources: [StoredSource] = []
    /// The id of the boot that the boot times of the engines belong to.
    package var bootID: String?
    /// The number of the last event that each sink was given, by the name of the sink.
    package var cursors: [String: Int64] = [:]
    /// All reference rates that the file keeps, of all dates.
    package var rates: [StoredRate] = []
    /// Their boot times belong to the same boot.
    package var silences = SilenceList()
    /// In the order in which they were set.
    package var overrides: [LimitOverride] = []
    /// Those of the last save, whether the settings still have these checks or not.
    package var checks: [StoredCheck] = []
    /// The rows that were left out, each with the reason; at most 100.
    package var leftOut: [String] = []
    /// What receivers are to be sent.
    package var queues = StoredQueues()
    /// Identifies this file's events to receivers: 32 hexadecimal digits; nil in a file that has none.
    package var instance: String?
}
