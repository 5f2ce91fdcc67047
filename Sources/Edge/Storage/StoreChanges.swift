package import Engine
package import Events
package import Market
package import Rules
package import Time

/// A sealed block of history, as it is in memory, with what the tables say of it.
package struct StoredBlock: Equatable, Sendable {
    package var id: Int64
    /// The time of the oldest row.
    package var oldest: WallTime
    /// The time of the newest row.
    package var newest: WallTime
    package var rowCount: Int
    package var bytes: [UInt8]
    /// What it holds of each symbol, for the view `prices`; not read back.
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

/// What a block holds of one symbol.
package struct StoredBlockSymbol: Equatable, Sendable {
    package var symbol: Symbol
    package var since: WallTime
    package var until: WallTime
    package var samples: Int
    package var first: Price
    package var lowest: Price
    package var highest: Price
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
    /// The id that the block will have.
    package var block: Int64
    /// Which row of the block is the first of the part.
    package var firstRow: Int
    package var rowCount: Int
    package var bytes: [UInt8]

    package init(block: Int64, firstRow: Int, rowCount: Int, bytes: [UInt8]) {
        self.block = block
        self.firstRow = firstRow
        self.rowCount = rowCount
        self.bytes = bytes
    }
}

/// A reference rate: how much of the currency one euro is on that date.
package struct StoredRate: Equatable, Sendable {
    package var source: String
    package var date: CivilDate
    package var currency: Currency
    package var rate: Price
    package var fetched: WallTime

    package init(source: String, date: CivilDate, currency: Currency, rate: Price, fetched: WallTime) {
        self.source = source
        self.date = date
        self.currency = currency
        self.rate = rate
        self.fetched = fetched
    }
}

/// What of the history is to be stored.
package struct HistoryChanges: Equatable, Sendable {
    /// Sealed blocks; one with the id of a stored block replaces it. The parts of a block go when it comes.
    package var sealed: [StoredBlock]
    /// Ids of blocks that go.
    package var removed: [Int64]
    /// Parts; one with the block and first row of a stored part replaces it.
    package var parts: [StoredOpenRows]
    /// Whether all other parts go.
    package var replacesParts: Bool
    /// When all of the history is given: the ids of the stored blocks that stay, beside ``sealed``. All others go.
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

/// What is committed at once: all of it or nothing.
package struct StoreChanges: Equatable, Sendable {
    /// The present time, which the age of events counts from.
    package var time: WallTime
    /// In the order of their numbers, each greater than all that were ever stored.
    package var events: [Event]
    package var engine: EngineChanges?
    package var history: HistoryChanges
    /// The last event that each of these sinks was given.
    package var cursors: [String: Int64]
    package var rates: [StoredRate]
    /// Nil when they are as they were.
    package var silences: SilenceList?
    /// All limits that are changed at run time; nil when they are as they were.
    package var overrides: [LimitOverride]?
    /// Which boot of the machine the boot times of the engine belong to; nil when that is as it was.
    package var bootID: String?

    package init(
        time: WallTime, events: [Event] = [], engine: EngineChanges? = nil, history: HistoryChanges = .init(),
        cursors: [String: Int64] = [:], rates: [StoredRate] = [], silences: SilenceList? = nil,
        overrides: [LimitOverride]? = nil, bootID: String? = nil
    ) {
        self.time = time
        self.events = events
        self.engine = engine
        self.history = history
        self.cursors = cursors
        self.rates = rates
        self.silences = silences
        self.overrides = overrides
        self.bootID = bootID
    }
}

/// What a store held when it was read.
package struct StoredState: Sendable {
    /// The greatest number that an event ever had, also when that event is not kept any more; 0 when there was none.
    package var lastNumber: Int64 = 0
    /// The last events, oldest first.
    package var events: [Event] = []
    /// Nil when none was ever stored.
    package var engine: EngineSnapshot?
    /// Which boot of the machine the boot times of the engine belong to.
    package var bootID: String?
    /// Sealed blocks by their ids, without their symbols.
    package var blocks: [StoredBlock] = []
    /// By block and first row.
    package var parts: [StoredOpenRows] = []
    package var cursors: [String: Int64] = [:]
    package var rates: [StoredRate] = []
    /// Their boot times, too, are of that boot.
    package var silences = SilenceList()
    /// In the order in which they were set.
    package var overrides: [LimitOverride] = []
}
