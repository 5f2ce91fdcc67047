package import Engine
package import Events
package import Market
package import Receivers
package import Rules
package import Time

/// A sealed block of history in the same form as in memory, with the columns of its row.
package struct StoredBlock: Equatable, Sendable {
    /// The id of the block, which increases from block to block.
    package var id: Int64
    /// The time of the oldest row.
    package var oldest: WallTime
    /// The time of the newest row.
    package var newest: WallTime
    /// The number of polls in the block.
    package var rowCount: Int
    /// The encoded block, with its own checksum.
    package var bytes: [UInt8]
    /// The summaries of the block's symbols, for the view `prices`. ``Store/restore(events:)`` does not read them.
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

/// Rows of the open block, which is not sealed yet.
package struct StoredOpenRows: Equatable, Sendable {
    /// The id that the block will get when it is sealed.
    package var block: Int64
    /// The index of the first of these rows in the block.
    package var firstRow: Int
    package var rowCount: Int
    /// The rows, encoded.
    package var bytes: [UInt8]

    /// Creates rows. The bytes encode ``rowCount`` rows, from ``firstRow`` on.
    package init(block: Int64, firstRow: Int, rowCount: Int, bytes: [UInt8]) {
        self.block = block
        self.firstRow = firstRow
        self.rowCount = rowCount
        self.bytes = bytes
    }
}

/// A reference rate: units of the currency per euro on that date.
package struct StoredRate: Equatable, Sendable {
    /// The publisher of the rate.
    package var source: String
    /// The date of the rate, not of its download.
    package var date: CivilDate
    package var currency: Currency
    /// Units of ``currency`` per euro; greater than 0.
    package var rate: Price
    /// The time of the download.
    package var fetched: WallTime

    package init(source: String, date: CivilDate, currency: Currency, rate: Price, fetched: WallTime) {
        self.source = source
        self.date = date
        self.currency = currency
        self.rate = rate
        self.fetched = fetched
    }
}

/// Changes of the history to store.
package struct HistoryChanges: Equatable, Sendable {
    /// Sealed blocks. A block replaces the stored one with the same id. Storing a block deletes its open rows.
    package var sealed: [StoredBlock]
    /// The ids of blocks to delete.
    package var removed: [Int64]
    /// Rows of the open block: rows that are not stored yet, or all of them if ``replacesParts`` is true.
    package var parts: [StoredOpenRows]
    /// True if ``parts`` replaces all stored open rows.
    package var replacesParts: Bool
    /// True if the prices in ``parts`` are all the same as in the row before them.
    package var isUnchanged = false
    /// The ids of the stored blocks to keep in addition to ``sealed``, if the whole history is given; all others are
    /// deleted. Nil to keep all blocks.
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

/// The candles of a symbol in a gap.
package struct SymbolCandles: Equatable, Sendable {
    package var symbol: Symbol
    /// The candles, ordered by time.
    package var candles: [Candle]

    package init(symbol: Symbol, candles: [Candle]) {
        (self.symbol, self.candles) = (symbol, candles)
    }
}

/// The changes of one source.
package struct SourceChanges: Equatable, Sendable {
    package var source: SourceName
    /// The changed state of the engine, or nil if it has not changed.
    package var engine: EngineChanges?
    package var history: HistoryChanges
    /// New names of coins, or names that replace stored ones.
    package var coins: [CoinName]
    /// The coins whose names are deleted.
    package var forgottenCoins: Set<String> = []
    /// True if ``coins`` replaces all stored names.
    package var replacesCoins = false
    /// Changes of the gaps that have not been looked up in candles yet.
    package var gaps = GapChanges()
    /// New candles. A candle replaces the stored one of the same minute.
    package var candles: [SymbolCandles] = []

    /// Creates the changes of a source, empty by default.
    package init(
        _ source: SourceName, engine: EngineChanges? = nil, history: HistoryChanges = .init(), coins: [CoinName] = []
    ) {
        self.source = source
        self.engine = engine
        self.history = history
        self.coins = coins
    }

    /// True if nothing has changed.
    package var isEmpty: Bool {
        (engine?.isEmpty ?? true) && history.isEmpty && coins.isEmpty && forgottenCoins.isEmpty && !replacesCoins
            && gaps.isEmpty && candles.isEmpty
    }

    /// Returns the changes that delete the alerts and gaps of a source that is no longer polled.
    package static func removal(of source: SourceName) -> SourceChanges {
        var changes = SourceChanges(source, engine: .whole(EngineSnapshot(rules: [], alerts: [], checkpoint: [])))
        changes.gaps.isWhole = true
        return changes
    }
}

/// Changes that are committed together: all of them or none.
package struct Transaction: Equatable, Sendable {
    /// True if the changes include everything, regardless of what the store has already.
    package var isWhole = false
    /// The current time, from which the age of events is computed.
    package var time: WallTime
    /// The events to store, ordered by number. An event that is already stored must have the same content.
    package var events: [Event]
    /// The changes of sources, each source at most once.
    package var sources: [SourceChanges]
    /// The number of the last event delivered to each of these sinks.
    package var cursors: [String: Int64]
    /// New rates, or rates that replace stored ones.
    package var rates: [StoredRate]
    /// Past prices of coins. They replace the stored ones of the same coin and period.
    package var coinHistories: [StoredCoinHistory] = []
    /// The states of all checks, or nil if they have not changed.
    package var checks: [StoredCheck]?
    /// All silences, or nil if they have not changed.
    package var silences: SilenceList?
    /// All limits that were changed at run time, or nil if they have not changed.
    package var overrides: [LimitOverride]?
    /// Changes of the queues of receivers, with the outcomes of notifications.
    package var queues: QueueChanges
    /// The id of the boot that the boot times of all engines belong to, or nil if it has not changed.
    package var bootID: String?

    /// Creates a transaction, empty by default.
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
    /// True if there is nothing to store.
    package var isEmpty: Bool { sources.isEmpty && isAboutSources }

    /// True if there is nothing to store except changes of sources.
    private var isAboutSources: Bool {
        events.isEmpty && cursors.isEmpty && rates.isEmpty && silences == nil && overrides == nil && bootID == nil
            && queues.isEmpty && coinHistories.isEmpty && checks == nil
    }

    /// True if the commit must wait for the disk. Only a poll in which nothing changed may be committed without
    /// waiting.
    var mustBeSynced: Bool {
        guard isAboutSources else { return true }
        return sources.contains {
            $0.history.hasChanges || !$0.coins.isEmpty || $0.engine?.hasChanges ?? false || !$0.gaps.isEmpty
                || !$0.candles.isEmpty || !$0.forgottenCoins.isEmpty
        }
    }

    /// True if the transaction may make older data due for deletion.
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
    /// The value of `PriceCheck.meaning`. The state belongs to a check only if both have the same meaning.
    package var meaning: String
    /// The state of the check, encoded in a form that only the engine reads.
    package var encodedState: String

    package init(name: String, meaning: String, encodedState: String) {
        (self.name, self.meaning, self.encodedState) = (name, meaning, encodedState)
    }
}

/// The past prices of a coin at a source.
package struct StoredCoinHistory: Equatable, Sendable {
    package var source: SourceName
    package var history: CoinHistory

    package init(_ history: CoinHistory, of source: SourceName) {
        (self.source, self.history) = (source, history)
    }
}

/// The stored state of a source.
package struct StoredSource: Sendable {
    package var name: SourceName
    /// The state of the engine, or nil if it was never stored.
    package var engine: EngineSnapshot?
    /// Sealed blocks ordered by id, without their symbols.
    package var blocks: [StoredBlock] = []
    /// Rows that are not sealed yet, ordered by block and first row.
    package var parts: [StoredOpenRows] = []
    /// The names of its coins.
    package var coins: [CoinName] = []
    /// Gaps that have not been looked up in candles yet.
    package var gaps: [PriceGap] = []

    /// Creates a source without stored state.
    package init(_ name: SourceName) {
        self.name = name
    }
}

/// Everything that a store contained when it was read.
package struct StoredState: Sendable {
    /// The greatest event number ever assigned, even if that event is no longer kept, or 0 if there was none.
    package var lastNumber: Int64 = 0
    /// The last events, oldest first.
    package var events: [Event] = []
    /// All sources that the file ever had.
    package var sources: [StoredSource] = []
    /// The id of the boot that the boot times of the engines belong to.
    package var bootID: String?
    /// The number of the last event delivered to each sink, by the name of the sink.
    package var cursors: [String: Int64] = [:]
    /// All reference rates in the file, of all dates.
    package var rates: [StoredRate] = []
    /// The silences. Their boot times belong to the boot ``bootID``.
    package var silences = SilenceList()
    /// The overrides, in the order in which they were set.
    package var overrides: [LimitOverride] = []
    /// The states of checks as last saved, whether the settings still have these checks or not.
    package var checks: [StoredCheck] = []
    /// The rows that were left out, each with the reason; at most 100.
    package var leftOut: [String] = []
    /// The queues of receivers.
    package var queues = StoredQueues()
    /// The id by which receivers distinguish the events of this file: 32 hexadecimal digits, or nil if the file has
    /// none.
    package var instance: String?
}
